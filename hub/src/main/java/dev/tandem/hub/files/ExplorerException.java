package dev.tandem.hub.files;

/** The explorer cannot show this; the code is the word that clients see. */
public final class ExplorerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;

    ExplorerException(String code, String message) {
        super(message);
        this.code = code;
    }

    public String code() {
        return code;
    }
}

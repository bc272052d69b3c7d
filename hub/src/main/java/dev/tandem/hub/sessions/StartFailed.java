package dev.tandem.hub.sessions;

/** A session whose agent did not become ready; the code is the word that clients see. */
public final class StartFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;

    StartFailed(String code, String message) {
        super(message);
        this.code = code;
    }

    public String code() {
        return code;
    }
}

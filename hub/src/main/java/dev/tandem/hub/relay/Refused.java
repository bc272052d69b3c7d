package dev.tandem.hub.relay;

/** A request that cannot be done; the code is the word on the wire. */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;

    Refused(String code, String message) {
        super(message);
        this.code = code;
    }

    String code() {
        return code;
    }
}

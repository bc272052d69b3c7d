package dev.tandem.hub.store;

/** The database could not do what was asked; the message says what and why. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}

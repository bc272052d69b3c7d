package dev.tandem.cli;

/** The command line is wrong; the message says how. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }

    String message() {
        return String.valueOf(getMessage());
    }
}

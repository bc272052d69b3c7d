package dev.tandem.hub.files;

/** A path that leads where the caller may not go; the message never tells what lies there. */
public final class PathDenied extends RuntimeException {
    PathDenied(String message) {
        super(message);
    }
}

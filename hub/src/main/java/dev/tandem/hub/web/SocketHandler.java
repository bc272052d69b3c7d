package dev.tandem.hub.web;

/** Takes a socket that passed the guards and answers who listens to it. */
@FunctionalInterface
public interface SocketHandler {
    Listener open(Socket socket);

    /** Receives what a socket says, one call at a time. */
    interface Listener {
        void onText(String text);

        void onClose(int code, String reason);
    }
}

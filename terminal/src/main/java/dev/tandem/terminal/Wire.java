package dev.tandem.terminal;

import java.nio.ByteBuffer;

/** The way to one client. One message at a time; the next only after {@link Sent}. */
interface Wire {
    /** Room that {@link #binary} needs before the bytes. */
    int HEAD_ROOM = 10;

    /** The buffer is the wire's until {@link Sent}, what stands before its position included. */
    void binary(ByteBuffer bytes, Sent sent);

    void text(String message, Sent sent);

    /** Says the last words, if there are any, and closes: the client gets both or neither. */
    void close(String lastWords, int code, String reason);

    /** Ends the connection without waiting for what was not sent. */
    void cut();

    /** Called once per message, on any thread, possibly before the sending call returns. */
    interface Sent {
        void done(boolean ok);
    }
}

package dev.tandem.hub.cli;

import dev.tandem.cli.Invocation;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The answer to the launcher: a letter, eight digits and a line end, then that many bytes. {@code
 * o} is standard output, {@code e} standard error, {@code i} asks for standard input, {@code k} for
 * a key within so many seconds, {@code x} is the exit code.
 */
final class Frames implements Invocation.Sink {
    /** Small enough for a shell to read at once, and never more than the eight digits say. */
    private static final int PIECE = 64 * 1024;

    private static final int HEAD = 10;

    private final OutputStream out;

    Frames(OutputStream out) {
        this.out = out;
    }

    @Override
    public void out(String text) {
        send('o', text);
    }

    @Override
    public void err(String text) {
        send('e', text);
    }

    void askForInput() {
        write(head('i', 0), new byte[0], 0, 0);
    }

    void askForKey(int seconds) {
        write(head('k', seconds), new byte[0], 0, 0);
    }

    void exit(int code) {
        write(head('x', code), new byte[0], 0, 0);
    }

    private void send(char kind, String text) {
        // a shell cannot hold a NUL
        byte[] bytes = text.replace('\0', ' ').getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at += PIECE) {
            int size = Math.min(PIECE, bytes.length - at);
            write(head(kind, size), bytes, at, size);
        }
    }

    private static byte[] head(char kind, int number) {
        byte[] head = new byte[HEAD];
        head[0] = (byte) kind;
        int rest = number;
        for (int i = HEAD - 2; i > 0; i--) {
            head[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        head[HEAD - 1] = '\n';
        return head;
    }

    private void write(byte[] head, byte[] bytes, int at, int size) {
        byte[] frame = new byte[head.length + size];
        System.arraycopy(head, 0, frame, 0, head.length);
        System.arraycopy(bytes, at, frame, head.length, size);
        try {
            out.write(frame);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.tandem.hub.cli;

import dev.tandem.cli.Invocation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The answer to the launcher: a letter, eight digits and a line end, then that many bytes. {@code
 * o} is standard output, {@code e} standard error, {@code i} asks for standard input, {@code k} for
 * a key within so many seconds, {@code u} to open a page, {@code x} is the exit code. What is said
 * waits a moment for what follows, so that a short answer and its end arrive in one piece.
 */
final class Frames implements Invocation.Sink {
    /** Small enough for a shell to read at once, and never more than the eight digits say. */
    private static final int PIECE = 64 * 1024;

    private static final int HEAD = 10;
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final OutputStream out;
    private final ReentrantLock lock = new ReentrantLock();
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private boolean ending;

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

    /** What is said waits for that end. */
    @Override
    public void ending() {
        ending = true;
    }

    void askForInput() {
        last('i', 0);
    }

    void askForKey(int seconds) {
        last('k', seconds);
    }

    void askToOpen(String url) {
        send('u', url);
        lock.lock();
        try {
            flush();
        } finally {
            lock.unlock();
        }
    }

    void exit(int code) {
        last('x', code);
    }

    private void send(char kind, String text) {
        // a shell cannot hold a NUL
        byte[] bytes = text.replace('\0', ' ').getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at += PIECE) {
            int size = Math.min(PIECE, bytes.length - at);
            lock.lock();
            try {
                boolean first = said.size() == 0;
                said.writeBytes(head(kind, size));
                said.write(bytes, at, size);
                if (said.size() >= PIECE) {
                    flush();
                } else if (first && !ending) {
                    Thread.startVirtualThread(this::flushSoon);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** A frame that is nothing's beginning: the launcher has to act on it. */
    private void last(char kind, int number) {
        lock.lock();
        try {
            said.writeBytes(head(kind, number));
            flush();
        } finally {
            lock.unlock();
        }
    }

    private void flushSoon() {
        LockSupport.parkNanos(MOMENT.toNanos());
        lock.lock();
        try {
            flush();
        } catch (UncheckedIOException e) {
            // the launcher is gone; whoever writes next is told
        } finally {
            lock.unlock();
        }
    }

    private void flush() {
        if (said.size() == 0) {
            return;
        }
        try {
            said.writeTo(out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            said.reset();
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
}

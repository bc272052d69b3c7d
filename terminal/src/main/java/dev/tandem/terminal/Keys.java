package dev.tandem.terminal;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What was typed and the program has not taken yet. Any thread may offer; the terminal's own thread
 * flushes when the kernel has room. Thread-safe.
 */
final class Keys {
    private static final int MOST_BYTES = 64 * 1024;

    private final Pty pty;
    private final Deque<ByteBuffer> pending = new ArrayDeque<>();
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int bytes;
    private volatile boolean full;

    Keys(Pty pty) {
        this.pty = pty;
    }

    /** Writes them or keeps a copy; {@code taken} runs when there is room for more. */
    void offer(ByteBuffer keys, Runnable taken) {
        synchronized (pending) {
            if (pending.isEmpty()) {
                pty.write(keys);
            }
            if (keys.hasRemaining()) {
                ByteBuffer rest = ByteBuffer.allocate(keys.remaining()).put(keys).flip();
                bytes += rest.remaining();
                pending.add(rest);
                pty.wake();
            }
            if (bytes > MOST_BYTES) {
                waiting.add(taken);
                full = true;
                return;
            }
        }
        taken.run();
    }

    /** True while somebody who typed waits for room. */
    boolean full() {
        return full;
    }

    boolean pending() {
        synchronized (pending) {
            return !pending.isEmpty();
        }
    }

    void flush() {
        synchronized (pending) {
            while (!pending.isEmpty()) {
                ByteBuffer first = pending.element();
                bytes -= pty.write(first);
                if (first.hasRemaining()) {
                    return;
                }
                pending.remove();
            }
            bytes = 0;
        }
        release();
    }

    /** Lets everybody go on who waits. */
    void release() {
        full = false;
        while (true) {
            Runnable next;
            synchronized (pending) {
                next = waiting.poll();
            }
            if (next == null) {
                return;
            }
            next.run();
        }
    }
}

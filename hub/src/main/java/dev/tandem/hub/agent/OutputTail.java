package dev.tandem.hub.agent;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

/** The last bytes of a command's output, cut at a character boundary; any thread may call it. */
final class OutputTail {
    private final ReentrantLock lock = new ReentrantLock();
    private final int limit;
    private byte[] ring = new byte[1024];
    private long written;

    OutputTail(int limit) {
        this.limit = limit;
    }

    /** What is kept, and whether there was more before it. */
    record Text(String text, boolean truncated) {}

    void append(byte[] bytes, int count) {
        lock.lock();
        try {
            grow(Math.min(limit, written + count));
            for (int i = Math.max(0, count - ring.length); i < count; i++) {
                ring[(int) ((written + i) % ring.length)] = bytes[i];
            }
            written += count;
        } finally {
            lock.unlock();
        }
    }

    /** Until it is full the buffer starts at 0, so growing is a plain copy. */
    private void grow(long needed) {
        if (needed > ring.length && ring.length < limit) {
            byte[] larger = new byte[(int) Math.min(limit, Math.max(needed, ring.length * 2L))];
            System.arraycopy(ring, 0, larger, 0, (int) Math.min(written, ring.length));
            ring = larger;
        }
    }

    Text text() {
        lock.lock();
        try {
            int kept = (int) Math.min(written, Math.min(ring.length, limit));
            byte[] out = new byte[kept];
            for (int i = 0; i < kept; i++) {
                out[i] = ring[(int) ((written - kept + i) % ring.length)];
            }
            boolean truncated = written > kept;
            int begin = 0;
            while (truncated && begin < kept && (out[begin] & 0xC0) == 0x80) {
                begin++;
            }
            return new Text(
                    new String(out, begin, kept - begin, StandardCharsets.UTF_8), truncated);
        } finally {
            lock.unlock();
        }
    }
}

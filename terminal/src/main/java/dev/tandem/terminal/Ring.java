package dev.tandem.terminal;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The newest output of a terminal, numbered by byte since its start. What falls out at the old end
 * passes through a {@link Modes}, so the state where a replay begins is always known, and that is
 * never inside a sequence or a character. Who has seen all before it may go on at any byte kept.
 * Thread-safe.
 */
final class Ring {
    private static final int LONGEST_TAIL = 3;
    private static final int MOST_SPARE = 4;
    private static final Deque<byte[]> SPARE = new ArrayDeque<>();

    private final int mask;
    private byte[] data;
    private final Modes before = new Modes();
    private final Modes now = new Modes();
    private final Deque<Size> sizes = new ArrayDeque<>();
    private Size sizeBefore = new Size(0, 80, 24);
    // The oldest byte kept, and where a replay begins, at it or after it.
    private long start;
    private long clean;
    private long head;
    private long textSince;

    /** From this byte on the terminal had this size. */
    record Size(long seq, int cols, int rows) {}

    /** How to begin a replay in an empty emulator. */
    record Beginning(long seq, int cols, int rows, String prelude, boolean alternateScreen) {}

    /**
     * @param capacity a power of two
     */
    Ring(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("capacity must be a power of two");
        }
        data = take(capacity);
        mask = capacity - 1;
    }

    // Used again: the heap would grow to its limit before it looked for those of ended terminals.
    private static byte[] take(int capacity) {
        synchronized (SPARE) {
            byte[] spare = SPARE.peek();
            return spare != null && spare.length == capacity ? SPARE.remove() : new byte[capacity];
        }
    }

    /** Gives its memory back when nothing is appended any more; nothing is kept from then on. */
    synchronized void release() {
        start = head;
        clean = head;
        synchronized (SPARE) {
            if (data.length > 0 && SPARE.size() < MOST_SPARE) {
                SPARE.add(data);
            }
        }
        data = new byte[0];
    }

    int capacity() {
        return mask + 1;
    }

    synchronized long head() {
        return head;
    }

    synchronized void append(ByteBuffer bytes) {
        int length = bytes.remaining();
        if (length > data.length / 2) {
            throw new IllegalArgumentException("too much at once");
        }
        if (head + length - start > data.length) {
            forget(head + length - data.length);
        }
        int at = (int) head & mask;
        int first = Math.min(length, data.length - at);
        bytes.get(data, at, first);
        bytes.get(data, 0, length - first);
        head += length;
        boolean isText = now.scan(data, at, at + first);
        isText &= now.scan(data, 0, length - first);
        if (!isText) {
            textSince = head;
        }
    }

    /** What the output so far says the terminal is called. */
    synchronized String title() {
        return now.title();
    }

    synchronized void sizeIs(int cols, int rows) {
        sizes.add(new Size(head, cols, rows));
        if (sizes.size() > 1024) {
            sizeBefore = sizes.remove();
        }
    }

    /** Copies what follows {@code from} into the buffer; false when that is no longer kept. */
    synchronized boolean copy(long from, int most, ByteBuffer into) {
        if (from < start) {
            return false;
        }
        int length = (int) Math.min(Math.min(most, into.remaining()), head - from);
        if (length == 0) {
            return true;
        }
        int at = (int) from & mask;
        int first = Math.min(length, data.length - at);
        into.put(data, at, first);
        into.put(data, 0, length - first);
        return true;
    }

    synchronized boolean keeps(long seq) {
        return seq >= start && seq <= head;
    }

    synchronized Beginning beginning() {
        cleanUp();
        Size size = sizeBefore;
        for (Size each : sizes) {
            size = each.seq <= clean ? each : size;
        }
        return new Beginning(
                clean,
                size.cols,
                size.rows,
                clean == 0 ? "" : before.prelude(),
                before.alternateScreen());
    }

    synchronized List<Size> sizesSince(long seq) {
        List<Size> after = new ArrayList<>();
        for (Size size : sizes) {
            if (size.seq >= seq) {
                after.add(size);
            }
        }
        return after;
    }

    private void forget(long until) {
        pass(until);
        start = until;
        while (!sizes.isEmpty() && sizes.element().seq <= start) {
            sizeBefore = sizes.remove();
        }
    }

    // Only for who needs it: while a sequence lasts longer than the ring, its end is not there yet.
    private void cleanUp() {
        while (!before.atBoundary() && clean < head) {
            pass(clean + 1);
        }
        for (int i = 0;
                i < LONGEST_TAIL && clean > 0 && clean < head && continuesCharacter();
                i++) {
            pass(clean + 1);
        }
    }

    private boolean continuesCharacter() {
        return (data[(int) clean & mask] & 0xC0) == 0x80;
    }

    private void pass(long until) {
        if (clean >= textSince && before.atBoundary()) {
            // Text was seen to be text when it came; in a flood of it this is half the work.
            clean = Math.max(clean, until);
        }
        while (clean < until) {
            int at = (int) clean & mask;
            int length = (int) Math.min(until - clean, data.length - at);
            before.scan(data, at, at + length);
            clean += length;
        }
    }
}

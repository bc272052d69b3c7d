package dev.tandem.terminal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The master side of one pseudo-terminal. One thread reads, polls and closes; any thread may write,
 * resize and wake. The lock keeps a late writer off a descriptor number that was given away.
 */
final class Pty implements AutoCloseable {
    // The kernel gives a page at a time, however much there is room for.
    static final int READ_BYTES = 16 * 1024;
    static final int END = -1;
    private static final int WRITE_BYTES = 4 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment readBuffer = arena.allocate(READ_BYTES);
    private final MemorySegment writeBuffer = arena.allocate(WRITE_BYTES);
    private final MemorySegment readState = Posix.state(arena);
    private final MemorySegment polls = arena.allocate(16, 8);
    private final MemorySegment wakeByte = arena.allocate(64);
    private final ByteBuffer readView = readBuffer.asByteBuffer();
    private final ByteBuffer writeView = writeBuffer.asByteBuffer();
    private final int[] wake = Posix.pipe();
    private final String slave;
    private int master;

    /** What a poll found. */
    record Ready(boolean input, boolean output) {}

    private static final Ready NOTHING = new Ready(false, false);
    private static final Ready INPUT = new Ready(true, false);

    Pty(int cols, int rows) {
        master = Posix.openMaster();
        slave = Posix.slaveName(master);
        resize(cols, rows);
    }

    String slave() {
        return slave;
    }

    void resize(int cols, int rows) {
        lock.lock();
        try {
            if (master >= 0) {
                Posix.setSize(master, cols, rows);
            }
        } finally {
            lock.unlock();
        }
    }

    int foregroundGroup() {
        lock.lock();
        try {
            return master < 0 ? -1 : Posix.foregroundGroup(master);
        } finally {
            lock.unlock();
        }
    }

    /** Bytes taken from {@code bytes} without blocking; 0 when the terminal's queue is full. */
    int write(ByteBuffer bytes) {
        lock.lock();
        try {
            int total = 0;
            while (master >= 0 && bytes.hasRemaining()) {
                int length = Math.min(bytes.remaining(), WRITE_BYTES);
                writeView.put(0, bytes, bytes.position(), length);
                long n = Posix.write(master, writeBuffer, length);
                if (n <= 0) {
                    return n == -Posix.EAGAIN || n == -Posix.EINTR ? total : drop(bytes, total);
                }
                bytes.position(bytes.position() + (int) n);
                total += (int) n;
            }
            return master < 0 ? drop(bytes, total) : total;
        } finally {
            lock.unlock();
        }
    }

    // Nobody is left to read them: a closed terminal swallows keys, as a real one does.
    private static int drop(ByteBuffer bytes, int total) {
        bytes.position(bytes.limit());
        return total;
    }

    /** Reads up to {@code most}; how many there were, 0 when none is ready, or {@link #END}. */
    int read(int most) {
        int length = Math.min(most, READ_BYTES);
        long n = Posix.read(readState, master, readBuffer.address(), length);
        if (n == -Posix.EAGAIN || n == -Posix.EINTR) {
            return 0;
        }
        return n <= 0 ? END : (int) n;
    }

    /** The first bytes of what was read, valid until the next read. */
    ByteBuffer bytes(int length) {
        return readView.position(0).limit(length);
    }

    /** Waits until something wanted is ready, {@link #wake} was called, or the time is over. */
    Ready await(boolean wantInput, boolean wantOutput, int timeoutMs) {
        // Unwanted, the master is left out: a hung-up one reports itself for ever.
        int events = (wantInput ? Posix.POLLIN : 0) | (wantOutput ? Posix.POLLOUT : 0);
        Posix.setPoll(polls, 0, events == 0 ? -1 : master, events);
        Posix.setPoll(polls, 1, wake[0], Posix.POLLIN);
        if (Posix.poll(polls, 2, timeoutMs) == 0) {
            return NOTHING;
        }
        if (Posix.polled(polls, 1) != 0) {
            Posix.read(readState, wake[0], wakeByte.address(), wakeByte.byteSize());
        }
        int got = Posix.polled(polls, 0);
        if (got == Posix.POLLIN) {
            return INPUT;
        }
        boolean over = (got & (Posix.POLLHUP | Posix.POLLERR)) != 0;
        return new Ready(
                wantInput && ((got & Posix.POLLIN) != 0 || over), (got & Posix.POLLOUT) != 0);
    }

    void wake() {
        lock.lock();
        try {
            if (wake[1] >= 0) {
                Posix.write(wake[1], writeBuffer, 1);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes the master; the kernel hangs up the session. Waking still works. */
    void hangUp() {
        lock.lock();
        try {
            if (master >= 0) {
                Posix.close(master);
                master = -1;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            hangUp();
            if (wake[1] >= 0) {
                Posix.close(wake[0]);
                Posix.close(wake[1]);
                wake[1] = -1;
                arena.close();
            }
        } finally {
            lock.unlock();
        }
    }
}

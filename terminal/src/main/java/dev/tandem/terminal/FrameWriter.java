package dev.tandem.terminal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The way out of one socket: whole frames in order, written at once by whoever sends while the
 * socket takes them, else by the socket's own thread when it has room again. Thread-safe.
 */
final class FrameWriter {
    private final ReentrantLock lock = new ReentrantLock();
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private volatile boolean broken;

    private record Waiting(ByteBuffer frame, Wire.Sent sent) {}

    /**
     * @param key of the channel; its selector is woken when there is something to write or to end
     */
    FrameWriter(SocketChannel channel, SelectionKey key) {
        this.channel = channel;
        this.key = key;
    }

    /** The head of a server's frame goes in front of its payload, where there must be room. */
    static ByteBuffer withHead(int opcode, ByteBuffer payload) {
        int size = payload.remaining();
        int start = payload.position();
        if (size < 126) {
            start -= 2;
            payload.put(start + 1, (byte) size);
        } else if (size < 65536) {
            start -= 4;
            payload.put(start + 1, (byte) 126).putShort(start + 2, (short) size);
        } else {
            start -= Wire.HEAD_ROOM;
            payload.put(start + 1, (byte) 127).putLong(start + 2, size);
        }
        return payload.put(start, (byte) (0x80 | opcode)).position(start);
    }

    static ByteBuffer frame(int opcode, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(Wire.HEAD_ROOM + payload.length);
        frame.position(Wire.HEAD_ROOM).put(payload).position(Wire.HEAD_ROOM);
        return withHead(opcode, frame);
    }

    /** Two frames that go out as one: who gets the first is not woken for it alone. */
    static ByteBuffer joined(ByteBuffer first, ByteBuffer second) {
        return ByteBuffer.allocate(first.remaining() + second.remaining())
                .put(first)
                .put(second)
                .flip();
    }

    boolean broken() {
        return broken;
    }

    void send(ByteBuffer frame, Wire.Sent sent) {
        lock.lock();
        try {
            if (waiting.isEmpty()) {
                write(frame);
            }
            if (!broken && frame.hasRemaining()) {
                if (waiting.isEmpty()) {
                    key.interestOpsOr(SelectionKey.OP_WRITE);
                    key.selector().wakeup();
                }
                waiting.add(new Waiting(frame, sent));
                return;
            }
        } finally {
            lock.unlock();
        }
        sent.done(!broken);
    }

    /** Goes on where the socket had no room; called by the socket's thread. */
    void flush() {
        Waiting done = next();
        while (done != null) {
            done.sent.done(!broken);
            done = next();
        }
    }

    private @Nullable Waiting next() {
        lock.lock();
        try {
            Waiting first = waiting.peek();
            if (first == null) {
                return null;
            }
            write(first.frame);
            if (!broken && first.frame.hasRemaining()) {
                return null;
            }
            waiting.remove();
            if (waiting.isEmpty() && key.isValid()) {
                key.interestOpsAnd(~SelectionKey.OP_WRITE);
            }
            return first;
        } finally {
            lock.unlock();
        }
    }

    private void write(ByteBuffer frame) {
        try {
            if (!broken) {
                channel.write(frame);
            }
        } catch (IOException e) {
            breakOff();
        }
    }

    /** Nothing more goes out; what waits is told so. */
    void breakOff() {
        lock.lock();
        try {
            broken = true;
            key.selector().wakeup();
        } finally {
            lock.unlock();
        }
    }
}

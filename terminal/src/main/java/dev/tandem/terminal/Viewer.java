package dev.tandem.terminal;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One client's place in a terminal's output. It pulls from the ring as fast as its wire takes, so a
 * slow one costs a frame of memory and no more. {@link #pump} may be called from any thread; at
 * most one message is on its way.
 */
final class Viewer {
    private static final int IDLE = 0;
    private static final int DONE_INSIDE_CALL = 1;
    private static final int UNDER_WAY = 2;

    private final Ring ring;
    private final Wire wire;
    private final boolean writer;
    private final ByteBuffer frame = ByteBuffer.allocateDirect(Wire.HEAD_ROOM + Limits.FRAME_BYTES);
    private final AtomicInteger work = new AtomicInteger();
    private final AtomicInteger phase = new AtomicInteger();
    private final Deque<Mark> marks = new ArrayDeque<>();
    private final Deque<Mark> urgent = new ArrayDeque<>();
    private long cursor;
    private volatile long sent;
    private volatile long acked;
    private volatile boolean acknowledges;
    private volatile boolean started;
    private volatile boolean speaks;
    private volatile boolean dead;
    private volatile boolean saidGoodbye;
    private volatile boolean closeAnswered;
    private volatile Runnable onProgress = () -> {};

    /** A message, or a close, that stands between two bytes of the output. */
    private record Mark(long seq, String text, int closeCode, String reason) {}

    Viewer(Ring ring, Wire wire, boolean writer) {
        this.ring = ring;
        this.wire = wire;
        this.writer = writer;
    }

    boolean writer() {
        return writer;
    }

    boolean started() {
        return started;
    }

    /** True once the client used a control message, so that it understands ours. */
    boolean speaks() {
        return speaks;
    }

    void speaksControl() {
        speaks = true;
    }

    /** How much of the output the client has surely taken. */
    long taken() {
        return acknowledges ? acked : sent;
    }

    /** How much of the output is out of our hands. */
    long sent() {
        return sent;
    }

    boolean acknowledges() {
        return acknowledges;
    }

    void onProgress(Runnable action) {
        onProgress = action;
    }

    /** Output flows from {@code seq} on. */
    void start(long seq, boolean acks) {
        synchronized (marks) {
            cursor = seq;
            sent = seq;
            acked = seq;
            acknowledges = acks;
            started = true;
        }
    }

    void acknowledge(long seq) {
        long known = Math.min(seq, sent);
        if (known > acked) {
            acked = known;
            onProgress.run();
        }
    }

    /** Sends a message before the next byte. */
    void sayNow(String text) {
        mark(urgent, new Mark(0, text, 0, ""));
    }

    void closeNow(int code, String reason) {
        mark(urgent, new Mark(0, "", code, reason));
    }

    /** Sends a message when the output before {@code seq} is out. */
    void say(long seq, String text) {
        mark(marks, new Mark(seq, text, 0, ""));
    }

    /** Says the last words, if there are any, when the output before {@code seq} is out. */
    void close(long seq, String lastWords, int code, String reason) {
        mark(marks, new Mark(seq, lastWords, code, reason));
    }

    private void mark(Deque<Mark> queue, Mark mark) {
        synchronized (marks) {
            queue.add(mark);
        }
        pump();
    }

    /** The client answered our close, so it has read everything before it. */
    void closeAnswered() {
        closeAnswered = true;
    }

    /** True when the client surely knows how the program ended. */
    boolean heardTheEnd() {
        return saidGoodbye && closeAnswered;
    }

    void cut() {
        wire.cut();
    }

    /** Nothing more will be sent. */
    void abandon() {
        dead = true;
    }

    void pump() {
        if (work.getAndIncrement() == 0) {
            drain();
        }
    }

    private void drain() {
        int seen = work.get();
        while (true) {
            if (dead) {
                return;
            }
            Send next = next();
            if (next == null) {
                seen = work.addAndGet(-seen);
                if (seen == 0) {
                    return;
                }
            } else if (!sendNow(next)) {
                return;
            }
        }
    }

    private interface Send {
        void to(Wire wire, Wire.Sent sent);
    }

    // True when the wire took it during the call; else the callback goes on draining.
    private boolean sendNow(Send send) {
        phase.set(IDLE);
        send.to(wire, this::finished);
        return !phase.compareAndSet(IDLE, UNDER_WAY);
    }

    private void finished(boolean ok) {
        if (!ok) {
            dead = true;
        } else {
            sent = cursor;
            onProgress.run();
        }
        if (!phase.compareAndSet(IDLE, DONE_INSIDE_CALL)) {
            drain();
        }
    }

    private @Nullable Send next() {
        synchronized (marks) {
            Mark now = urgent.poll();
            if (now != null) {
                return say(now);
            }
            if (!started) {
                return null;
            }
            Mark mark = marks.peek();
            if (mark != null && mark.seq <= cursor) {
                saidGoodbye |= mark.closeCode != 0;
                return say(marks.remove());
            }
            return bytes(mark == null ? Long.MAX_VALUE : mark.seq);
        }
    }

    private Send say(Mark mark) {
        if (mark.closeCode == 0) {
            return (to, done) -> to.text(mark.text, done);
        }
        return (to, _) -> {
            dead = true;
            to.close(mark.text, mark.closeCode, mark.reason);
        };
    }

    private @Nullable Send bytes(long limit) {
        frame.clear().position(Wire.HEAD_ROOM);
        if (!ring.copy(cursor, (int) Math.min(limit - cursor, Limits.FRAME_BYTES), frame)) {
            return skipAhead();
        }
        frame.limit(frame.position()).position(Wire.HEAD_ROOM);
        if (!frame.hasRemaining()) {
            return null;
        }
        cursor += frame.remaining();
        return (to, done) -> to.binary(frame, done);
    }

    // Only a reader falls behind the ring: the writer's pace holds the program back.
    private Send skipAhead() {
        Ring.Beginning begin = ring.beginning();
        marks.removeIf(mark -> mark.seq < begin.seq() && mark.closeCode == 0);
        cursor = begin.seq();
        acked = cursor;
        return (to, done) -> to.text(Messages.skipped(begin), done);
    }
}

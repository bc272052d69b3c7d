package dev.tandem.hub.agent;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs what concerns one session strictly in order, on a virtual thread of its own. A reader that
 * brings more than the session can take is held back, and with it the agent that floods.
 */
final class SessionQueue {
    private static final Logger LOG = LoggerFactory.getLogger(SessionQueue.class);
    private static final int MAX_TASKS = 10_000;
    private static final long MAX_BYTES = AcpJson.MAX_LINE_BYTES;

    private record Task(Runnable work, long bytes) {}

    private final ArrayDeque<Task> tasks = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final String name;
    private long bytes;
    private boolean running;
    private boolean closed;

    SessionQueue(String name) {
        this.name = name;
    }

    void add(Runnable work, long weight) {
        lock.lock();
        try {
            while (!closed
                    && (tasks.size() >= MAX_TASKS || (bytes > 0 && bytes + weight > MAX_BYTES))) {
                room.awaitUninterruptibly();
            }
            tasks.addLast(new Task(work, weight));
            bytes += weight;
            if (!running) {
                running = true;
                Thread.ofVirtual().name(name).start(this::drain);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Holds nobody back any more; what is queued still runs. */
    void close() {
        lock.lock();
        try {
            closed = true;
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void drain() {
        for (Task task = take(null); task != null; task = take(task)) {
            try {
                task.work().run();
            } catch (RuntimeException | Error defect) {
                LOG.error("{} could not handle a message", name, defect);
            }
        }
    }

    private @Nullable Task take(@Nullable Task done) {
        lock.lock();
        try {
            if (done != null) {
                bytes -= done.bytes();
                room.signalAll();
            }
            Task next = tasks.pollFirst();
            if (next == null) {
                running = false;
            }
            return next;
        } finally {
            lock.unlock();
        }
    }
}

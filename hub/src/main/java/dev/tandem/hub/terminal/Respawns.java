package dev.tandem.hub.terminal;

import java.util.ArrayDeque;
import java.util.Deque;

/** How often the agent may be started again: not over and over. Thread-safe. */
final class Respawns {
    static final int MOST = 3;
    private static final long WITHIN_NANOS = 60_000_000_000L;

    private final Deque<Long> latest = new ArrayDeque<>();
    private boolean off;

    /** Counts one; false when there were too many, and only a person's wish allows another. */
    synchronized boolean another() {
        long now = System.nanoTime();
        latest.removeIf(at -> now - at > WITHIN_NANOS);
        off = latest.size() >= MOST;
        return !off && latest.add(now);
    }

    synchronized boolean off() {
        return off;
    }

    /** Starts counting anew; true when none was allowed before. */
    synchronized boolean forgive() {
        boolean was = off;
        off = false;
        if (was) {
            latest.clear();
        }
        return was;
    }
}

package dev.tandem.hub.terminal;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;

/** How often the agent may be started again: not over and over. Thread-safe. */
final class Respawns {
    static final int MOST = 3;

    private final Duration within;
    private final InstantSource clock;
    private final Deque<Long> latest = new ArrayDeque<>();
    private boolean off;

    Respawns(Duration within, InstantSource clock) {
        this.within = within;
        this.clock = clock;
    }

    Duration within() {
        return within;
    }

    /** Counts one; false when there were too many, and only a person's wish allows another. */
    synchronized boolean another() {
        long now = clock.millis();
        latest.removeIf(at -> now - at > within.toMillis());
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

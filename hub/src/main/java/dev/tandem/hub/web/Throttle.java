package dev.tandem.hub.web;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.time.Clock;
import java.util.ArrayDeque;

/**
 * Slows down callers that fail to prove themselves. Only failures count and only failing requests
 * are refused for it, so nobody can lock the user out by guessing.
 */
final class Throttle {
    static final int FAILURES = 60;

    /** Wrong tokens in a minute at a door that answers them politely. */
    static final int GUESSES = 10;

    private static final long WINDOW_MS = 60_000;

    private final Clock clock;
    private final int limit;
    private final ArrayDeque<Long> failures = new ArrayDeque<>();

    Throttle(Clock clock, int limit) {
        this.clock = clock;
        this.limit = limit;
    }

    /** Notes a failure; throws when there were too many of late. */
    synchronized void failed() {
        long now = clock.millis();
        while (!failures.isEmpty() && failures.peekFirst() < now - WINDOW_MS) {
            failures.pollFirst();
        }
        if (failures.size() >= limit) {
            throw TandemException.of(ErrorCode.RATE_LIMITED);
        }
        failures.addLast(now);
    }
}

package dev.tandem.hub.ops;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Set;

/** Counts what one client does wrong; only a client that keeps failing is slowed down. */
final class Failures {
    private static final Set<ErrorCode> ITS_OWN_FAULT =
            Set.of(ErrorCode.INVALID_REQUEST, ErrorCode.INVALID_SESSION, ErrorCode.NOT_OWNER);

    private final Clock clock;
    private final ArrayDeque<Long> times = new ArrayDeque<>();

    Failures(Clock clock) {
        this.clock = clock;
    }

    synchronized void note(TandemException failure) {
        if (ITS_OWN_FAULT.contains(failure.code())) {
            times.addLast(clock.millis());
        }
    }

    /** Throws while there were too many failures of late. */
    synchronized void check() {
        long window = Limits.of("httpRateWindowMs");
        long now = clock.millis();
        while (!times.isEmpty() && times.peekFirst() <= now - window) {
            times.pollFirst();
        }
        if (times.size() >= Limits.of("httpRateRequests")) {
            long wait = times.peekFirst() + window - now;
            throw new TandemException(
                            ErrorCode.OPS_UNAVAILABLE,
                            "Too many failing requests; wait " + wait + " ms.",
                            "rate_limited")
                    .with("retryAfterMs", Json.object().numberNode(wait));
        }
    }
}

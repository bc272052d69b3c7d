package dev.tandem.hub.ops;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.OpsClient;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Counts what each client does wrong; only a client that keeps failing is slowed down, on whichever
 * connection.
 */
final class Failures {
    private static final Set<ErrorCode> ITS_OWN_FAULT =
            Set.of(ErrorCode.INVALID_REQUEST, ErrorCode.INVALID_SESSION, ErrorCode.NOT_OWNER);

    private final Clock clock;
    private final Map<String, ArrayDeque<Long>> byClient = new HashMap<>();

    Failures(Clock clock) {
        this.clock = clock;
    }

    /** Who a client is: a token; the user's own is shared by programs, told apart by name. */
    static String who(OpsClient client) {
        return client.caller().kind() == TokenKind.HUB
                ? client.key() + " " + client.label()
                : client.key();
    }

    /** The same before its hello: a program of the user has no name yet, only its connection. */
    static String who(Caller caller) {
        return caller.kind() == TokenKind.HUB
                ? UUID.randomUUID().toString()
                : OpsClient.key(caller);
    }

    synchronized void note(String who, TandemException failure) {
        if (!ITS_OWN_FAULT.contains(failure.code())) {
            return;
        }
        long now = clock.millis();
        byClient.values().removeIf(times -> times.getLast() <= now - window());
        ArrayDeque<Long> times = byClient.computeIfAbsent(who, _ -> new ArrayDeque<>());
        times.addLast(now);
        if (times.size() > Limits.of("httpRateRequests")) {
            times.removeFirst();
        }
    }

    /** Throws while there were too many failures of late. */
    synchronized void check(String who) {
        ArrayDeque<Long> times = byClient.get(who);
        if (times == null || times.size() < Limits.of("httpRateRequests")) {
            return;
        }
        long wait = times.getFirst() + window() - clock.millis();
        if (wait > 0) {
            throw new TandemException(
                            ErrorCode.OPS_UNAVAILABLE,
                            "Too many failing requests; wait " + wait + " ms.",
                            "rate_limited")
                    .with("retryAfterMs", Json.object().numberNode(wait));
        }
    }

    private static long window() {
        return Limits.of("httpRateWindowMs");
    }
}

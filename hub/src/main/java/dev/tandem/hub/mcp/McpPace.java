package dev.tandem.hub.mcp;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.web.Exchange;
import dev.tandem.protocol.Limits;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * How fast one token may go: so many requests a minute, so many at once. The user's own token is
 * not slowed. Any thread may call it.
 */
final class McpPace {
    private static final double MINUTE_MS = 60_000;

    private final Clock clock;
    private final int perMinute = Limits.of("mcpCallsPerMinute");
    private final int atOnce = Limits.of("mcpCallsAtOnce");
    private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

    McpPace(Clock clock) {
        this.clock = clock;
    }

    /** A request that is being answered; closing it makes room for the next. */
    interface Turn extends AutoCloseable {
        @Override
        void close();
    }

    /** Lets a request in, or says when to come back; whoever pings must hear of us. */
    Turn enter(Caller caller, JsonNode message) {
        if (caller.kind() == TokenKind.HUB || McpMessages.isPing(message)) {
            return () -> {};
        }
        Bucket bucket = bucket(caller);
        bucket.take();
        return bucket::leave;
    }

    /**
     * Who sends each message of a batch that was let in: proven anew, and counted. The first was
     * counted when the batch came.
     */
    Supplier<McpMessages.From> each(McpMessages.From first, Exchange exchange) {
        AtomicBoolean counted = new AtomicBoolean(true);
        return () -> {
            McpMessages.From from = first.now(exchange);
            if (!counted.getAndSet(false) && from.caller().kind() != TokenKind.HUB) {
                bucket(from.caller()).count();
            }
            return from;
        };
    }

    private Bucket bucket(Caller caller) {
        return buckets.computeIfAbsent(
                caller.kind().word() + " " + caller.id(), key -> new Bucket());
    }

    private static McpException tooMuch(String what, long seconds) {
        return new McpException(429, McpException.INVALID, what).retryAfter(seconds);
    }

    private final class Bucket {
        private double left = perMinute;
        private long filledAt = clock.millis();
        private int running;

        private synchronized void take() {
            if (running >= atOnce) {
                throw tooMuch("This token has " + atOnce + " requests running.", 1);
            }
            count();
            running++;
        }

        private synchronized void count() {
            long now = clock.millis();
            left = Math.min(perMinute, left + (now - filledAt) * perMinute / MINUTE_MS);
            filledAt = now;
            if (left < 1) {
                long wait = (long) Math.ceil((1 - left) * MINUTE_MS / perMinute / 1000);
                throw tooMuch(
                        "This token sent more than " + perMinute + " requests in a minute.",
                        Math.max(1, wait));
            }
            left--;
        }

        private synchronized void leave() {
            running--;
        }
    }
}

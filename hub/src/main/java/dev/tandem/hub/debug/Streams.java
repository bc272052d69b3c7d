package dev.tandem.hub.debug;

import dev.tandem.hub.web.EventStream;
import dev.tandem.hub.web.Exchange;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** What the event streams of this package have in common. */
final class Streams {
    /** A silent stream says this often that it is there; it is also how a reader's end is found. */
    static final Duration HEARTBEAT = Duration.ofMillis(Limits.of("streamKeepAliveMs"));

    private Streams() {}

    /** Where a reader goes on: behind {@code Last-Event-ID}, else {@code after}, else at 0. */
    static long position(Exchange exchange) {
        return exchange.header("Last-Event-ID")
                .flatMap(Streams::number)
                .or(() -> exchange.query("after").flatMap(Streams::number))
                .orElse(0L);
    }

    static EventStream.Event event(long id, String name, ObjectNode data) {
        return new EventStream.Event(Long.toString(id), name, Json.write(data));
    }

    private static Optional<Long> number(String text) {
        return text.matches("\\d{1,18}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
    }
}

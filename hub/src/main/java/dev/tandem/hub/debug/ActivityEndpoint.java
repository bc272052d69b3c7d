package dev.tandem.hub.debug;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.web.EventStream;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /activity/*} and {@code /sse-session}: what happens in the browsers, as it happens. */
public final class ActivityEndpoint {
    private static final JsonNode NAMES = Json.resource("debug.json").path("events");
    private static final int HISTORY = 50;

    private final Ring ring;
    private final ViewTokens views;
    private final AtomicInteger subscribers = new AtomicInteger();

    public ActivityEndpoint(Activity activity, ViewTokens views, WebServer web) {
        this.ring = activity.ring();
        this.views = views;
        web.http("sse-session", this::session)
                .http("activity-stream", this::stream)
                .http("activity-history", this::history);
    }

    /** No cookie goes out: every program on this machine's other ports would be sent it too. */
    private void session(Exchange exchange) {
        ViewTokens.Minted minted = views.mint(exchange.caller());
        exchange.respond(
                200,
                Json.object().put("token", minted.token()).put("expiresAt", minted.expiresAt()));
    }

    private void stream(Exchange exchange) throws IOException {
        Caller viewer = viewer(exchange);
        long position = Streams.position(exchange);
        subscribers.incrementAndGet();
        try (EventStream stream = exchange.events()) {
            exchange.patient();
            while (!ring.closed() && views.viewer(exchange.caller()).isPresent()) {
                Ring.Batch batch = ring.after(position, Streams.HEARTBEAT);
                pass(stream, viewer, batch, position);
                position = batch.position();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            subscribers.decrementAndGet();
        }
    }

    private static void pass(EventStream stream, Caller viewer, Ring.Batch batch, long position)
            throws IOException {
        if (batch.lost().isPresent()) {
            ObjectNode gap = Json.object().put("gapFrom", position + 1);
            gap.put("availableFrom", batch.lost().get());
            stream.send("", NAMES.path("gap").asString(), Json.write(gap));
        }
        List<EventStream.Event> events =
                batch.entries().stream()
                        .filter(entry -> sees(viewer, entry))
                        .map(entry ->
                                Streams.event(
                                        entry.id(),
                                        NAMES.path("activity").asString(),
                                        entry.json()))
                        .toList();
        if (events.isEmpty()) {
            stream.comment("heartbeat");
        } else {
            stream.send(events);
        }
    }

    private void history(Exchange exchange) {
        Caller viewer = viewer(exchange);
        int limit =
                exchange.query("limit")
                        .filter(text -> text.matches("\\d{1,4}"))
                        .map(Integer::valueOf)
                        .orElse(HISTORY);
        List<ObjectNode> all =
                ring.all().stream()
                        .filter(entry -> sees(viewer, entry))
                        .map(Ring.Entry::json)
                        .toList();
        ObjectNode body = Json.object();
        ArrayNode entries = body.putArray("entries");
        all.subList(Math.max(0, all.size() - Math.max(1, limit)), all.size()).forEach(entries::add);
        body.put("totalAdded", ring.total());
        body.put("subscribers", subscribers.get());
        exchange.respond(200, body);
    }

    private Caller viewer(Exchange exchange) {
        Optional<Caller> viewer = views.viewer(exchange.caller());
        return viewer.orElseThrow(() -> TandemException.of(ErrorCode.UNAUTHORIZED));
    }

    /** A program sees what it did itself, a person everything. */
    private static boolean sees(Caller viewer, Ring.Entry entry) {
        return viewer.kind() != TokenKind.CLIENT
                || entry.owner().equals(viewer.kind().word() + ":" + viewer.id());
    }
}

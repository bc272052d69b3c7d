package dev.tandem.hub.mcp;

import dev.tandem.hub.browser.Watch;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** /mcp: takes a message, finds its era, answers; or takes a stream of them. */
public final class McpEndpoint {
    private final McpMessages messages;
    private final McpSessions sessions;
    private final McpLines lines;
    private final Clock clock;
    private final McpPace pace;

    public McpEndpoint(McpTools tools, McpSessions sessions, String version, Clock clock) {
        this.messages = new McpMessages(tools, version);
        this.sessions = sessions;
        this.clock = clock;
        this.pace = new McpPace(clock);
        this.lines = new McpLines(messages, pace);
    }

    /** Opens the door under the given routes. */
    public void at(WebServer web, String... routeIds) {
        web.face("mcp", new McpFace());
        for (String id : routeIds) {
            web.http(id, this::handle);
        }
    }

    private void handle(Exchange exchange) throws IOException {
        try {
            checkDoor(exchange);
            if (McpLines.wanted(exchange)) {
                lines.serve(exchange);
            } else {
                single(exchange);
            }
        } catch (McpException e) {
            if (e.retryAfterSeconds() > 0) {
                exchange.set("Retry-After", Long.toString(e.retryAfterSeconds()));
            }
            exchange.respond(e.status(), e.body(e.id()));
        }
    }

    private void single(Exchange exchange) throws IOException {
        if (exchange.method().equals("DELETE")) {
            delete(exchange);
            return;
        }
        JsonNode message = McpBody.read(exchange);
        if (isWord(message)) {
            post(exchange, message);
            return;
        }
        try (McpPace.Turn _ = pace.enter(exchange.caller(), message)) {
            post(exchange, message);
        }
    }

    /** What nobody answers is heard however much else runs: by such a word that is cancelled. */
    private static boolean isWord(JsonNode message) {
        return message.isObject() && !(message.has("id") && message.has("method"));
    }

    /** A session's token opens that session's address and no other. */
    private static void checkDoor(Exchange exchange) {
        String session = exchange.parameter("sessionId");
        if (!session.isEmpty()
                && !exchange.caller().session().filter(session::equals).isPresent()) {
            throw new McpException(404, McpException.INVALID, "This is another session's address.");
        }
    }

    private void delete(Exchange exchange) {
        Optional<String> id = exchange.header("Mcp-Session-Id");
        if (id.isEmpty()) {
            throw new McpException(400, McpException.INVALID, "The session id is missing.");
        }
        exchange.respond(sessions.end(id.get().strip(), clock.millis()) ? 204 : 404);
    }

    private void post(Exchange exchange, JsonNode message) throws IOException {
        if (message instanceof ArrayNode batch) {
            batch(exchange, batch);
            return;
        }
        try {
            one(exchange, message);
        } catch (McpException e) {
            exchange.respond(e.status(), e.body(McpSessions.id(message)));
        }
    }

    private void one(Exchange exchange, JsonNode message) throws IOException {
        McpBody.checkShape(message);
        if (!message.has("method")) {
            exchange.respond(202);
            return;
        }
        boolean notification = !message.has("id");
        if (!notification) {
            var _ = McpMessages.idOf(message);
        }
        Era era = Era.of(exchange, message);
        if (era == Era.LEGACY) {
            checkSession(exchange);
        }
        if (notification) {
            messages.notified(from(exchange), message);
            exchange.respond(202);
            return;
        }
        if (era == Era.MODERN) {
            Era.checkModern(exchange, message);
        }
        request(exchange, era, message);
    }

    private void request(Exchange exchange, Era era, JsonNode message) throws IOException {
        McpMessages.From from = from(exchange);
        if (McpMessages.isCall(message)) {
            McpMessages.checkCall(message);
            new McpAnswer(exchange, era, message)
                    .write(watch -> messages.call(from, era, message, watch));
            return;
        }
        ObjectNode answer = messages.answer(from, era, message);
        if (message.path("method").asString("").equals("initialize")) {
            String version = answer.path("result").path("protocolVersion").asString("");
            exchange.set("Mcp-Session-Id", sessions.begin(version, clock.millis()));
        }
        exchange.respond(200, answer);
    }

    /** Requests of one session, or of one token without a session, share their numbers. */
    private static McpMessages.From from(Exchange exchange) {
        return new McpMessages.From(
                exchange.caller(),
                exchange.ends(),
                exchange.header("Mcp-Session-Id").orElse(""),
                exchange.header("traceparent"));
    }

    private void batch(Exchange exchange, ArrayNode batch) {
        boolean allowed =
                exchange.header("Mcp-Session-Id")
                        .map(String::strip)
                        .flatMap(sessions::version)
                        .filter(Era.BATCH_VERSION::equals)
                        .isPresent();
        if (!allowed || batch.isEmpty()) {
            throw Era.noBatches();
        }
        ArrayNode answers =
                messages.batch(
                        pace.each(from(exchange), exchange),
                        // whoever hangs up in this era still wants it done
                        (from, call) -> messages.call(from, Era.LEGACY, call, Watch.nobody()),
                        batch);
        if (answers.isEmpty()) {
            exchange.respond(202);
        } else {
            exchange.respond(200, answers);
        }
    }

    private void checkSession(Exchange exchange) {
        Optional<String> id = exchange.header("Mcp-Session-Id").map(String::strip);
        if (id.isPresent() && sessions.version(id.get()).isEmpty()) {
            throw new McpException(
                    404, McpException.INVALID, "This session has ended. Initialize again.");
        }
    }
}

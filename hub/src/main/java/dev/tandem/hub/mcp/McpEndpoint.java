package dev.tandem.hub.mcp;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.browser.Watch;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** /mcp: takes a message, finds its era, answers. */
public final class McpEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(McpEndpoint.class);
    private static final String BATCH_VERSION = "2025-03-26";
    private static final Pattern TRACE =
            Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}");

    private final McpTools tools;
    private final McpSessions sessions;
    private final String version;
    private final Clock clock;
    private final McpPace pace;
    private final Map<String, Watch> running = new ConcurrentHashMap<>();

    public McpEndpoint(McpTools tools, McpSessions sessions, String version, Clock clock) {
        this.tools = tools;
        this.sessions = sessions;
        this.version = version;
        this.clock = clock;
        this.pace = new McpPace(clock);
    }

    /** Opens the door under the given routes. */
    public void at(WebServer web, String... routeIds) {
        web.face("mcp", new McpFace());
        for (String id : routeIds) {
            web.http(id, this::handle);
        }
    }

    private void handle(Exchange exchange) throws IOException {
        try (McpPace.Turn _ = pace.enter(exchange.caller())) {
            checkDoor(exchange);
            if (exchange.method().equals("DELETE")) {
                delete(exchange);
            } else {
                post(exchange);
            }
        } catch (McpException e) {
            if (e.retryAfterSeconds() > 0) {
                exchange.set("Retry-After", Long.toString(e.retryAfterSeconds()));
            }
            exchange.respond(e.status(), e.body(Optional.empty()));
        }
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

    private void post(Exchange exchange) throws IOException {
        JsonNode message = McpBody.read(exchange);
        if (message instanceof ArrayNode batch) {
            batch(exchange, batch);
            return;
        }
        McpBody.checkShape(message);
        if (!message.has("method")) {
            exchange.respond(202);
            return;
        }
        boolean notification = !message.has("id");
        Optional<JsonNode> id = McpSessions.id(message);
        if (!notification && id.isEmpty()) {
            throw new McpException(
                    400, McpException.INVALID, "The id must be a string or an integer.");
        }
        try {
            Era era = Era.of(exchange, message);
            if (era == Era.LEGACY) {
                checkSession(exchange);
            }
            if (notification) {
                notified(exchange, message);
                exchange.respond(202);
                return;
            }
            if (era == Era.MODERN) {
                Era.checkModern(exchange, message);
            }
            request(exchange, era, message, id.orElseThrow());
        } catch (McpException e) {
            exchange.respond(e.status(), e.body(id));
        }
    }

    private void request(Exchange exchange, Era era, JsonNode message, JsonNode id)
            throws IOException {
        String method = message.path("method").asString("");
        if (method.equals("tools/call")) {
            call(exchange, era, message, id);
            return;
        }
        ObjectNode result =
                era == Era.MODERN
                        ? modern(exchange.caller(), method)
                        : legacy(exchange, method, message.path("params"));
        exchange.respond(200, response(id, result));
    }

    private ObjectNode legacy(Exchange exchange, String method, JsonNode params) {
        return switch (method) {
            case "initialize" -> initialize(exchange, params);
            case "ping" -> Json.object();
            case "tools/list" -> {
                ObjectNode result = Json.object();
                result.set("tools", tools.list(exchange.caller()));
                yield result;
            }
            default ->
                    throw new McpException(
                            200, McpException.NO_METHOD, "Method not found: " + method);
        };
    }

    private ObjectNode initialize(Exchange exchange, JsonNode params) {
        String asked = params.path("protocolVersion").asString("");
        String chosen = Era.LEGACY_VERSIONS.contains(asked) ? asked : Era.LATEST_LEGACY;
        ObjectNode result = Json.object().put("protocolVersion", chosen);
        result.putObject("capabilities").putObject("tools").put("listChanged", false);
        result.set("serverInfo", serverInfo());
        result.put("instructions", tools.instructions());
        exchange.set("Mcp-Session-Id", sessions.begin(chosen, clock.millis()));
        return result;
    }

    private ObjectNode modern(Caller caller, String method) {
        ObjectNode result = Json.object().put("resultType", "complete");
        switch (method) {
            case "server/discover" -> {
                result.putArray("supportedVersions").add(Era.MODERN_VERSION);
                result.putObject("capabilities").putObject("tools");
                result.put("instructions", tools.instructions());
                result.put("ttlMs", 3_600_000);
            }
            case "tools/list" -> {
                result.set("tools", tools.list(caller));
                result.put("ttlMs", tools.ttlMs(caller));
            }
            default ->
                    throw new McpException(
                            404, McpException.NO_METHOD, "Method not found: " + method);
        }
        result.put("cacheScope", "private");
        return signed(result);
    }

    private void call(Exchange exchange, Era era, JsonNode message, JsonNode id)
            throws IOException {
        JsonNode params = message.path("params");
        String name = params.path("name").asString("");
        if (name.isEmpty()) {
            throw new McpException(200, McpException.BAD_PARAMS, "params.name must name a tool.");
        }
        Optional<JsonNode> token = Optional.ofNullable(params.path("_meta").get("progressToken"));
        McpAnswer answer = new McpAnswer(exchange, era, token);
        String key = key(exchange, id);
        running.put(key, answer.watch());
        JsonNode capabilities = params.path("_meta").path(Era.META + "clientCapabilities");
        Caller caller = exchange.caller();
        trace(exchange, params).ifPresent(id32 -> LOG.info("{} called, trace {}", name, id32));
        McpTools.Call call =
                new McpTools.Call(
                        name,
                        params.path("arguments").isMissingNode()
                                ? Json.object()
                                : params.path("arguments"),
                        caller,
                        capabilities,
                        exchange.ends(),
                        answer.watch());
        answer.write(watch -> {
            try {
                return outcome(call, era, id);
            } finally {
                running.remove(key, watch);
            }
        });
    }

    /** The caller's own number for what it does, so that logs can be put side by side. */
    private static Optional<String> trace(Exchange exchange, JsonNode params) {
        return Json.text(params.path("_meta"), "traceparent")
                .or(() -> exchange.header("traceparent"))
                .map(TRACE::matcher)
                .filter(Matcher::matches)
                .map(found -> found.group(1));
    }

    private McpAnswer.Reply outcome(McpTools.Call call, Era era, JsonNode id) {
        try {
            Optional<ObjectNode> result = tools.call(call);
            if (result.isEmpty()) {
                throw new McpException(
                        200, McpException.BAD_PARAMS, "Unknown tool: " + call.name());
            }
            ObjectNode complete = Json.object();
            if (era == Era.MODERN) {
                complete.put("resultType", "complete");
            }
            result.get().properties().forEach(e -> complete.set(e.getKey(), e.getValue()));
            return new McpAnswer.Reply(
                    200, response(id, era == Era.MODERN ? signed(complete) : complete));
        } catch (McpException e) {
            return new McpAnswer.Reply(
                    era == Era.MODERN ? e.status() : 200, e.body(Optional.of(id)));
        } catch (RuntimeException e) {
            LOG.error("{} failed", call.name(), e);
            McpException failure =
                    new McpException(200, McpException.INTERNAL, "The hub failed; see its log.");
            return new McpAnswer.Reply(200, failure.body(Optional.of(id)));
        }
    }

    private void notified(Exchange exchange, JsonNode message) {
        if (message.path("method").asString("").equals("notifications/cancelled")) {
            JsonNode id = message.path("params").path("requestId");
            Watch watch = running.get(key(exchange, id));
            if (watch != null) {
                watch.cancel();
            }
        }
    }

    /** Requests of one session, or of one token without a session, share their numbers. */
    private static String key(Exchange exchange, JsonNode id) {
        String session = exchange.header("Mcp-Session-Id").orElse("");
        return exchange.caller().kind()
                + " "
                + exchange.caller().id()
                + " "
                + session
                + " "
                + Json.write(id);
    }

    private void batch(Exchange exchange, ArrayNode batch) {
        boolean allowed =
                exchange.header("Mcp-Session-Id")
                        .map(String::strip)
                        .flatMap(sessions::version)
                        .filter(BATCH_VERSION::equals)
                        .isPresent();
        if (!allowed || batch.isEmpty()) {
            throw new McpException(400, McpException.INVALID, "Batches are not taken here.");
        }
        ArrayNode answers = Json.array();
        for (JsonNode message : batch) {
            McpBody.checkShape(message);
            Optional<JsonNode> id = McpSessions.id(message);
            if (message.has("method") && id.isPresent()) {
                answers.add(batched(exchange, message, id.get()));
            } else if (message.has("method")) {
                notified(exchange, message);
            }
        }
        if (answers.isEmpty()) {
            exchange.respond(202);
        } else {
            exchange.respond(200, answers);
        }
    }

    private ObjectNode batched(Exchange exchange, JsonNode message, JsonNode id) {
        String method = message.path("method").asString("");
        JsonNode params = message.path("params");
        try {
            if (method.equals("tools/call")) {
                return outcome(
                                new McpTools.Call(
                                        params.path("name").asString(""),
                                        params.path("arguments"),
                                        exchange.caller(),
                                        Json.object(),
                                        exchange.ends(),
                                        Watch.nobody()),
                                Era.LEGACY,
                                id)
                        .body();
            }
            return response(id, legacy(exchange, method, params));
        } catch (McpException e) {
            return e.body(Optional.of(id));
        }
    }

    private void checkSession(Exchange exchange) {
        Optional<String> id = exchange.header("Mcp-Session-Id").map(String::strip);
        if (id.isPresent() && sessions.version(id.get()).isEmpty()) {
            throw new McpException(
                    404, McpException.INVALID, "This session has ended. Initialize again.");
        }
    }

    private static ObjectNode response(JsonNode id, ObjectNode result) {
        ObjectNode body = Json.object().put("jsonrpc", "2.0");
        body.set("id", id);
        body.set("result", result);
        return body;
    }

    private ObjectNode signed(ObjectNode result) {
        result.withObjectProperty("_meta").set(Era.META + "serverInfo", serverInfo());
        return result;
    }

    private ObjectNode serverInfo() {
        return Json.object()
                .put("name", "tandem")
                .put("title", "Tandem browser")
                .put("version", version);
    }
}

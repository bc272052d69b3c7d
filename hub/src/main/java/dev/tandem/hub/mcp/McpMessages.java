package dev.tandem.hub.mcp;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TcpEnds;
import dev.tandem.hub.browser.Watch;
import dev.tandem.hub.web.Exchange;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What messages mean and what is answered, whatever carries them; knows which calls run. Any thread
 * may call it.
 */
final class McpMessages {
    private static final Logger LOG = LoggerFactory.getLogger(McpMessages.class);
    private static final Pattern TRACE =
            Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}");

    private final McpTools tools;
    private final String version;
    private final Map<String, Watch> running = new ConcurrentHashMap<>();

    McpMessages(McpTools tools, String version) {
        this.tools = tools;
        this.version = version;
    }

    /**
     * Who sent a message, and how it came.
     *
     * @param talk what its requests share their numbers with
     * @param trace the caller's own number for what it does, where the carrier has one
     */
    record From(Caller caller, TcpEnds ends, String talk, Optional<String> trace) {
        /** The same, as its token proves it by now; refused where that has ended. */
        From now(Exchange exchange) {
            try {
                return new From(exchange.provenNow(), ends, talk, trace);
            } catch (TandemException e) {
                throw new McpException(
                        e.code().http(), McpException.INVALID, e.message() + " " + e.hint());
            }
        }

        private String key(JsonNode id) {
            return caller.kind() + " " + caller.id() + " " + talk + " " + Json.write(id);
        }
    }

    /** An answer, with the status it has over HTTP. */
    record Reply(int status, ObjectNode body) {}

    /** Whether a message is a request that may take long. */
    static boolean isCall(JsonNode message) {
        return message.path("method").asString("").equals("tools/call");
    }

    /** Whether somebody only wants to know that we are there. */
    static boolean isPing(JsonNode message) {
        return message.path("method").asString("").equals("ping");
    }

    /** The id of a request; refused where it can be none. */
    static JsonNode idOf(JsonNode message) {
        return McpSessions.id(message)
                .orElseThrow(() ->
                        new McpException(
                                400,
                                McpException.INVALID,
                                "The id must be a string or an integer."));
    }

    /** The answer to a request that is no call. */
    ObjectNode answer(From from, Era era, JsonNode message) {
        String method = message.path("method").asString("");
        ObjectNode result =
                era == Era.MODERN
                        ? modern(from.caller(), method)
                        : legacy(from.caller(), method, message.path("params"));
        return response(idOf(message), result);
    }

    private ObjectNode legacy(Caller caller, String method, JsonNode params) {
        return switch (method) {
            case "initialize" -> initialize(params);
            case "ping" -> Json.object();
            case "tools/list" -> {
                ObjectNode result = Json.object();
                result.set("tools", tools.list(caller));
                yield result;
            }
            default ->
                    throw new McpException(
                            200, McpException.NO_METHOD, "Method not found: " + method);
        };
    }

    private ObjectNode initialize(JsonNode params) {
        String asked = params.path("protocolVersion").asString("");
        String chosen = Era.LEGACY_VERSIONS.contains(asked) ? asked : Era.LATEST_LEGACY;
        ObjectNode result = Json.object().put("protocolVersion", chosen);
        result.putObject("capabilities").putObject("tools").put("listChanged", false);
        result.set("serverInfo", serverInfo());
        result.put("instructions", tools.instructions());
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

    /** A call that can be cancelled by its id until this is closed. */
    interface Running extends AutoCloseable {
        @Override
        void close();
    }

    /** Makes a call known before it is run, where what cancels it can follow at once. */
    Running begin(From from, JsonNode message, Watch watch) {
        String key = from.key(idOf(message));
        running.put(key, watch);
        return () -> running.remove(key, watch);
    }

    /** Runs a call to its end; until then it can be cancelled by its id. */
    Reply call(From from, Era era, JsonNode message, Watch watch) {
        try (Running _ = begin(from, message, watch)) {
            return outcome(call(from, message.path("params"), watch), era, idOf(message));
        }
    }

    /** Refuses a call that names nothing; before it runs, as the status must follow. */
    static void checkCall(JsonNode message) {
        if (message.path("params").path("name").asString("").isEmpty()) {
            throw new McpException(200, McpException.BAD_PARAMS, "params.name must name a tool.");
        }
    }

    private static McpTools.Call call(From from, JsonNode params, Watch watch) {
        String name = params.path("name").asString("");
        JsonNode meta = params.path("_meta");
        Json.text(meta, "traceparent")
                .or(from::trace)
                .map(TRACE::matcher)
                .filter(Matcher::matches)
                .ifPresent(found -> LOG.info("{} called, trace {}", name, found.group(1)));
        JsonNode arguments = params.path("arguments");
        return new McpTools.Call(
                name,
                arguments.isMissingNode() ? Json.object() : arguments,
                from.caller(),
                meta.path(Era.META + "clientCapabilities"),
                from.ends(),
                watch);
    }

    private Reply outcome(McpTools.Call call, Era era, JsonNode id) {
        try {
            ObjectNode result =
                    tools.call(call)
                            .orElseThrow(() ->
                                    new McpException(
                                            200,
                                            McpException.BAD_PARAMS,
                                            "Unknown tool: " + call.name()));
            ObjectNode complete = Json.object();
            if (era == Era.MODERN) {
                complete.put("resultType", "complete");
            }
            result.properties().forEach(e -> complete.set(e.getKey(), e.getValue()));
            return new Reply(200, response(id, era == Era.MODERN ? signed(complete) : complete));
        } catch (McpException e) {
            return new Reply(era == Era.MODERN ? e.status() : 200, e.body(Optional.of(id)));
        } catch (RuntimeException e) {
            LOG.error("{} failed", call.name(), e);
            McpException failure =
                    new McpException(200, McpException.INTERNAL, "The hub failed; see its log.");
            return new Reply(200, failure.body(Optional.of(id)));
        }
    }

    void notified(From from, JsonNode message) {
        if (message.path("method").asString("").equals("notifications/cancelled")) {
            Watch watch = running.get(from.key(message.path("params").path("requestId")));
            if (watch != null) {
                watch.cancel();
            }
        }
    }

    /**
     * Several messages in one, one after another; empty where none of them wants an answer.
     *
     * @param sender asked before each: by then it may have lost its right, or come too often
     * @param call runs one that may take long
     */
    ArrayNode batch(
            Supplier<From> sender, BiFunction<From, JsonNode, Reply> call, ArrayNode batch) {
        for (JsonNode message : batch) {
            McpBody.checkShape(message);
            if (message.has("method") && message.has("id")) {
                var _ = idOf(message);
            }
        }
        ArrayNode answers = Json.array();
        for (JsonNode message : batch) {
            if (message.has("method") && message.has("id")) {
                answers.add(batched(sender, call, message));
            } else if (message.has("method")) {
                notified(sender.get(), message);
            }
        }
        return answers;
    }

    private ObjectNode batched(
            Supplier<From> sender, BiFunction<From, JsonNode, Reply> call, JsonNode message) {
        try {
            From from = sender.get();
            return isCall(message)
                    ? call.apply(from, message).body()
                    : answer(from, Era.LEGACY, message);
        } catch (McpException e) {
            return e.body(McpSessions.id(message));
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

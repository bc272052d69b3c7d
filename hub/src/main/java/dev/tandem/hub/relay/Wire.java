package dev.tandem.hub.relay;

import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.sessions.StartFailed;
import dev.tandem.hub.web.Socket;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes messages to one socket in its dialect. Any thread may call it. */
final class Wire {
    /** Reasons that are codes of this door. */
    private static final Set<String> OWN = Set.of("agent_not_found", "already_resolved", "busy");

    private final Socket socket;
    private volatile boolean compat;

    Wire(Socket socket) {
        this.socket = socket;
        this.compat = !socket.upgrade().subprotocol().equals("tandem.v1");
    }

    void dialect(String word) {
        compat = !word.equals("tandem");
    }

    boolean compat() {
        return compat;
    }

    String dialect() {
        return compat ? "compat" : "tandem";
    }

    Socket socket() {
        return socket;
    }

    static ObjectNode message(String type) {
        return Json.object().put("type", type);
    }

    static ObjectNode about(String type, String sessionId) {
        return message(type).put("sessionId", sessionId);
    }

    /** Takes over a field where it is there, under that name. */
    static void copy(ObjectNode from, String name, ObjectNode to, String as) {
        if (from.has(name)) {
            to.set(as, from.get(name));
        }
    }

    static String required(JsonNode message, String field) {
        return Json.text(message, field)
                .filter(text -> !text.isBlank())
                .orElseThrow(() ->
                        new TandemException(
                                ErrorCode.BAD_REQUEST, "Error: " + field + " is missing"));
    }

    /** Sends; clients of the older form find the same fields under {@code payload}, too. */
    void send(ObjectNode message) {
        if (compat) {
            ObjectNode payload = message.deepCopy();
            payload.remove("type");
            payload.remove("id");
            older(payload);
            message.set("payload", payload);
        }
        sendPlain(message);
    }

    /** Sends as it is, in every dialect. */
    void sendPlain(ObjectNode message) {
        socket.send(Json.write(message));
    }

    private static void older(ObjectNode payload) {
        for (JsonNode item : payload.path("items")) {
            if (item instanceof ObjectNode file
                    && Json.text(file, "type").filter("directory"::equals).isPresent()) {
                file.put("type", "dir");
            }
        }
    }

    /** Answers a request: the message carries the id that its sender chose. */
    void reply(JsonNode request, ObjectNode message) {
        JsonNode id = request.path("id");
        if (id.isString() || id.isNumber()) {
            message.set("id", id);
        }
        send(message);
    }

    void error(JsonNode request, String code, String text) {
        ObjectNode error = message("error").put("code", code).put("message", text);
        Json.text(request, "sessionId").ifPresent(session -> error.put("sessionId", session));
        reply(request, error.put("retryable", false));
    }

    void error(JsonNode request, RuntimeException problem) {
        ObjectNode error = message("error");
        switch (problem) {
            case TandemException known -> {
                error.put("code", code(known)).put("message", known.message());
                told(error, known.retryable(), known.details());
            }
            case Refused refused -> {
                error.put("code", refused.code()).put("message", refused.getMessage());
                error.put("retryable", false);
            }
            case StartFailed failed -> {
                error.put("code", failed.code()).put("message", failed.getMessage());
                told(error, failed.retryable(), failed.details());
            }
            case AgentException agent -> {
                error.put("code", agent.code()).put("message", agent.getMessage());
                told(error, agent.retryable(), agent.details());
            }
            default -> {
                error.put("code", "internal")
                        .put(
                                "message",
                                "Error: the hub failed at this; its log says why. Try again.");
                error.put("retryable", false);
            }
        }
        Json.text(request, "sessionId").ifPresent(session -> error.put("sessionId", session));
        reply(request, error);
    }

    private static void told(ObjectNode error, boolean retryable, ObjectNode details) {
        error.put("retryable", retryable);
        if (!details.isEmpty()) {
            error.set("details", details);
        }
    }

    private static String code(TandemException problem) {
        Optional<String> own = problem.reason().filter(OWN::contains);
        if (own.isPresent()) {
            return own.get();
        }
        if (problem.code() == ErrorCode.NOT_FOUND && problem.message().startsWith("Session ")) {
            return "unknown_session";
        }
        return switch (problem.code()) {
            case BAD_REQUEST, BAD_JSON -> "bad_message";
            case PAYLOAD_TOO_LARGE -> "too_large";
            default -> problem.code().code();
        };
    }
}

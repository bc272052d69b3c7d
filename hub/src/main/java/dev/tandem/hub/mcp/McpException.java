package dev.tandem.hub.mcp;

import dev.tandem.protocol.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A JSON-RPC error with the HTTP status it travels under. */
final class McpException extends RuntimeException {
    static final int PARSE = -32700;
    static final int INVALID = -32600;
    static final int NO_METHOD = -32601;
    static final int BAD_PARAMS = -32602;
    static final int INTERNAL = -32603;
    static final int HEADER_MISMATCH = -32020;
    static final int UNSUPPORTED_VERSION = -32022;

    private static final long serialVersionUID = 1L;

    private final int status;
    private final int code;
    private final transient Optional<ObjectNode> data;
    private long retryAfterSeconds;
    private transient Optional<JsonNode> id = Optional.empty();

    McpException(int status, int code, String message) {
        this(status, code, message, Optional.empty());
    }

    McpException(int status, int code, String message, Optional<ObjectNode> data) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.data = data;
    }

    McpException retryAfter(long seconds) {
        retryAfterSeconds = seconds;
        return this;
    }

    /** Says which request it is about, where that is known. */
    McpException about(Optional<JsonNode> known) {
        id = known;
        return this;
    }

    Optional<JsonNode> id() {
        return id;
    }

    /** When to come back; zero where that helps nothing. */
    long retryAfterSeconds() {
        return retryAfterSeconds;
    }

    int status() {
        return status;
    }

    /** The error body; without an id when the request's could not be read. */
    ObjectNode body(Optional<JsonNode> id) {
        ObjectNode body = Json.object().put("jsonrpc", "2.0");
        id.ifPresent(value -> body.set("id", value));
        ObjectNode error = body.putObject("error");
        error.put("code", code);
        error.put("message", String.valueOf(getMessage()));
        data.ifPresent(value -> error.set("data", value));
        return body;
    }
}

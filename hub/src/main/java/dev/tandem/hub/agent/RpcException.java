package dev.tandem.hub.agent;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A JSON-RPC error object, ours or the agent's. */
final class RpcException extends RuntimeException {
    static final int INVALID_REQUEST = -32600;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INVALID_PARAMS = -32602;
    static final int INTERNAL = -32603;
    static final int AUTH_REQUIRED = -32000;
    static final int NOT_FOUND = -32002;
    static final int CANCELLED = -32800;

    private final int code;
    private final transient @Nullable JsonNode data;

    RpcException(int code, String message) {
        this(code, message, null);
    }

    RpcException(int code, String message, @Nullable JsonNode data) {
        super(message);
        this.code = code;
        this.data = data;
    }

    static RpcException from(JsonNode error) {
        String message = AcpJson.text(error, "message");
        return new RpcException(
                error.path("code").asInt(INTERNAL),
                message.isEmpty() ? "The agent reported an error without a message." : message,
                error.get("data"));
    }

    int code() {
        return code;
    }

    String message() {
        return String.valueOf(getMessage());
    }

    /** The message, and what the error's data adds to it: "Internal error" alone helps nobody. */
    String explained() {
        String more =
                data == null
                        ? ""
                        : data.isString()
                                ? data.stringValue()
                                : Stream.of("details", "message", "reason")
                                        .map(name -> AcpJson.text(data, name))
                                        .filter(text -> !text.isEmpty())
                                        .findFirst()
                                        .orElse("");
        return more.isEmpty() || message().contains(more) ? message() : message() + ": " + more;
    }

    ObjectNode toJson() {
        ObjectNode error = AcpJson.object().put("code", code).put("message", message());
        if (data != null) {
            error.set("data", data);
        }
        return error;
    }
}

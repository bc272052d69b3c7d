package dev.tandem.hub.annotation;

import dev.tandem.protocol.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An annotation that did not end well, with a code of the annotation wire. */
public final class AnnotationException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String code;
    private final boolean byUser;

    public AnnotationException(String code, String message) {
        this(code, message, false);
    }

    private AnnotationException(String code, String message, boolean byUser) {
        super(message);
        this.code = code;
        this.byUser = byUser;
    }

    static AnnotationException from(JsonNode payload) {
        JsonNode error = payload.path("error");
        boolean cancelled = payload.path("status").asString("").equals("cancelled");
        return new AnnotationException(
                cancelled ? "cancelled" : error.path("code").asString("unknown"),
                error.path("message").asString("The annotation failed."),
                error.path("byUser").asBoolean(false));
    }

    public String code() {
        return code;
    }

    /** Whether the person said no, and not the page, the browser or the one who asked. */
    boolean byUser() {
        return byUser;
    }

    public String text() {
        return String.valueOf(getMessage());
    }

    /** The answer on the wire. */
    ObjectNode answer(String requestId) {
        ObjectNode payload = Json.object().put("version", 1).put("requestId", requestId);
        payload.put("status", code.equals("cancelled") ? "cancelled" : "error");
        payload.putObject("error").put("code", code).put("message", text());
        return payload;
    }
}

package dev.tandem.hub.sessions;

import dev.tandem.protocol.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A session whose agent did not become ready; the code is the word that clients see. */
public final class StartFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;
    private final transient JsonNode failure;

    /**
     * @param failure what {@link Turn#details} said of it; missing where nothing is known
     */
    StartFailed(String code, String message, JsonNode failure) {
        super(message);
        this.code = code;
        this.failure = failure;
    }

    public String code() {
        return code;
    }

    public boolean retryable() {
        return failure.path("retryable").asBoolean(false);
    }

    /** The agent's JSON-RPC error under {@code rpc}, an exit code, the last error output. */
    public ObjectNode details() {
        return failure.path("details") instanceof ObjectNode known ? known : Json.object();
    }
}

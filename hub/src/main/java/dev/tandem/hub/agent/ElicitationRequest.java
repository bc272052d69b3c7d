package dev.tandem.hub.agent;

import tools.jackson.databind.node.ObjectNode;

/**
 * An agent asks the user for input.
 *
 * @param requestId ours, unique in this hub
 * @param params the agent's own: {@code message, mode, requestedSchema | url, elicitationId, …}
 */
public record ElicitationRequest(String requestId, ObjectNode params) {
    public boolean isUrl() {
        return AcpJson.text(params, "mode").equals("url");
    }
}

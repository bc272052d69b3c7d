package dev.tandem.hub.agent;

import tools.jackson.databind.node.ObjectNode;

/**
 * The agent wants the hub to touch a file or run a command for it.
 *
 * @param requestId ours, unique in this hub
 * @param permission the desk's name: {@code file:read}, {@code file:write}, {@code bash:git status}
 * @param target the real path, or the whole command line, for the card
 * @param params the agent's own
 */
public record AccessRequest(
        String requestId, String permission, String target, ObjectNode params) {}

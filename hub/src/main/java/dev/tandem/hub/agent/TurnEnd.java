package dev.tandem.hub.agent;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a turn ended.
 *
 * @param stopReason the agent's word, unknown ones included; {@code cancelled} when forced
 * @param forced the agent ignored the cancel and the hub ended the turn without it
 * @param result the agent's whole answer, empty when forced
 * @param openToolCalls ids of tool calls that never came to an end
 */
public record TurnEnd(
        String stopReason, boolean forced, ObjectNode result, List<String> openToolCalls) {}

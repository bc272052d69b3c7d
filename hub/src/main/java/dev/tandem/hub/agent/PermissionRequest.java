package dev.tandem.hub.agent;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An agent's question, as it came.
 *
 * @param requestId ours, unique in this hub
 * @param toolCall what it is about; may lack everything but its id
 * @param options in the agent's order and with its words
 */
public record PermissionRequest(String requestId, ObjectNode toolCall, ArrayNode options) {
    /** The first option of that kind: the only way for a rule to answer. */
    public Optional<PermissionAnswer> firstOfKind(String kind) {
        for (JsonNode option : options) {
            if (AcpJson.text(option, "kind").equals(kind)) {
                return Optional.of(PermissionAnswer.selected(AcpJson.text(option, "optionId")));
            }
        }
        return Optional.empty();
    }

    boolean offers(String optionId) {
        for (JsonNode option : options) {
            if (AcpJson.text(option, "optionId").equals(optionId)) {
                return true;
            }
        }
        return false;
    }
}

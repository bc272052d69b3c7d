package dev.tandem.hub.relay;

import dev.tandem.protocol.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A card as clients of /ws get it: our own words, and the tool call in the agent's. */
final class PermissionCards {
    private PermissionCards() {}

    static ObjectNode request(
            RelayEndpoint.Parts parts, String sessionId, ObjectNode message, JsonNode card) {
        message.setAll((ObjectNode) card.deepCopy());
        for (JsonNode option : message.path("options")) {
            ((ObjectNode) option)
                    .put("id", text(option, "optionId"))
                    .put("label", text(option, "name"));
        }
        message.set("toolCall", toolCall(parts, sessionId, card));
        return message.put("preview", text(card, "argsPreview"));
    }

    private static ObjectNode toolCall(RelayEndpoint.Parts parts, String sessionId, JsonNode card) {
        Optional<ObjectNode> given = parts.engine().askedFor(sessionId, text(card, "requestId"));
        if (given.isPresent() && text(card, "toolName").isEmpty()) {
            return given.get();
        }
        // What a tool of ours does is never told in an agent's words, whoever draws the card.
        return given.orElseGet(() -> Json.object().put("toolCallId", text(card, "toolCallId")))
                .put("title", text(card, "summary"));
    }

    private static String text(JsonNode node, String field) {
        return Json.text(node, field).orElse("");
    }
}

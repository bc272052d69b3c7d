package dev.tandem.hub.agent;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tool calls of a session, each built from whatever named it first: {@code tool_call}, {@code
 * tool_call_update} or a permission request. Not for several threads at once.
 */
public final class ToolCards {
    private static final Set<String> FINAL = Set.of("completed", "failed", "cancelled");
    private static final int KEPT = 2_000;

    private final Map<String, ObjectNode> cards =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, ObjectNode> eldest) {
                    return size() > KEPT;
                }
            };

    /** Takes in one such object; given fields replace, absent and null ones change nothing. */
    public ObjectNode merge(ObjectNode update) {
        String id = AcpJson.text(update, "toolCallId");
        ObjectNode card = cards.computeIfAbsent(id, fresh -> AcpJson.object());
        for (Map.Entry<String, JsonNode> field : update.properties()) {
            if (!field.getValue().isNull() && !field.getKey().equals("sessionUpdate")) {
                card.set(field.getKey(), field.getValue());
            }
        }
        if (AcpJson.text(card, "status").isEmpty()) {
            card.put("status", "pending");
        }
        return complete(card);
    }

    /** The card as it is now; a title and a status are always there. */
    public Optional<ObjectNode> card(String toolCallId) {
        return Optional.ofNullable(cards.get(toolCallId)).map(ToolCards::complete);
    }

    /** The turn is over: what never ended is cancelled. */
    List<String> closeOpen() {
        List<String> open =
                cards.entrySet().stream()
                        .filter(e -> !FINAL.contains(AcpJson.text(e.getValue(), "status")))
                        .map(Map.Entry::getKey)
                        .toList();
        open.forEach(
                id -> cards.computeIfPresent(id, (k, card) -> card.put("status", "cancelled")));
        return open;
    }

    private static ObjectNode complete(ObjectNode card) {
        ObjectNode whole = card.deepCopy();
        if (AcpJson.text(whole, "title").isEmpty()) {
            String name = AcpJson.text(whole, "name");
            String kind = AcpJson.text(whole, "kind");
            whole.put("title", name.isEmpty() ? (kind.isEmpty() ? "Tool call" : kind) : name);
        }
        return whole;
    }
}

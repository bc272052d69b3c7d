package dev.tandem.hub.sessions;

import dev.tandem.protocol.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A message or thought that an agent is writing; guarded by its transcript. */
final class TextBlock {
    private final String id;
    private final Entry.Kind kind;
    private final String agentsId;
    private final StringBuilder text = new StringBuilder();
    private final ArrayNode content = Json.array();
    private final StringBuilder tail = new StringBuilder();
    private long ring;
    private boolean changed;
    private boolean partial;
    private boolean onlyText = true;

    TextBlock(String id, Entry.Kind kind, String agentsId) {
        this.id = id;
        this.kind = kind;
        this.agentsId = agentsId;
    }

    String id() {
        return id;
    }

    Entry.Kind kind() {
        return kind;
    }

    /** A changed message id of the agent starts a new message; one without id goes on. */
    boolean continues(Entry.Kind other, String otherId) {
        return kind == other
                && (agentsId.equals(otherId) || otherId.isEmpty() || agentsId.isEmpty());
    }

    void add(JsonNode block) {
        changed = true;
        if (Json.text(block, "type").orElse("").equals("text")) {
            String more = Json.text(block, "text").orElse("");
            text.append(more);
            tail.append(more);
        } else if (block.isObject()) {
            onlyText = false;
            closeTail(content);
            tail.setLength(0);
            content.add(block.deepCopy());
        }
    }

    private void closeTail(ArrayNode to) {
        if (!tail.isEmpty()) {
            to.addObject().put("type", "text").put("text", tail.toString());
        }
    }

    void ring(long number) {
        ring = number;
    }

    boolean changed() {
        return changed;
    }

    void kept() {
        changed = false;
    }

    void markPartial() {
        partial = true;
    }

    ObjectNode body() {
        ObjectNode body = Json.object().put("text", text.toString());
        body.put("messageId", id).put("ring", ring);
        if (!agentsId.isEmpty()) {
            body.put("agentMessageId", agentsId);
        }
        if (!onlyText) {
            ArrayNode all = content.deepCopy();
            closeTail(all);
            body.set("content", all);
        }
        if (partial) {
            body.put("partial", true);
        }
        return body;
    }
}

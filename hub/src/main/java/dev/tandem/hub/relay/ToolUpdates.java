package dev.tandem.hub.relay;

import dev.tandem.protocol.Json;
import tools.jackson.databind.node.ObjectNode;

/** A tool call of the log, told again as the updates that an agent would send. */
final class ToolUpdates {
    private ToolUpdates() {}

    static ObjectNode use(ObjectNode body) {
        ObjectNode update = Json.object().put("sessionUpdate", "tool_call");
        update.put("toolCallId", text(body, "toolCallId")).put("title", text(body, "title"));
        update.put("name", text(body, "tool")).put("status", "in_progress");
        Wire.copy(body, "kind", update, "kind");
        Wire.copy(body, "input", update, "rawInput");
        Wire.copy(body, "locations", update, "locations");
        return update;
    }

    static ObjectNode result(ObjectNode body) {
        ObjectNode update = Json.object().put("sessionUpdate", "tool_call_update");
        update.put("toolCallId", text(body, "toolCallId")).put("status", text(body, "status"));
        Wire.copy(body, "content", update, "content");
        Wire.copy(body, "rawOutput", update, "rawOutput");
        Wire.copy(body, "locations", update, "locations");
        return update;
    }

    private static String text(ObjectNode body, String field) {
        return Json.text(body, field).orElse("");
    }
}

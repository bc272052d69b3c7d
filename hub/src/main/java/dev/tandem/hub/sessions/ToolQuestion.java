package dev.tandem.hub.sessions;

import dev.tandem.protocol.Json;
import tools.jackson.databind.node.ObjectNode;

/**
 * A question that the agent asked by a tool call. It ends the turn; the user's next message is the
 * call's result. Any thread may call it.
 */
final class ToolQuestion {
    private volatile String toolCallId = "";

    /** Takes note of one; false while another is open. */
    boolean ask(String asked) {
        if (isOpen()) {
            return false;
        }
        toolCallId = asked;
        return true;
    }

    boolean isOpen() {
        return !toolCallId.isEmpty();
    }

    /** The tool call that asks; empty when none does. */
    String toolCallId() {
        return toolCallId;
    }

    void answer(String words, Transcript transcript) {
        String asked = toolCallId;
        if (!asked.isEmpty()) {
            toolCallId = "";
            ObjectNode update = Json.object().put("sessionUpdate", "tool_call_update");
            update.put("toolCallId", asked).put("status", "completed");
            update.putArray("content")
                    .addObject()
                    .put("type", "content")
                    .putObject("content")
                    .put("type", "text")
                    .put("text", words);
            transcript.update(update);
        }
    }
}

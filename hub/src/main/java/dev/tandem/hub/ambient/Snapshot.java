package dev.tandem.hub.ambient;

import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.protocol.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What was said so far as one AG-UI event; the newest part of a long past. */
final class Snapshot {
    private static final int ENTRIES = 500;

    private Snapshot() {}

    static ObjectNode of(SessionLog log, String sessionId) {
        ObjectNode event =
                Json.object()
                        .put("type", "MESSAGES_SNAPSHOT")
                        .put("event_type", "MESSAGES_SNAPSHOT");
        event.put("threadId", sessionId);
        ArrayNode messages = event.putArray("messages");
        for (Entry entry : log.before(sessionId, Long.MAX_VALUE, ENTRIES)) {
            add(messages, entry);
        }
        return event;
    }

    private static void add(ArrayNode messages, Entry entry) {
        ObjectNode body = entry.body();
        switch (entry.kind()) {
            case USER, ASSISTANT ->
                    messages.addObject()
                            .put("id", entry.id())
                            .put("role", entry.kind().word())
                            .put("content", MessageView.text(body, "text"));
            case TOOL_USE -> {
                ObjectNode message =
                        messages.addObject().put("id", entry.id()).put("role", "assistant");
                ObjectNode call =
                        message.putArray("toolCalls")
                                .addObject()
                                .put("id", MessageView.text(body, "toolCallId"))
                                .put("type", "function");
                call.putObject("function")
                        .put("name", MessageView.text(body, "tool"))
                        .put("arguments", Json.write(body.path("input")));
            }
            case TOOL_RESULT ->
                    messages.addObject()
                            .put("id", entry.id())
                            .put("role", "tool")
                            .put("toolCallId", MessageView.text(body, "toolCallId"))
                            .put("content", MessageView.text(body, "result"));
            case THOUGHT, PLAN, PERMISSION, LIFECYCLE, ERROR, SYSTEM -> {}
        }
    }
}

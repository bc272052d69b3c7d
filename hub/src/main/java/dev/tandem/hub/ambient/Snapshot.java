package dev.tandem.hub.ambient;

import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.protocol.Json;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
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
        Deque<ObjectNode> messages = new ArrayDeque<>();
        int room = MessageView.LINE_BYTES * 9 / 10;
        for (Entry entry : log.before(sessionId, Long.MAX_VALUE, ENTRIES).reversed()) {
            Optional<ObjectNode> message = message(entry);
            room -= message.map(one -> Json.bytes(one).length + 1).orElse(0);
            if (room < 0) {
                break;
            }
            message.ifPresent(messages::addFirst);
        }
        event.putArray("messages").addAll(messages);
        return event;
    }

    private static Optional<ObjectNode> message(Entry entry) {
        ObjectNode body = entry.body();
        ObjectNode message = Json.object().put("id", entry.id());
        return switch (entry.kind()) {
            case USER, ASSISTANT ->
                    body.path("withdrawn").asBoolean(false)
                            ? Optional.empty()
                            : Optional.of(
                                    message.put("role", entry.kind().word())
                                            .put("content", words(MessageView.text(body, "text"))));
            case TOOL_USE -> {
                message.put("role", "assistant");
                ObjectNode call =
                        message.putArray("toolCalls")
                                .addObject()
                                .put("id", MessageView.text(body, "toolCallId"))
                                .put("type", "function");
                call.putObject("function")
                        .put("name", MessageView.text(body, "tool"))
                        .put("arguments", Json.write(MessageView.shortened(body.path("input"))));
                yield Optional.of(message);
            }
            case TOOL_RESULT ->
                    Optional.of(
                            message.put("role", "tool")
                                    .put("toolCallId", MessageView.text(body, "toolCallId"))
                                    .put(
                                            "content",
                                            MessageView.cut(MessageView.text(body, "result"))));
            case THOUGHT, PLAN, PERMISSION, LIFECYCLE, ERROR, SYSTEM -> Optional.empty();
        };
    }

    private static String words(String text) {
        List<String> pieces = MessageView.pieces(text);
        return pieces.size() < 2 ? text : pieces.getFirst() + MessageView.CUT;
    }
}

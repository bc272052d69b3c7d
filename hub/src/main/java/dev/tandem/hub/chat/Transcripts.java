package dev.tandem.hub.chat;

import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.protocol.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A session's log as messages: the user's, and one of the assistant for each turn. */
final class Transcripts {
    private static final int TAIL = 5_000;

    private final SessionLog log;

    Transcripts(SessionLog log) {
        this.log = log;
    }

    /** The newest messages, oldest first. */
    List<ObjectNode> of(String sessionId) {
        List<ObjectNode> messages = new ArrayList<>();
        Map<Long, Entry> users = new HashMap<>();
        ObjectNode answer = Json.object();
        for (Entry entry : log.before(sessionId, Long.MAX_VALUE, TAIL)) {
            ObjectNode body = entry.body();
            switch (entry.kind()) {
                case USER -> {
                    users.put(entry.seq(), entry);
                    if (!body.path("withdrawn").asBoolean(false)) {
                        messages.add(message(entry, entry.id(), "user"));
                        messages.getLast().put("content", text(body, "text"));
                    }
                }
                case LIFECYCLE -> {
                    Entry asked = users.get(body.path("prompt").asLong(0));
                    if (text(body, "event").equals("run_started") && asked != null) {
                        answer = message(entry, Job.idOf(asked.id()), "assistant");
                        answer.put("content", "").put("streamId", Job.idOf(asked.id()));
                        answer.put("status", "processing").putArray("toolCalls");
                        messages.add(answer);
                    } else if (text(body, "event").equals("run_finished")) {
                        boolean failed = !text(body, "error").isEmpty();
                        answer.put("status", failed ? "failed" : "completed");
                        answer.put("stopReason", text(body, "stopReason"));
                    }
                }
                case ASSISTANT -> append(answer, "content", text(body, "text"));
                case THOUGHT -> append(answer, "reasoning", text(body, "text"));
                case TOOL_USE -> {
                    if (answer.path("toolCalls") instanceof ArrayNode calls) {
                        ObjectNode call = calls.addObject().put("id", text(body, "toolCallId"));
                        call.put("name", text(body, "tool")).set("args", body.path("input"));
                    }
                }
                case SYSTEM -> localResult(answer, body);
                case TOOL_RESULT, PLAN, PERMISSION, ERROR -> {
                    // runtime details, not the message itself
                }
            }
        }
        return messages;
    }

    private static void localResult(ObjectNode answer, ObjectNode body) {
        if (text(body, "event").equals("local_tool_result_received")
                && answer.path("toolCalls") instanceof ArrayNode calls) {
            ObjectNode call = calls.addObject().put("id", text(body.path("value"), "toolCallId"));
            call.put("local", true).set("result", body.path("value").path("result"));
        }
    }

    private static ObjectNode message(Entry entry, String id, String role) {
        ObjectNode message = Json.object().put("id", id).put("sessionId", entry.sessionId());
        message.put("role", role).put("sequence", entry.seq());
        return message.put("createdAt", Instant.ofEpochMilli(entry.createdAt()).toString());
    }

    private static void append(ObjectNode answer, String field, String words) {
        answer.put(field, text(answer, field) + words);
    }

    private static String text(tools.jackson.databind.JsonNode node, String field) {
        return Json.text(node, field).orElse("");
    }
}

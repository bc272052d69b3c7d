package dev.tandem.hub.relay;

import dev.tandem.hub.sessions.AgentNews;
import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.SessionFeed;
import dev.tandem.protocol.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Shows one session to one socket. A live piece carries {@code ring} and {@code messageId}; the
 * entry that holds all of it carries {@code seq} and {@code whole}, and replaces the pieces.
 */
final class Viewer implements SessionFeed.Viewer {
    private static final Set<String> OPTIONS =
            Set.of("config_option_update", "current_mode_update", "current_model_update");

    private final String sessionId;
    private final Wire wire;
    private final RelayEndpoint.Parts parts;
    private final Map<Long, JsonNode> asked = new ConcurrentHashMap<>();
    private final Map<String, Long> runs = new HashMap<>();
    private final Set<String> blocks = new HashSet<>();
    private volatile boolean live;
    private String skip = "";

    Viewer(String sessionId, Wire wire, RelayEndpoint.Parts parts) {
        this.sessionId = sessionId;
        this.wire = wire;
        this.parts = parts;
    }

    String sessionId() {
        return sessionId;
    }

    /** What was shown so far was the past. */
    void live() {
        live = true;
    }

    /** The turn of this prompt ends with an answer to that request. */
    void answers(long seq, JsonNode request) {
        asked.put(seq, request);
    }

    @Override
    public void onDelta(SessionFeed.Delta delta) {
        String kind = text(delta.update(), "sessionUpdate");
        if (delta.block().isEmpty()) {
            if (kind.equals(skip)) {
                skip = "";
                return;
            }
            if (kind.equals("permission")) {
                permission(delta.update(), this::about);
                return;
            }
            if (kind.equals(AgentNews.KIND)) {
                agentState(delta.update());
                return;
            }
            if (kind.equals("notice")) {
                ObjectNode notice = about("notice").put("level", text(delta.update(), "severity"));
                notice.put("text", text(delta.update(), "title"));
                Json.text(delta.update(), "action").ifPresent(act -> notice.put("action", act));
                wire.send(notice);
                return;
            }
        } else {
            blocks.add(delta.block());
        }
        ObjectNode message = about("session_update").put("ring", delta.ring());
        if (!delta.block().isEmpty()) {
            message.put("messageId", delta.block());
        }
        wire.send(message.set("update", delta.update()));
        if (OPTIONS.contains(kind)) {
            SettingMessages.models(parts, sessionId).ifPresent(wire::send);
            wire.send(SettingMessages.options(parts, sessionId));
        }
    }

    /** Clients of the older form know no such message; the error and the end tell them. */
    private void agentState(ObjectNode news) {
        if (!wire.compat()) {
            ObjectNode state = about("agent_state");
            for (String field :
                    List.of(
                            "agentId",
                            "state",
                            "agentInfo",
                            "capabilities",
                            "exitCode",
                            "stderrTail")) {
                Wire.copy(news, field, state, field);
            }
            wire.send(state);
        }
    }

    @Override
    public void onEntry(Entry entry) {
        ObjectNode body = entry.body();
        switch (entry.kind()) {
            case USER -> user(entry);
            case ASSISTANT -> said(entry, "agent_message_chunk");
            case THOUGHT -> said(entry, "agent_thought_chunk");
            case TOOL_USE -> tool(entry, ToolUpdates.use(body));
            case TOOL_RESULT -> tool(entry, ToolUpdates.result(body));
            case PLAN -> {
                update(entry, Json.object().put("sessionUpdate", "plan").setAll(body));
                skip = live ? "plan" : "";
            }
            case PERMISSION -> permission(body, type -> at(entry, type));
            case LIFECYCLE -> lifecycle(entry);
            case ERROR -> {
                ObjectNode notice = at(entry, "notice").put("level", "error");
                Wire.copy(body, "exit", notice, "exit");
                wire.send(notice.put("text", text(body, "error")).put("code", text(body, "code")));
            }
            case SYSTEM -> system(entry);
        }
    }

    @Override
    public void onEnd() {
        wire.send(about("session_deleted"));
    }

    private void user(Entry entry) {
        if (entry.body().path("withdrawn").asBoolean(false)) {
            return;
        }
        JsonNode content = entry.body().path("content");
        ArrayNode blocks = Json.array();
        if (content instanceof ArrayNode given && !given.isEmpty()) {
            blocks = given;
        } else {
            blocks.addObject().put("type", "text").put("text", text(entry.body(), "text"));
        }
        blocks(entry, entry.id(), "user_message_chunk", blocks);
    }

    private void said(Entry entry, String kind) {
        String id = text(entry.body(), "messageId");
        if (wire.compat() && entry.body().path("content") instanceof ArrayNode content) {
            // These clients know pictures and links only as pieces of their own.
            if (!blocks.contains(id)) {
                blocks(entry, id, kind, content);
            }
            return;
        }
        ObjectNode chunk = Json.object().put("sessionUpdate", kind);
        chunk.put("messageId", id);
        chunk.putObject("content").put("type", "text").put("text", text(entry.body(), "text"));
        whole(entry, id, chunk);
    }

    /** Tells a message block by block. */
    private void blocks(Entry entry, String messageId, String kind, ArrayNode blocks) {
        for (int at = 0; at < blocks.size(); at++) {
            ObjectNode chunk = Json.object().put("sessionUpdate", kind);
            chunk.put("messageId", messageId).set("content", blocks.get(at));
            ObjectNode message = at(entry, "session_update").put("messageId", messageId);
            message.put("block", at);
            entry.clientMessageId().ifPresent(id -> message.put("clientMessageId", id));
            wire.send(message.set("update", chunk));
        }
    }

    private void tool(Entry entry, ObjectNode update) {
        whole(entry, text(entry.body(), "toolCallId"), update);
    }

    /** A client of the older form would take the whole for more of the same. */
    private void whole(Entry entry, String block, ObjectNode update) {
        if (wire.compat() && blocks.contains(block)) {
            return;
        }
        ObjectNode message = at(entry, "session_update").put("messageId", block);
        message.put("whole", true);
        JsonNode ring = entry.body().path("ring");
        if (ring.isIntegralNumber()) {
            message.put("ring", ring.longValue());
        }
        if (entry.body().path("partial").asBoolean(false)) {
            message.put("partial", true);
        }
        if (entry.kind() == Entry.Kind.ASSISTANT) {
            Wire.copy(entry.body(), "content", message, "blocks");
        } else if (entry.kind() == Entry.Kind.TOOL_RESULT) {
            Wire.copy(entry.body(), "result", message, "result");
        }
        wire.send(message.set("update", update));
    }

    private void update(Entry entry, ObjectNode update) {
        wire.send(at(entry, "session_update").set("update", update));
    }

    private void permission(ObjectNode body, Function<String, ObjectNode> head) {
        String id = text(body, "requestId");
        if (text(body, "state").equals("requested")) {
            if (isPending(id)) {
                wire.send(
                        PermissionCards.request(
                                parts,
                                sessionId,
                                head.apply("permission_request"),
                                body.path("card")));
            }
        } else if (live) {
            ObjectNode message = head.apply("permission_resolved").put("requestId", id);
            message.put("outcome", text(body, "outcome"));
            Wire.copy(body, "optionId", message, "optionId");
            wire.send(decidedBy(message, text(body, "by")));
        }
    }

    /** Where an option was chosen, a person did it, whose surface is named beside. */
    private static ObjectNode decidedBy(ObjectNode message, String by) {
        if (!text(message, "optionId").isEmpty()) {
            return message.put("by", "user").put("name", by);
        }
        return message.put(
                "by",
                switch (by) {
                    case "timeout" -> "timeout";
                    case "cancel", "hub_restarted" -> "cancel";
                    default -> "rule";
                });
    }

    private boolean isPending(String requestId) {
        return parts.desk().open().stream().anyMatch(card -> card.requestId().equals(requestId));
    }

    private boolean isOpen(String requestId) {
        return parts.engine().openQuestions(sessionId).stream()
                .anyMatch(one -> one.requestId().equals(requestId));
    }

    private void lifecycle(Entry entry) {
        ObjectNode body = entry.body();
        switch (text(body, "event")) {
            case "run_started" -> {
                runs.put(text(body, "runId"), body.path("prompt").asLong(0));
                wire.send(
                        at(entry, "run_started")
                                .put("runId", text(body, "runId"))
                                .put("promptSeq", body.path("prompt").asLong(0)));
            }
            case "run_finished" -> finished(entry);
            default -> {
                ObjectNode closed = at(entry, "session_closed").put("phase", text(body, "phase"));
                closed.put("reason", text(body, "reason"));
                Wire.copy(body, "exit", closed, "exit");
                wire.send(closed.put("message", text(body, "message")));
            }
        }
    }

    private void finished(Entry entry) {
        ObjectNode body = entry.body();
        // A turn may begin before its sender was told that the prompt was taken.
        Long prompt = runs.remove(text(body, "runId"));
        JsonNode request = prompt == null ? null : asked.remove(prompt);
        ObjectNode complete = Json.object();
        if (body.path("answer") instanceof ObjectNode answer) {
            complete.setAll(answer.deepCopy());
        }
        complete.setAll(at(entry, "prompt_complete"));
        for (String name : Set.of("runId", "stopReason", "usage", "forced", "error", "exit")) {
            Wire.copy(body, name, complete, name);
        }
        JsonNode asker = request == null ? Json.object() : request;
        String error = text(body, "error");
        if (!error.isEmpty() && live) {
            wire.reply(asker, failed(error, body.path("problem")));
        }
        wire.reply(asker, complete);
    }

    private ObjectNode failed(String error, JsonNode problem) {
        ObjectNode failed = about("error");
        failed.put("code", Json.text(problem, "code").orElse("agent_error"));
        failed.put("message", "Prompt failed: " + error);
        failed.put("retryable", Json.flag(problem, "retryable", false));
        if (!problem.path("details").isEmpty()) {
            failed.set("details", problem.get("details"));
        }
        return failed;
    }

    private void system(Entry entry) {
        String event = text(entry.body(), "event");
        JsonNode value = entry.body().path("value");
        if (event.startsWith("acp:") && value instanceof ObjectNode update) {
            update(entry, update);
            skip = live ? event.substring(4) : "";
        } else if (event.equals("elicitation_requested")) {
            String id = text(value, "requestId");
            if (live || isOpen(id)) {
                wire.send(
                        Elicitations.request(
                                at(entry, "elicitation_request"), id, value.path("params")));
            }
        } else if (event.equals("elicitation_resolved")) {
            if (live) {
                wire.send(
                        at(entry, "elicitation_resolved")
                                .put("requestId", text(value, "requestId"))
                                .put("action", text(value, "action")));
            }
        } else {
            ObjectNode notice = at(entry, "notice").put("level", "info").put("event", event);
            wire.send(notice.put("text", text(value, "message")).set("value", value));
        }
    }

    private ObjectNode about(String type) {
        return Wire.message(type).put("sessionId", sessionId);
    }

    private ObjectNode at(Entry entry, String type) {
        return about(type).put("seq", entry.seq()).put("at", entry.createdAt());
    }

    private static String text(JsonNode node, String field) {
        return Json.text(node, field).orElse("");
    }
}

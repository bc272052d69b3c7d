package dev.tandem.hub.chat;

import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.LocalTools;
import dev.tandem.hub.sessions.SessionFeed;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.protocol.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Turns one session's log and live pieces into events of its turns' streams. One thread. */
final class SessionChat {
    private static final String WAITS =
            " Your message is kept and delivered when the session starts again.";

    private final String sessionId;
    private final ChatStreams streams;
    private final Jobs jobs;
    private final SessionLog log;
    private final LocalTools localTools;
    private final Map<String, Integer> streamed = new HashMap<>();
    private @Nullable Job turn;

    SessionChat(
            String sessionId,
            ChatStreams streams,
            Jobs jobs,
            SessionLog log,
            LocalTools localTools) {
        this.sessionId = sessionId;
        this.streams = streams;
        this.jobs = jobs;
        this.log = log;
        this.localTools = localTools;
    }

    void delta(SessionFeed.Delta delta) {
        String type =
                switch (text(delta.update(), "sessionUpdate")) {
                    case "agent_message_chunk" -> "content_delta";
                    case "agent_thought_chunk" -> "reasoning_delta";
                    default -> "";
                };
        String words = text(delta.update().path("content"), "text");
        if (!type.isEmpty() && !words.isEmpty()) {
            streamed.merge(delta.block(), words.length(), Integer::sum);
            publish(type, Json.object().put("delta", words));
        }
    }

    void entry(Entry entry) {
        ObjectNode body = entry.body();
        switch (entry.kind()) {
            case USER -> tell(jobs.of(entry));
            case ASSISTANT -> whole(body, "content_delta");
            case THOUGHT -> whole(body, "reasoning_delta");
            case TOOL_USE ->
                    toolStart(text(body, "toolCallId"), text(body, "tool"), body.path("input"));
            case TOOL_RESULT -> toolResult(body);
            case PERMISSION -> permission(body);
            case LIFECYCLE -> lifecycle(body);
            case SYSTEM -> system(text(body, "event"), body.path("value"));
            case PLAN, ERROR -> {
                // the first is told by no event, the second by the end of the turn
            }
        }
        Job running = turn;
        if (running != null) {
            streams.settle(running.id());
        }
    }

    /** What came without pieces is told now. */
    private void whole(ObjectNode body, String type) {
        String words = text(body, "text");
        Integer before = streamed.remove(text(body, "messageId"));
        int from = before == null ? 0 : Math.min(before, words.length());
        if (from < words.length()) {
            publish(type, Json.object().put("delta", words.substring(from)));
        }
    }

    private void toolStart(String id, String name, JsonNode input) {
        publish(
                "tool_call_start",
                Json.object()
                        .put("tool_call_id", id)
                        .put("name", name)
                        .put("args", Json.write(input)));
    }

    private void toolResult(ObjectNode body) {
        ObjectNode event = Json.object().put("tool_call_id", text(body, "toolCallId"));
        String status = text(body, "status");
        event.putObject("result")
                .put("status", status.equals("failed") ? "error" : status)
                .put("output", text(body, "result"));
        publish("tool_call_result", event);
    }

    private void permission(ObjectNode body) {
        if (text(body, "state").equals("requested")) {
            JsonNode card = body.path("card");
            ObjectNode status = Json.object().put("state", "local_tool_permission_requested");
            status.put("tool_call_id", text(card, "toolCallId"));
            status.put("requestId", text(body, "requestId"));
            publish("status", status.put("expiresAt", text(card, "expiresAt")));
        }
    }

    private void lifecycle(ObjectNode body) {
        switch (text(body, "event")) {
            case "run_started" -> begin(body.path("prompt").asLong(0));
            case "run_finished" -> finish(body);
            case "session_stopped" -> ended(body);
            default -> {
                // other news is not a turn's
            }
        }
    }

    private void begin(long userSeq) {
        List<Entry> asked = log.after(sessionId, userSeq - 1, 1);
        if (asked.isEmpty() || asked.getFirst().kind() != Entry.Kind.USER) {
            return;
        }
        Job job = streams.begin(asked.getFirst());
        turn = job;
        streamed.clear();
        tell(job);
        publish("status", Json.object().put("state", "started"));
    }

    private void finish(ObjectNode body) {
        Job job = turn;
        if (job == null) {
            return;
        }
        String error = text(body, "error");
        String reason = text(body, "stopReason");
        Job.Status status =
                !error.isEmpty()
                        ? Job.Status.FAILED
                        : reason.equals("cancelled") ? Job.Status.CANCELLED : Job.Status.COMPLETED;
        // Whoever hears the end may ask for the job at once.
        Job over = streams.move(job, status, error);
        if (!error.isEmpty()) {
            publish("error", Json.object().put("message", error));
        } else if (reason.equals("cancelled")) {
            publish("done", Json.object().put("reason", "user_stop"));
        } else {
            publish(
                    "done",
                    reason.equals("end_turn")
                            ? Json.object()
                            : Json.object().put("reason", reason));
        }
        streams.settle(job.id());
        tell(over);
        turn = null;
    }

    /** Nobody shall listen for an answer that cannot come: the agent did not start. */
    private void ended(ObjectNode body) {
        boolean again = body.path("again").asBoolean(false);
        if (text(body, "phase").equals("Failed") && !again) {
            String why = text(body, "message") + WAITS;
            for (Job waiting : jobs.waiting(sessionId)) {
                Job over = streams.move(waiting, Job.Status.FAILED, why);
                streams.publish(waiting.id(), "error", Json.object().put("message", why));
                streams.settle(waiting.id());
                tell(over);
            }
        }
    }

    private void system(String event, JsonNode value) {
        String id = text(value, "toolCallId");
        switch (event) {
            case "awaiting_local_tool_results" -> {
                toolStart(id, text(value, "name"), value.path("arguments"));
                ObjectNode waits = Json.object().put("tool_call_id", id);
                waits.putObject("result").put("status", "awaiting_external_result");
                publish("tool_call_result", waits);
                publish("status", pause());
            }
            case "local_tool_claimed" ->
                    publish(
                            "status",
                            Json.object()
                                    .put("state", event)
                                    .put("tool_call_id", id)
                                    .put("executorId", text(value, "executorId")));
            case "local_tool_result_received" -> {
                ObjectNode result = Json.object().put("tool_call_id", id);
                publish("tool_call_result", result.set("result", value.path("result")));
                publish("status", Json.object().put("state", event).put("tool_call_id", id));
            }
            case "queue_withdrawn" ->
                    jobs.find(sessionId, value.path("seq").asLong(0)).ifPresent(this::withdrawn);
            default -> {
                // other news has no event here
            }
        }
    }

    /** Nobody shall listen for an answer to what was taken back. */
    private void withdrawn(Job job) {
        Job over = streams.move(job, Job.Status.CANCELLED, "");
        streams.publish(job.id(), "done", Json.object().put("reason", "user_stop"));
        streams.settle(job.id());
        tell(over);
    }

    private ObjectNode pause() {
        ObjectNode pause = Json.object().put("state", "awaiting_local_tool_results");
        ArrayNode calls = pause.putArray("pending_local_tool_calls");
        for (LocalTools.Call call : localTools.waiting(sessionId)) {
            calls.addObject()
                    .put("tool_call_id", call.toolCallId())
                    .put("name", call.name())
                    .set("args", call.arguments());
        }
        ArrayNode tools = pause.putArray("local_tool_definitions");
        for (LocalTools.Definition tool : localTools.of(sessionId)) {
            tools.addObject()
                    .put("name", tool.name())
                    .put("description", tool.description())
                    .set("parameters", tool.parameters());
        }
        pause.putArray("base_tool_outputs");
        return pause;
    }

    private void publish(String type, ObjectNode data) {
        Job job = turn;
        if (job != null) {
            streams.publish(job.id(), type, data);
        }
    }

    private void tell(Job job) {
        ObjectNode news = Json.object().put("jobId", job.id());
        news.putObject("data").set("job", job.toJson());
        streams.tell("job_update", news);
    }

    private static String text(JsonNode node, String field) {
        return Json.text(node, field).orElse("");
    }
}

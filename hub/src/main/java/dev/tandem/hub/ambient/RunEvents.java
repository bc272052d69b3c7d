package dev.tandem.hub.ambient;

import dev.tandem.hub.sessions.AgentNews;
import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.Phase;
import dev.tandem.hub.sessions.SessionFeed;
import dev.tandem.protocol.Json;
import java.time.Clock;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tells one listener of a session's runs in AG-UI's words. Called by one thread at a time. */
final class RunEvents implements SessionFeed.Viewer {
    private final String sessionId;
    private final Clock clock;
    private final Consumer<ObjectNode> out;
    private final Runnable end;
    private final Set<String> tools = new HashSet<>();
    private String run;
    private long began;
    private String error = "";
    private String block = "";
    private boolean thinking;

    /**
     * @param run the one that is under way; empty for none
     * @param end what happens when the session is deleted
     */
    RunEvents(String sessionId, String run, Clock clock, Consumer<ObjectNode> out, Runnable end) {
        this.sessionId = sessionId;
        this.run = run;
        this.clock = clock;
        this.out = out;
        this.end = end;
    }

    @Override
    public void onEnd() {
        end.run();
    }

    @Override
    public void onDelta(SessionFeed.Delta delta) {
        ObjectNode update = delta.update();
        String kind = MessageView.text(update, "sessionUpdate");
        switch (kind) {
            case "agent_message_chunk" -> chunk(delta.block(), update, false);
            case "agent_thought_chunk" -> chunk(delta.block(), update, true);
            case "tool_call", "tool_call_update" -> {
                String name =
                        Json.text(update, "name").or(() -> Json.text(update, "title")).orElse("");
                if (!name.isEmpty()) {
                    toolStart(delta.block(), name);
                }
            }
            // The run's error and the session's phase tell it here.
            case AgentNews.KIND -> {}
            default -> custom("acp:" + kind, update);
        }
    }

    @Override
    public void onEntry(Entry entry) {
        ObjectNode body = entry.body();
        switch (entry.kind()) {
            case ASSISTANT -> whole(body, false);
            case THOUGHT -> whole(body, true);
            case TOOL_USE -> toolUse(body);
            case TOOL_RESULT -> toolResult(body);
            case PERMISSION -> {
                boolean asked = MessageView.text(body, "state").equals("requested");
                custom(
                        "acp:permission_" + MessageView.text(body, "state"),
                        asked ? body.path("card") : body);
            }
            case LIFECYCLE -> lifecycle(body, entry.createdAt());
            case SYSTEM -> {
                String name = MessageView.text(body, "event");
                // The agent's own updates come as deltas, too.
                if (!name.startsWith("acp:")) {
                    custom(name, body.path("value"));
                }
            }
            case USER, PLAN, ERROR -> {}
        }
    }

    private void chunk(String id, ObjectNode update, boolean thought) {
        String text = MessageView.text(update.path("content"), "text");
        if (text.isEmpty()) {
            return;
        }
        say(id, text, thought);
    }

    private void say(String id, String text, boolean thought) {
        open(id, thought);
        String type = thought ? "REASONING_MESSAGE_CONTENT" : "TEXT_MESSAGE_CONTENT";
        for (String piece : MessageView.pieces(text)) {
            send(event(type).put("messageId", id).put("delta", piece));
        }
    }

    private void whole(ObjectNode body, boolean thought) {
        String id = MessageView.text(body, "messageId");
        String text = MessageView.text(body, "text");
        if (!block.equals(id) && !text.isEmpty()) {
            say(id, text, thought);
        }
        close();
    }

    private void open(String id, boolean thought) {
        if (block.equals(id)) {
            return;
        }
        close();
        block = id;
        thinking = thought;
        if (thought) {
            send(event("REASONING_START").put("messageId", id));
            send(event("REASONING_MESSAGE_START").put("messageId", id).put("role", "reasoning"));
        } else {
            send(event("TEXT_MESSAGE_START").put("messageId", id).put("role", "assistant"));
        }
    }

    private void close() {
        if (block.isEmpty()) {
            return;
        }
        if (thinking) {
            send(event("REASONING_MESSAGE_END").put("messageId", block));
            send(event("REASONING_END").put("messageId", block));
        } else {
            send(event("TEXT_MESSAGE_END").put("messageId", block));
        }
        block = "";
    }

    private void toolStart(String id, String name) {
        if (tools.add(id)) {
            close();
            send(
                    event("TOOL_CALL_START")
                            .put("toolCallId", id)
                            .put("toolCallName", name)
                            .put("tool_name", name));
        }
    }

    private void toolUse(ObjectNode body) {
        String id = MessageView.text(body, "toolCallId");
        toolStart(id, MessageView.text(body, "tool"));
        for (String piece : MessageView.pieces(Json.write(body.path("input")))) {
            send(event("TOOL_CALL_ARGS").put("toolCallId", id).put("delta", piece));
        }
        send(event("TOOL_CALL_END").put("toolCallId", id));
    }

    private void toolResult(ObjectNode body) {
        String id = MessageView.text(body, "toolCallId");
        send(
                event("TOOL_CALL_RESULT")
                        .put("messageId", id + "-result")
                        .put("toolCallId", id)
                        .put("role", "tool")
                        .put("content", MessageView.cut(MessageView.text(body, "result"))));
    }

    private void lifecycle(ObjectNode body, long at) {
        switch (MessageView.text(body, "event")) {
            case "run_started" -> {
                run = MessageView.text(body, "runId");
                began = at;
                error = "";
                tools.clear();
                send(event("RUN_STARTED"));
            }
            case "run_finished" -> {
                close();
                run = Json.text(body, "runId").orElse(run);
                finished(body, began == 0 ? 0 : at - began);
                run = "";
                began = 0;
            }
            case "session_stopped" -> {
                custom("tandem:session_stopped", body);
                stopped(body);
            }
            default -> custom("tandem:" + MessageView.text(body, "event"), body);
        }
    }

    /** A start that fails and an agent that dies without a run have nothing else that says so. */
    private void stopped(ObjectNode body) {
        String why = MessageView.text(body, "message");
        boolean failed = MessageView.text(body, "phase").equals(Phase.FAILED.word());
        if (failed && !why.equals(error)) {
            error(why);
        }
    }

    private void finished(ObjectNode body, long millis) {
        String why = MessageView.text(body, "error");
        if (!why.isEmpty()) {
            error(why);
            return;
        }
        ObjectNode event = event("RUN_FINISHED");
        if (body.path("outcome").isObject()) {
            event.set("outcome", body.get("outcome"));
        } else {
            event.putObject("outcome").put("type", "success");
        }
        ObjectNode result = event.putObject("result").put("is_error", false);
        result.put("stop_reason", MessageView.text(body, "stopReason")).put("num_turns", 1);
        if (millis > 0) {
            result.put("duration_ms", millis);
        }
        if (body.path("usage") instanceof ObjectNode usage) {
            RunUsage.tell(usage, event);
        }
        send(event);
    }

    private void error(String why) {
        error = why;
        send(event("RUN_ERROR").put("message", why).put("error", why).put("code", "RUNNER_ERROR"));
    }

    private void custom(String name, JsonNode value) {
        send(event("CUSTOM").put("name", name).set("value", MessageView.shortened(value)));
    }

    private ObjectNode event(String type) {
        ObjectNode event = Json.object().put("type", type).put("event_type", type);
        event.put("threadId", sessionId);
        if (!run.isEmpty()) {
            event.put("runId", run);
        }
        return event.put("timestamp", clock.millis());
    }

    private void send(ObjectNode event) {
        out.accept(event);
    }
}

package dev.tandem.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One prompt being answered: what was asked, and the ways to answer. */
final class Turn {
    /** The user said stop. */
    static final class Cancelled extends RuntimeException {}

    private static final AtomicInteger CALLS = new AtomicInteger();

    private final String sessionId;
    private final AcpStdio stdio;
    private final Toolbox tools;
    private final JsonNode prompt;
    private final ArrayNode history;
    private final CompletableFuture<Void> cancel = new CompletableFuture<>();

    Turn(String sessionId, AcpStdio stdio, Toolbox tools, JsonNode prompt, ArrayNode history) {
        this.sessionId = sessionId;
        this.stdio = stdio;
        this.tools = tools;
        this.prompt = prompt;
        this.history = history;
    }

    Toolbox tools() {
        return tools;
    }

    /** The model's memory of this conversation; only the running turn touches it. */
    ArrayNode history() {
        return history;
    }

    JsonNode prompt() {
        return prompt;
    }

    /** The words of the prompt, without what the hub tells of earlier. */
    String text() {
        List<String> parts = new ArrayList<>();
        for (JsonNode block : prompt) {
            boolean ofUser = block.path("annotations").path("audience").isMissingNode();
            if (ofUser && Json.text(block, "type").equals("text")) {
                parts.add(Json.text(block, "text"));
            }
        }
        return String.join("\n", parts).strip();
    }

    /** The addresses of pages that the user attached. */
    List<String> links() {
        List<String> links = new ArrayList<>();
        for (JsonNode block : prompt) {
            if (Json.text(block, "type").equals("resource_link")) {
                links.add(Json.text(block, "uri"));
            }
        }
        return links;
    }

    void cancel() {
        cancel.complete(null);
    }

    boolean isCancelled() {
        return cancel.isDone();
    }

    void say(String text) {
        chunk("agent_message_chunk", text);
    }

    void think(String text) {
        chunk("agent_thought_chunk", text);
    }

    private void chunk(String kind, String text) {
        if (!text.isEmpty()) {
            ObjectNode update = Json.object().put("sessionUpdate", kind);
            update.putObject("content").put("type", "text").put("text", text);
            stdio.update(sessionId, update);
        }
    }

    void plan(List<String> steps, int done) {
        ObjectNode update = Json.object().put("sessionUpdate", "plan");
        ArrayNode entries = update.putArray("entries");
        for (int i = 0; i < steps.size(); i++) {
            String status = i < done ? "completed" : i == done ? "in_progress" : "pending";
            entries.addObject()
                    .put("content", steps.get(i))
                    .put("priority", "medium")
                    .put("status", status);
        }
        stdio.update(sessionId, update);
    }

    /** Waits, but not longer than the user wants to. */
    <T> T await(CompletableFuture<T> work) {
        try {
            CompletableFuture.anyOf(work, cancel).get();
            if (cancel.isDone()) {
                work.cancel(true);
                throw new Cancelled();
            }
            return work.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException known
                    ? known
                    : new IllegalStateException(failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Cancelled();
        }
    }

    /** Calls one browser tool and shows it as a card. */
    ToolResult use(String tool, ObjectNode arguments) {
        String callId = "call-" + CALLS.incrementAndGet();
        ObjectNode begin = card("tool_call", callId).put("title", ToolTitle.of(tool, arguments));
        begin.put("name", tool).put("kind", ToolTitle.kind(tool)).put("status", "in_progress");
        stdio.update(sessionId, begin.set("rawInput", arguments));
        try {
            ToolResult result = await(tools.call(tool, arguments));
            ObjectNode end = card("tool_call_update", callId);
            end.put("status", result.failed() ? "failed" : "completed");
            stdio.update(sessionId, end.set("content", result.forCard()));
            return result;
        } catch (Cancelled cancelled) {
            stdio.update(sessionId, card("tool_call_update", callId).put("status", "failed"));
            throw cancelled;
        }
    }

    private static ObjectNode card(String kind, String callId) {
        return Json.object().put("sessionUpdate", kind).put("toolCallId", callId);
    }
}

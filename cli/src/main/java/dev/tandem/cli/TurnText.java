package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What happens in a session as a person reads it: the agent's words, and remarks beside them. */
final class TurnText {
    private final Printer printer;
    private final boolean withPrompts;
    private final Map<String, StringBuilder> shown = new HashMap<>();
    private final Map<String, String> tools = new HashMap<>();
    private final StringBuilder said = new StringBuilder();
    private String held = "";
    private String block = "";
    private String error = "";
    private boolean open;

    /**
     * @param withPrompts show what people said, too
     */
    TurnText(Printer printer, boolean withPrompts) {
        this.printer = printer;
        this.withPrompts = withPrompts;
    }

    /** Everything the agent said so far. */
    String said() {
        return said.toString();
    }

    /** Shows one piece of news of {@link SessionPort#follow}. */
    void show(JsonNode event) {
        printer.event(event);
        if (!event.path("kind").asString("").equals("lifecycle")) {
            endError("");
        }
        if (event.path("type").asString("").equals("delta")) {
            delta(event.path("block").asString(""), event.path("update"));
            return;
        }
        JsonNode body = event.path("body");
        switch (event.path("kind").asString("")) {
            case "assistant" -> whole(text(body, "messageId"), text(body, "text"));
            case "user" -> prompt(body);
            case "tool_use" -> begun(text(body, "toolCallId"), text(body, "title"));
            case "tool_result" -> done(text(body, "toolCallId"), text(body, "status"));
            case "plan" -> plan(body.path("entries"));
            case "error" -> error = text(body, "error");
            case "system" -> system(body);
            default -> {
                // reasoning stays unseen; lifecycle and cards are the command's
            }
        }
    }

    /**
     * Says what went wrong last.
     *
     * @param later what the command says when it ends, so that nothing is said twice
     */
    void endError(String later) {
        String last = error;
        error = "";
        if (!last.isEmpty() && !last.equals(later)) {
            remark("! " + last);
        }
    }

    void remark(String text) {
        endLine();
        printer.remark(text);
    }

    /** Ends the line that the agent's words left open. */
    void endLine() {
        if (!held.isEmpty()) {
            printer.piece(held);
            held = "";
        }
        if (open) {
            printer.piece("\n");
            open = false;
        }
    }

    private void delta(String of, JsonNode update) {
        switch (text(update, "sessionUpdate")) {
            case "agent_message_chunk" -> more(of, text(update.path("content"), "text"));
            case "tool_call" -> begun(text(update, "toolCallId"), text(update, "title"));
            case "tool_call_update" -> {
                String title = text(update, "title");
                if (!title.isEmpty()) {
                    tools.put(text(update, "toolCallId"), title);
                }
            }
            case "notice" -> remark("! " + text(update, "title"));
            default -> {
                // usage, modes, reasoning: not for this view
            }
        }
    }

    private void more(String of, String text) {
        if (text.isEmpty()) {
            return;
        }
        if (!of.equals(block) && !said.isEmpty() && !said.toString().endsWith("\n")) {
            said.append('\n');
            endLine();
        }
        block = of;
        shown.computeIfAbsent(of, key -> new StringBuilder()).append(text);
        said.append(text);
        String ready = held + text;
        // a pair of characters may come in two pieces
        boolean half = Character.isHighSurrogate(ready.charAt(ready.length() - 1));
        held = half ? ready.substring(ready.length() - 1) : "";
        printer.piece(half ? ready.substring(0, ready.length() - 1) : ready);
        open = !ready.endsWith("\n");
    }

    /** The stored text: only what the pieces did not show yet. */
    private void whole(String of, String text) {
        String before = shown.getOrDefault(of, new StringBuilder()).toString();
        if (text.startsWith(before)) {
            more(of, text.substring(before.length()));
        }
    }

    private void prompt(JsonNode body) {
        if (withPrompts && !body.path("withdrawn").asBoolean(false)) {
            endLine();
            printer.piece("> " + text(body, "text").replace("\n", "\n> ") + "\n");
        }
    }

    private void begun(String id, String title) {
        String before = tools.put(id, title);
        if (before == null) {
            remark("▸ " + (title.isEmpty() ? "a tool" : title));
        }
    }

    private void done(String id, String status) {
        String title = tools.getOrDefault(id, "");
        if (!status.equals("completed")) {
            remark("✗ " + (title.isEmpty() ? "a tool" : title) + ": " + status);
        }
    }

    private void plan(JsonNode entries) {
        StringBuilder out = new StringBuilder("Plan");
        for (JsonNode entry : entries) {
            boolean done = text(entry, "status").equals("completed");
            out.append(done ? "\n  [x] " : "\n  [ ] ").append(text(entry, "content"));
        }
        remark(out.toString());
    }

    private void system(JsonNode body) {
        String message = text(body.path("value"), "message");
        switch (text(body, "event")) {
            case "elicitation_requested" ->
                    remark(
                            "? "
                                    + question(body.path("value"))
                                    + " Answer it by tandem permissions, in the panel or at /app.");
            case "paused", "place_waits" -> remark("! " + message);
            default -> {
                // of no use in a terminal
            }
        }
    }

    private static String question(JsonNode value) {
        String asked = text(value.path("params"), "message");
        return asked.isEmpty() ? "The agent asks something." : asked;
    }

    private static String text(JsonNode node, String field) {
        return Json.text(node, field).orElse("");
    }
}

package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.ToolCards;
import dev.tandem.protocol.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which entries a tool call has made so far; guarded by its transcript. */
final class ToolEntries {
    private final Terminals terminals;
    private final Map<String, Call> calls = new LinkedHashMap<>();

    ToolEntries(Terminals terminals) {
        this.terminals = terminals;
    }

    /** The output of a command that a tool call shows. */
    interface Terminals {
        Optional<ObjectNode> output(String terminalId);
    }

    private static final class Call {
        boolean used;
        boolean ended;
        long ring;
    }

    /** The entries that became possible with this state of the card. */
    List<SessionLog.Draft> entries(String id, ObjectNode card, long ring) {
        Call call = calls.computeIfAbsent(id, fresh -> new Call());
        call.ring = ring;
        boolean inputKnown = !card.path("rawInput").isEmpty();
        boolean over = Transcript.isFinal(card);
        List<SessionLog.Draft> drafts = new ArrayList<>();
        if (!call.used && (inputKnown || over)) {
            call.used = true;
            drafts.add(new SessionLog.Draft(Entry.Kind.TOOL_USE, use(id, card)));
        }
        if (!call.ended && over) {
            call.ended = true;
            drafts.add(new SessionLog.Draft(Entry.Kind.TOOL_RESULT, result(id, card, ring)));
        }
        return drafts;
    }

    /** The turn is over: what never ended is cancelled. */
    List<SessionLog.Draft> cancelOpen(ToolCards cards, String waiting) {
        List<SessionLog.Draft> drafts = new ArrayList<>();
        calls.forEach((id, call) -> {
            if (!call.ended && !id.equals(waiting)) {
                ObjectNode cancelled =
                        Json.object().put("toolCallId", id).put("status", "cancelled");
                drafts.addAll(entries(id, cards.merge(cancelled), call.ring));
            }
        });
        return drafts;
    }

    private static ObjectNode use(String id, ObjectNode card) {
        String title = Json.text(card, "title").orElse("Tool call");
        ObjectNode body = Json.object().put("toolCallId", id);
        body.put("tool", Json.text(card, "name").filter(n -> !n.isBlank()).orElse(title));
        body.put("title", title);
        Json.text(card, "kind").ifPresent(kind -> body.put("kind", kind));
        body.set("input", card.has("rawInput") ? card.get("rawInput") : Json.object());
        copy(card, body, "locations");
        return body;
    }

    private ObjectNode result(String id, ObjectNode card, long ring) {
        ObjectNode body = Json.object().put("toolCallId", id).put("ring", ring);
        body.put("status", Json.text(card, "status").orElse("completed"));
        body.put("result", text(card));
        copy(card, body, "content");
        copy(card, body, "rawOutput");
        copy(card, body, "locations");
        return body;
    }

    private static void copy(ObjectNode from, ObjectNode to, String field) {
        JsonNode value = from.path(field);
        if (!value.isMissingNode() && !value.isNull()) {
            to.set(field, value.deepCopy());
        }
    }

    /** What a reader without cards would want to see. */
    private String text(ObjectNode card) {
        StringBuilder text = new StringBuilder();
        for (JsonNode piece : card.path("content")) {
            String type = Json.text(piece, "type").orElse("");
            String words =
                    switch (type) {
                        case "content" -> Json.text(piece.path("content"), "text").orElse("");
                        case "diff" -> "Changed " + Json.text(piece, "path").orElse("a file");
                        case "terminal" ->
                                terminals
                                        .output(Json.text(piece, "terminalId").orElse(""))
                                        .flatMap(output -> Json.text(output, "output"))
                                        .orElse("");
                        default -> "";
                    };
            text.append(text.isEmpty() || words.isEmpty() ? "" : "\n").append(words);
        }
        JsonNode raw = card.path("rawOutput");
        if (text.isEmpty() && !raw.isMissingNode() && !raw.isNull()) {
            return raw.isString() ? raw.stringValue() : Json.write(raw);
        }
        return text.toString();
    }
}

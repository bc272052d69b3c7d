package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Results and errors as text for models and people: the last stop of words from pages. */
public final class ToolText {
    /** What a tool is called for comes last, as a block of its own. */
    private static final List<String> BLOCKS =
            List.of("content", "text", "outerHTML", "dom", "component", "css", "guide", "diff");

    private static final int MAX_CHARS = 200_000;

    /** Errors whose sentence can quote the page. */
    private static final Set<ErrorCode> QUOTING =
            Set.of(ErrorCode.EXECUTION_FAILED, ErrorCode.RESTRICTED_URL, ErrorCode.TIMEOUT);

    private ToolText() {}

    /** What is ours first, then everything a page wrote between one pair of marks. */
    public static String of(ToolResult result, Untrusted marks) {
        if (result.tool().group().equals("annotation")) {
            return result.data().path("message").asString("");
        }
        StringBuilder ours = new StringBuilder();
        StringBuilder theirs = new StringBuilder();
        boolean trusted = result.tool().group().equals("guidance");
        render(cut(result.data()), ours, trusted ? ours : theirs, new WorthSaying());
        if (!theirs.isEmpty()) {
            ours.append(ours.isEmpty() ? "" : "\n").append(marks.mark(theirs.toString()));
        }
        return ours.isEmpty() ? "ok" : ours.toString();
    }

    private static void render(
            ObjectNode data, StringBuilder ours, StringBuilder theirs, WorthSaying facts) {
        facts.next(data);
        for (Map.Entry<String, JsonNode> entry : data.properties()) {
            String name = entry.getKey();
            JsonNode value = entry.getValue();
            if (name.equals("results") && value.isArray()) {
                steps(value, theirs, facts);
            } else if (!BLOCKS.contains(name) && facts.worth(name, value, data)) {
                line(Untrusted.ours(name, value) ? ours : theirs, name, value);
            }
        }
        for (String block : BLOCKS) {
            String text = data.path(block).asString("");
            if (!text.isEmpty()) {
                theirs.append(theirs.isEmpty() ? "" : "\n").append(text);
            }
        }
    }

    private static void steps(JsonNode results, StringBuilder theirs, WorthSaying facts) {
        for (JsonNode step : results) {
            boolean ok = step.path("ok").asBoolean();
            theirs.append(theirs.isEmpty() ? "" : "\n").append("step ");
            theirs.append(step.path("i").asInt()).append(ok ? " ok" : " failed");
            if (ok && step.path("data") instanceof ObjectNode data) {
                render(data, theirs, theirs, facts);
            } else if (!ok) {
                theirs.append(": ").append(Json.write(step.path("error")));
            }
        }
    }

    public static ObjectNode structured(ToolResult result, Untrusted marks) {
        return structured(result.tool(), result.data(), marks);
    }

    public static ObjectNode structured(Tool tool, ObjectNode data, Untrusted marks) {
        return switch (tool.group()) {
            case "guidance" -> data;
            case "annotation" -> AnnotateTool.marked(data, marks);
            default -> marks.markAll(data);
        };
    }

    /** What happened, with marks where the sentence can quote the page. */
    public static String sentence(TandemException failure, Untrusted marks) {
        return QUOTING.contains(failure.code()) ? marks.mark(failure.message()) : failure.message();
    }

    /** A failure as data: its sentence as {@code error}, and its details. */
    public static ObjectNode failureData(TandemException failure, Untrusted marks) {
        ObjectNode data = Json.object().put("error", sentence(failure, marks));
        data.set("details", marks.markAll(failure.details()));
        return data;
    }

    /** What happened, why, and what to do. */
    public static String failure(TandemException failure, Untrusted marks) {
        StringBuilder text = new StringBuilder();
        text.append('[').append(failure.code().code()).append("] ");
        text.append(sentence(failure, marks));
        text.append("\n").append(Untrusted.clean(failure.hint()));
        ObjectNode details = failure.details();
        details.remove("hint");
        if (!details.isEmpty()) {
            text.append("\ndetails: ").append(Json.write(marks.markAll(details)));
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String name, JsonNode value) {
        text.append(text.isEmpty() ? "" : "\n").append(name).append(": ");
        text.append(value.isString() ? value.stringValue() : Json.write(value));
    }

    /** Cuts before marking, so that the closing mark is never lost. */
    private static ObjectNode cut(ObjectNode data) {
        ObjectNode copy = data.deepCopy();
        if (copy.has("dom") && Json.flag(copy, "truncated", false)) {
            copy.put("hint", "the text goes on; snapshot and dom_get_text read the rest in parts");
        }
        for (String block : BLOCKS) {
            String text = copy.path(block).asString("");
            if (text.length() > MAX_CHARS) {
                copy.put(block, text.substring(0, MAX_CHARS));
                copy.put(
                        "hint",
                        "cut after "
                                + MAX_CHARS
                                + " characters; ask for less, or go on with the cursor");
            }
        }
        return copy;
    }
}

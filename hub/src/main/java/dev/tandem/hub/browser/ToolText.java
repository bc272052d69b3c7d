package dev.tandem.hub.browser;

import dev.tandem.hub.guidance.Skills;
import dev.tandem.protocol.EmptySnapshot;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Results and errors as text for models and people: the last stop of words from pages. */
public final class ToolText {
    /** What a tool is called for comes last, as a block of its own. */
    private static final List<String> BLOCKS =
            List.of(
                    "content",
                    "text",
                    "outerHTML",
                    "dom",
                    "component",
                    "css",
                    "guide",
                    "diff",
                    ConsoleText.FIELD);

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
        WorthSaying facts = new WorthSaying();
        ObjectNode data = cut(trusted ? guidance(result.data(), marks) : result.data());
        JsonNode steps = data.path("results");
        if (result.tool().name().equals("run") && steps.isArray()) {
            ours.append(outcome(steps));
            steps(steps, result.asked().path("steps"), theirs, facts);
        } else {
            render(data, result.asked(), ours, trusted ? ours : theirs, facts);
        }
        if (!theirs.isEmpty()) {
            ours.append(ours.isEmpty() ? "" : "\n").append(marks.mark(theirs.toString()));
        }
        return ours.isEmpty() ? "ok" : ours.toString();
    }

    private static void render(
            ObjectNode whole,
            JsonNode asked,
            StringBuilder ours,
            StringBuilder theirs,
            WorthSaying facts) {
        ObjectNode data = ConsoleText.compact(whole);
        facts.next(data, asked);
        for (Map.Entry<String, JsonNode> entry : data.properties()) {
            String name = entry.getKey();
            JsonNode value = entry.getValue();
            if (!BLOCKS.contains(name) && facts.worth(name, value, data)) {
                line(Untrusted.ours(name, value) ? ours : theirs, name, value);
            }
        }
        if (!data.path("downloads").isEmpty()) {
            ours.append(ours.isEmpty() ? "" : "\n").append("a download began");
        }
        for (String block : BLOCKS) {
            String text = data.path(block).asString("");
            if (!text.isEmpty()) {
                theirs.append(theirs.isEmpty() ? "" : "\n").append(text);
            }
        }
        if (data.has("snapshotId") && data.path("content").asString("").isEmpty()) {
            ours.append(ours.isEmpty() ? "" : "\n").append(EmptySnapshot.words(asked));
        }
        if (data.has("diff")
                && data.path("diff").asString("").isEmpty()
                && !Json.flag(data, "truncated", false)) {
            ours.append(ours.isEmpty() ? "" : "\n").append("nothing else changed");
        }
    }

    /** How the steps went, in words of ours: what a page says of it counts for nothing. */
    private static String outcome(JsonNode results) {
        String failed =
                results.valueStream()
                        .filter(step -> !step.path("ok").asBoolean())
                        .map(step -> step.path("i").asString())
                        .collect(Collectors.joining(", "));
        return failed.isEmpty() ? "ok" : "step " + failed + " failed";
    }

    /** Only what steps have to say; which one says it, where that is neither the last nor clear. */
    private static void steps(
            JsonNode results, JsonNode asked, StringBuilder theirs, WorthSaying facts) {
        for (JsonNode step : results) {
            int index = step.path("i").asInt();
            StringBuilder said = new StringBuilder();
            if (!step.path("ok").asBoolean()) {
                said.append(Json.write(step.path("error")));
            } else if (step.path("data") instanceof ObjectNode data) {
                render(data, asked.path(index).path("args"), said, said, facts);
            }
            if (said.isEmpty()) {
                continue;
            }
            theirs.append(theirs.isEmpty() ? "" : "\n");
            boolean last = index == results.size() - 1;
            if (!last && !asked.path(index).path("action").asString("").equals("goto")) {
                theirs.append("step ").append(index).append(":\n");
            }
            theirs.append(said);
        }
    }

    public static ObjectNode structured(ToolResult result, Untrusted marks) {
        return structured(result.tool(), result.data(), marks);
    }

    public static ObjectNode structured(Tool tool, ObjectNode data, Untrusted marks) {
        return switch (tool.group()) {
            case "guidance" -> guidance(data, marks);
            case "annotation" -> AnnotateTool.marked(data, marks);
            default -> marks.markAll(data);
        };
    }

    /** Skill packs are the user's or ours, but for those that a project brought along. */
    private static ObjectNode guidance(ObjectNode data, Untrusted marks) {
        ObjectNode copy = data.deepCopy();
        copy.path("skills").forEach(skill -> markProject((ObjectNode) skill, marks));
        markProject(copy, marks);
        return copy;
    }

    private static void markProject(ObjectNode skill, Untrusted marks) {
        if (skill.path("source").asString("").equals(Skills.PROJECT)) {
            for (String words : List.of("description", "version", "content")) {
                Json.text(skill, words).ifPresent(text -> skill.put(words, marks.mark(text)));
            }
        }
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

    /** A failure as MCP answers it: words for the model, and the facts for its program. */
    public static ObjectNode failed(TandemException failure) {
        ObjectNode answer = Json.object();
        answer.putArray("content")
                .addObject()
                .put("type", "text")
                .put("text", failure(failure, new Untrusted()));
        ObjectNode facts = failure.toJson();
        facts.retain("code", "retryable", "toolCode");
        answer.putObject("_meta").set("tandem/error", facts);
        return answer.put("isError", true);
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
                boolean half = Character.isHighSurrogate(text.charAt(MAX_CHARS - 1));
                copy.put(block, text.substring(0, half ? MAX_CHARS - 1 : MAX_CHARS));
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

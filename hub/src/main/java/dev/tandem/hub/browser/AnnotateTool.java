package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** annotate: asks the person to mark elements, over a channel that is not this package's. */
public final class AnnotateTool {
    private final Annotator annotator;
    private final Artifacts artifacts;

    /** Whoever can show a person the picker. */
    public interface Annotator {
        /** Waits for the person; fails with a {@link TandemException}. */
        Answer ask(Question question);

        /** What people sent while nobody asked. */
        Answer stored();
    }

    /**
     * One annotation.
     *
     * @param command the payload of an annotationCommand
     */
    public record Question(
            OpsClient client, String browserId, ObjectNode command, int timeoutMs, Watch watch) {}

    /**
     * What the person did.
     *
     * @param payload empty when they cancelled
     * @param message for the reader; page words in it are already marked
     */
    public record Answer(Optional<ObjectNode> payload, String message) {}

    public AnnotateTool(ToolRunner runner, Annotator annotator, Artifacts artifacts) {
        this.annotator = annotator;
        this.artifacts = artifacts;
        runner.with("annotate", this::annotate);
    }

    private ToolResult annotate(ToolCall call) throws IOException {
        OpsSession session = call.requireSession();
        Answer answer =
                call.flag("stored") ? annotator.stored() : annotator.ask(question(call, session));
        ObjectNode data = Json.object().put("message", answer.message());
        if (answer.payload().isEmpty()) {
            return ToolResult.of(call.tool(), data.put("cancelled", true));
        }
        ObjectNode details = answer.payload().get().deepCopy();
        Optional<ToolResult.Picture> picture = pictures(call, session, details, data);
        data.set("details", details);
        return new ToolResult(call.tool(), data, picture);
    }

    private static Question question(ToolCall call, OpsSession session) {
        ObjectNode command = Json.object().put("version", 1);
        command.put("requestId", UUID.randomUUID().toString()).put("command", "start");
        if (call.arguments().has("tabId")) {
            command.set("tabId", call.arguments().get("tabId"));
        } else if (call.text("url").isPresent()) {
            command.put("url", call.text("url").get());
        } else {
            command.put(
                    "tabId",
                    tabOf(session.current(call.text("targetId").orElse(session.activeTargetId()))));
        }
        ObjectNode options = command.putObject("options");
        options.put("screenshotMode", call.text("screenshotMode").orElse("visible"));
        options.put("debug", call.flag("debug"));
        call.text("context").ifPresent(context -> options.put("context", context));
        return new Question(
                call.client(), session.browser().id(), command, call.timeoutMs(), call.watch());
    }

    /** Targets are named after the tabs they are. */
    private static int tabOf(String targetId) {
        try {
            return Integer.parseInt(targetId.substring(targetId.lastIndexOf('-') + 1));
        } catch (NumberFormatException e) {
            throw new TandemException(
                    ErrorCode.INVALID_REQUEST, "Unknown targetId", "unknown_target");
        }
    }

    /** Pictures become files; they stay in the answer only where the caller wants them. */
    private Optional<ToolResult.Picture> pictures(
            ToolCall call, OpsSession session, ObjectNode details, ObjectNode data)
            throws IOException {
        Optional<ToolResult.Picture> first = Optional.empty();
        ArrayNode files = Json.array();
        for (JsonNode shot : details.path("screenshots")) {
            String base64 = shot.path("base64").asString("");
            byte[] bytes = Base64.getDecoder().decode(base64);
            Path file = artifacts.writeNew(session.shelf(), "annotate", "capture.png", bytes);
            files.addObject().put("id", shot.path("id").asString("")).put("path", file.toString());
            if (first.isEmpty() && call.flag("includeScreenshots")) {
                first = Optional.of(new ToolResult.Picture("image/png", base64));
            }
        }
        details.remove("screenshots");
        if (!files.isEmpty()) {
            data.set("screenshots", files);
        }
        return first;
    }

    /**
     * Marks what the page wrote, names of attributes and styles included; the notes, the context
     * and our own sentence stay the person's.
     */
    static ObjectNode marked(ObjectNode data, Untrusted marks) {
        ObjectNode copy = marks.markAll(data);
        copy.set("message", data.path("message"));
        if (data.path("details") instanceof ObjectNode details) {
            copy.set("details", marks.markEvery(details));
        }
        restore(data.path("details"), copy.path("details"));
        JsonNode compact = data.path("details").path("compact");
        restore(compact, copy.path("details").path("compact"));
        return copy;
    }

    private static void restore(JsonNode from, JsonNode to) {
        if (to instanceof ObjectNode target && from.has("context")) {
            target.put("context", Untrusted.clean(from.path("context").asString("")));
        }
        for (String list : new String[] {"annotations", "items"}) {
            for (int i = 0; i < from.path(list).size(); i++) {
                // Marks are counted by the picker; what they say is the person's.
                for (String field : new String[] {"id", "note", "screenshotId"}) {
                    JsonNode own = from.path(list).get(i).path(field);
                    if (own.isString() && to.path(list).get(i) instanceof ObjectNode item) {
                        item.put(field, Untrusted.clean(own.stringValue()));
                    }
                }
            }
        }
    }
}

package dev.tandem.hub.ambient;

import dev.tandem.hub.sessions.Entry;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A log entry as a durable message of this API; some entries have no such face. */
final class MessageView {
    static final String CUT = "... (truncated)";
    private static final int RESULT_CHARS = Limits.of("toolResultViewChars");
    static final int LINE_BYTES = Limits.of("streamLineBytes");

    /** As JSON a character takes up to six bytes. */
    private static final int PIECE_CHARS = LINE_BYTES / 8;

    private MessageView() {}

    static Optional<ObjectNode> of(Entry entry) {
        return payload(entry).map(said -> whole(entry, said));
    }

    private record Said(String type, String payload) {
        Said(String type, ObjectNode payload) {
            this(type, Json.write(payload));
        }
    }

    private static ObjectNode whole(Entry entry, Said said) {
        ObjectNode message = Json.object().put("id", entry.id());
        message.put("session_id", entry.sessionId()).put("seq", entry.seq());
        message.put("event_type", said.type).put("payload", said.payload);
        message.put("created_at", Resource.time(entry.createdAt()));
        entry.clientMessageId().ifPresent(id -> message.put("client_message_id", id));
        // Some clients read at most 1 MiB a line.
        String text = said.payload;
        while (Json.bytes(message).length > LINE_BYTES) {
            text = start(text, text.length() / 2);
            message.put("payload", text + CUT);
        }
        return message;
    }

    private static Optional<Said> payload(Entry entry) {
        ObjectNode body = entry.body();
        return switch (entry.kind()) {
            case USER ->
                    body.path("withdrawn").asBoolean(false)
                            ? Optional.empty()
                            : Optional.of(new Said("user", text(body, "text")));
            case ASSISTANT -> Optional.of(new Said("assistant", text(body, "text")));
            case THOUGHT -> Optional.empty();
            case TOOL_USE -> Optional.of(new Said("tool_use", use(body)));
            case TOOL_RESULT -> Optional.of(new Said("tool_result", result(body)));
            case PLAN -> Optional.of(new Said("system", custom("acp:plan", body)));
            case PERMISSION ->
                    Optional.of(
                            new Said(
                                    "system",
                                    custom("acp:permission_" + text(body, "state"), body)));
            case LIFECYCLE -> Optional.of(new Said("lifecycle", body));
            case ERROR -> Optional.of(new Said("error", body));
            case SYSTEM -> Optional.of(system(body));
        };
    }

    private static Said system(ObjectNode body) {
        String name = text(body, "event");
        boolean error = name.toLowerCase(Locale.ROOT).contains("error");
        return new Said(error ? "error" : "system", custom(name, body.path("value")));
    }

    private static ObjectNode custom(String name, JsonNode value) {
        ObjectNode custom = Json.object().put("custom_event", name);
        return value.isMissingNode() ? custom : custom.set("value", value);
    }

    private static ObjectNode use(ObjectNode body) {
        ObjectNode use = Json.object().put("tool", text(body, "tool"));
        use.put("tool_call_id", text(body, "toolCallId"));
        JsonNode input = body.path("input");
        JsonNode known = shortened(input.isMissingNode() ? Json.object() : input);
        if (known.isObject()) {
            use.set("input", known);
        } else {
            use.putObject("input").set("value", known);
        }
        return use;
    }

    /** The value, or the beginning of it as text where it would make a line too long. */
    static JsonNode shortened(JsonNode value) {
        String written = Json.write(value);
        return written.length() > PIECE_CHARS
                ? Json.object().put("raw", start(written, PIECE_CHARS) + CUT)
                : value;
    }

    /** A text in parts that are short enough for a line each; none for an empty one. */
    static List<String> pieces(String text) {
        List<String> pieces = new ArrayList<>();
        for (int at = 0, end; at < text.length(); at = end) {
            end = wholeUntil(text, at + PIECE_CHARS);
            pieces.add(text.substring(at, end));
        }
        return pieces;
    }

    private static ObjectNode result(ObjectNode body) {
        return Json.object()
                .put("tool_call_id", text(body, "toolCallId"))
                .put("result", cut(text(body, "result")));
    }

    /** A tool's result as far as it is shown. */
    static String cut(String result) {
        return result.length() > RESULT_CHARS ? start(result, RESULT_CHARS) + CUT : result;
    }

    /** The beginning of a text, never half a character. */
    static String start(String text, int chars) {
        return text.substring(0, wholeUntil(text, chars));
    }

    /** That index, or the one before it where it would part a character in two. */
    private static int wholeUntil(String text, int index) {
        if (index <= 0 || index >= text.length()) {
            return Math.clamp(index, 0, text.length());
        }
        return Character.isHighSurrogate(text.charAt(index - 1)) ? index - 1 : index;
    }

    static String text(JsonNode body, String field) {
        return Json.text(body, field).orElse("");
    }
}

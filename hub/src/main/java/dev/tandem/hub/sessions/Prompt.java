package dev.tandem.hub.sessions;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message to an agent.
 *
 * @param content ACP blocks; empty when the text is all
 * @param clientMessageId the sender's own id, at most 64 characters; the same again stores nothing
 * @param sender which surface it came from, for the others; may be empty
 */
public record Prompt(
        String text, ArrayNode content, Optional<String> clientMessageId, String sender) {
    private static final int MAX_BYTES = 16 * 1024 * 1024;

    public static Prompt of(String text) {
        return new Prompt(text, Json.array(), Optional.empty(), "");
    }

    /** From ACP blocks; the text is what they say together. */
    public static Prompt of(ArrayNode content, Optional<String> clientMessageId, String sender) {
        StringBuilder text = new StringBuilder();
        for (JsonNode block : content) {
            String words = Json.text(block, "text").orElse("");
            text.append(text.isEmpty() || words.isEmpty() ? "" : "\n").append(words);
        }
        return new Prompt(text.toString(), content, clientMessageId, sender);
    }

    SessionLog.Draft draft() {
        if (text.isBlank() && content.isEmpty()) {
            throw new TandemException(ErrorCode.BAD_REQUEST, "The message is empty.");
        }
        if (clientMessageId.map(String::length).orElse(0) > 64) {
            throw new TandemException(
                    ErrorCode.BAD_REQUEST, "client_message_id has at most 64 characters.");
        }
        ObjectNode body = Json.object().put("text", text);
        if (!content.isEmpty()) {
            body.set("content", content.deepCopy());
        }
        if (!sender.isEmpty()) {
            body.put("sender", sender);
        }
        if (Json.bytes(body).length > MAX_BYTES) {
            throw new TandemException(ErrorCode.PAYLOAD_TOO_LARGE, "A message has at most 16 MiB.");
        }
        return new SessionLog.Draft(Entry.Kind.USER, body, clientMessageId);
    }
}

package dev.tandem.hub.chat;

import dev.tandem.protocol.Json;
import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/**
 * One user message and the turn it leads to.
 *
 * @param id of the assistant's message, of its stream and of the job: they are the same
 * @param startedAt 0 while it waits
 * @param completedAt 0 until it is over
 */
record Job(
        String id,
        String sessionId,
        long userSeq,
        String userMessageId,
        Status status,
        long createdAt,
        long startedAt,
        long completedAt,
        String error) {

    enum Status {
        PENDING,
        PROCESSING,
        COMPLETED,
        FAILED,
        CANCELLED;

        String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        boolean over() {
            return this != PENDING && this != PROCESSING;
        }
    }

    /** The id of the answer to a user's message. */
    static String idOf(String userMessageId) {
        return "a-" + userMessageId;
    }

    ObjectNode toJson() {
        ObjectNode json = Json.object().put("id", id).put("type", "chat_message");
        json.putObject("data").put("sessionId", sessionId).put("userMessageId", userMessageId);
        json.put("streamId", id).put("status", status.word());
        json.put("createdAt", Instant.ofEpochMilli(createdAt).toString());
        if (startedAt > 0) {
            json.put("startedAt", Instant.ofEpochMilli(startedAt).toString());
        }
        if (completedAt > 0) {
            json.put("completedAt", Instant.ofEpochMilli(completedAt).toString());
        }
        return error.isEmpty() ? json : json.put("error", error);
    }
}

package dev.tandem.hub.sessions;

import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * One durable entry of a session's log.
 *
 * @param seq strictly increasing within the session, without gaps
 * @param body what it says; the fields depend on the kind
 * @param clientMessageId the sender's own id, so that a repeated send stores nothing
 */
public record Entry(
        String sessionId,
        long seq,
        String id,
        Kind kind,
        ObjectNode body,
        Optional<String> clientMessageId,
        long createdAt) {

    /** What an entry is. */
    public enum Kind {
        /** A prompt: {@code {text, content?[ACP blocks], answer?}}. */
        USER,
        /** A finished block of the agent's text: {@code {text, messageId, partial?}}. */
        ASSISTANT,
        /** A finished block of the agent's reasoning: {@code {text, messageId}}. */
        THOUGHT,
        /** A tool call once its input is known: {@code {toolCallId, tool, title, kind, input}}. */
        TOOL_USE,
        /** A tool call's end: {@code {toolCallId, status, result, content?}}. */
        TOOL_RESULT,
        /** The agent's plan: {@code {entries}}. */
        PLAN,
        /** A permission request or its answer: {@code {requestId, state, …}}. */
        PERMISSION,
        /** A turn's or the session's change: {@code {event, stopReason?, reason?, usage?}}. */
        LIFECYCLE,
        /** What went wrong: {@code {error, code}}. */
        ERROR,
        /** Everything else worth keeping: {@code {event, value}}. */
        SYSTEM;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Kind of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }
}

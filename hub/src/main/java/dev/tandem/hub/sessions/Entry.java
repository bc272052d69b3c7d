package dev.tandem.hub.sessions;

import dev.tandem.protocol.Json;
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

    /** A string of the body. */
    public Optional<String> text(String field) {
        return Json.text(body, field);
    }

    /** What an entry is. */
    public enum Kind {
        /**
         * A prompt: {@code {text, content?[ACP blocks], sender?, editedAt?, withdrawn?}}. It is
         * delivered by the {@code run_started} that names its seq.
         */
        USER,
        /**
         * A finished block of the agent's text: {@code {text, messageId, ring, content?[blocks that
         * are not only text], partial?}}.
         */
        ASSISTANT,
        /** A finished block of the agent's reasoning: {@code {text, messageId, ring}}. */
        THOUGHT,
        /**
         * A tool call once its input is known: {@code {toolCallId, tool, title, kind?, input,
         * locations?}}.
         */
        TOOL_USE,
        /**
         * A tool call's end: {@code {toolCallId, ring, status, result, content?, rawOutput?,
         * locations?}}; status is completed, failed or cancelled.
         */
        TOOL_RESULT,
        /** The agent's plan: {@code {entries}} and what else the agent's update holds. */
        PLAN,
        /**
         * A permission request or its end: {@code {requestId, state:"requested", card}} or {@code
         * {requestId, state:"resolved", outcome, optionId?, by}}.
         */
        PERMISSION,
        /**
         * A turn's or the session's change: {@code {event:"run_started", runId, prompt:seq}},
         * {@code {event:"run_finished", runId, stopReason, forced?, usage?, answer?, error?,
         * problem?}}, where answer has the other fields of the agent's, and {@code
         * {event:"session_stopped", phase, reason, message, again?}}.
         */
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

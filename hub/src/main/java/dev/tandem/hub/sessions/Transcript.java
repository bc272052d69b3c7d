package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.ToolCards;
import dev.tandem.protocol.Json;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns what one session's agent says into live deltas and durable entries. Updates come one at a
 * time; keeping unfinished text may run beside them.
 */
final class Transcript {
    private static final Set<String> FINAL = Set.of("completed", "failed", "cancelled");
    private static final Set<String> STATE =
            Set.of(
                    "available_commands_update",
                    "config_option_update",
                    "current_mode_update",
                    "session_info_update",
                    "usage_update",
                    "user_message_chunk",
                    "compaction_summary_chunk",
                    "session_message_chunk");

    private static final Map<String, Entry.Kind> TOLD =
            Map.of(
                    "user_message_chunk",
                    Entry.Kind.USER,
                    "agent_message_chunk",
                    Entry.Kind.ASSISTANT,
                    "agent_thought_chunk",
                    Entry.Kind.THOUGHT);

    private final String sessionId;
    private final SessionLog log;
    private final Unfinished unfinished;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final ToolCards cards = new ToolCards();
    private final ToolEntries tools;
    private final UntilStored storing;
    private @Nullable TextBlock open;

    Transcript(
            String sessionId,
            SessionLog log,
            Unfinished unfinished,
            ToolEntries.Terminals terminals,
            UntilStored storing,
            Clock clock) {
        this.sessionId = sessionId;
        this.log = log;
        this.unfinished = unfinished;
        this.tools = new ToolEntries(terminals);
        this.storing = storing;
        this.clock = clock;
    }

    /** Takes one {@code session/update}. */
    void update(ObjectNode update) {
        String kind = Json.text(update, "sessionUpdate").orElse("");
        lock.lock();
        try {
            switch (kind) {
                case "agent_message_chunk" -> chunk(Entry.Kind.ASSISTANT, update);
                case "agent_thought_chunk" -> chunk(Entry.Kind.THOUGHT, update);
                case "tool_call", "tool_call_update" -> tool(update);
                case "plan" -> whole(Entry.Kind.PLAN, plan(update), update);
                default -> other(kind, update);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes an update of an old conversation, in which the agent tells the user's words, too. It is
     * shown when it is written down: nobody follows what was said long ago.
     */
    void past(ObjectNode update) {
        Entry.Kind kind = TOLD.get(Json.text(update, "sessionUpdate").orElse(""));
        if (kind == null) {
            update(update);
            return;
        }
        lock.lock();
        try {
            block(kind, update).add(update.path("content"));
        } finally {
            lock.unlock();
        }
    }

    /** A permission request may be the first to name a tool call. */
    void mention(ObjectNode toolCall) {
        if (Json.text(toolCall, "toolCallId").orElse("").isEmpty()) {
            return;
        }
        lock.lock();
        try {
            tool(toolCall.deepCopy().put("sessionUpdate", "tool_call_update"));
        } finally {
            lock.unlock();
        }
    }

    /** Stores what was said since the last time; called every half second. */
    void keep(boolean turnRuns) {
        lock.lock();
        try {
            TextBlock block = open;
            if (block == null) {
                return;
            }
            if (!turnRuns) {
                append(List.of());
            } else if (block.changed()) {
                unfinished.keep(sessionId, block.id(), block.kind(), block.body());
                block.kept();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends a turn: unfinished text and tool calls become entries together with those given.
     *
     * @param partial the agent did not come to its end
     */
    void end(boolean partial, List<SessionLog.Draft> after) {
        end(partial, after, "", () -> {});
    }

    /**
     * @param waiting a tool call that stays open for the user's answer; empty for none
     * @param stored run once the end is durable and nobody has been told of it
     */
    void end(boolean partial, List<SessionLog.Draft> after, String waiting, Runnable stored) {
        lock.lock();
        try {
            List<SessionLog.Draft> drafts = new ArrayList<>(tools.cancelOpen(cards, waiting));
            drafts.addAll(after);
            if (open != null && partial) {
                open.markPartial();
            }
            append(drafts, stored);
        } finally {
            lock.unlock();
        }
    }

    private void chunk(Entry.Kind kind, ObjectNode update) {
        TextBlock block = block(kind, update);
        block.add(update.path("content"));
        block.ring(log.feed(sessionId).publish(block.id(), update));
    }

    /** The text that this chunk goes on with, or a new one. */
    private TextBlock block(Entry.Kind kind, ObjectNode update) {
        String agentsId = Json.text(update, "messageId").orElse("");
        TextBlock block = open;
        if (block == null || !block.continues(kind, agentsId)) {
            append(List.of());
            block = new TextBlock("m-" + Ids.next(clock), kind, agentsId);
            open = block;
        }
        return block;
    }

    private void tool(ObjectNode update) {
        append(List.of());
        ObjectNode card = cards.merge(update);
        String id = Json.text(update, "toolCallId").orElse("");
        long ring = log.feed(sessionId).publish(id, update);
        append(tools.entries(id, card, ring));
    }

    private static ObjectNode plan(ObjectNode update) {
        ObjectNode body = update.deepCopy();
        body.remove("sessionUpdate");
        return body;
    }

    private void other(String kind, ObjectNode update) {
        if (STATE.contains(kind)) {
            log.feed(sessionId).publish(update);
        } else {
            ObjectNode body = Json.object().put("event", "acp:" + kind);
            whole(Entry.Kind.SYSTEM, body.set("value", update), update);
        }
    }

    private void whole(Entry.Kind kind, ObjectNode body, ObjectNode update) {
        append(List.of(new SessionLog.Draft(kind, body)));
        log.feed(sessionId).publish(update);
    }

    /** The open text first, then these, in one transaction. */
    private void append(List<SessionLog.Draft> drafts) {
        append(drafts, () -> {});
    }

    private void append(List<SessionLog.Draft> drafts, Runnable stored) {
        TextBlock block = open;
        if (block == null && drafts.isEmpty()) {
            return;
        }
        List<SessionLog.Draft> all = new ArrayList<>();
        if (block != null) {
            all.add(new SessionLog.Draft(block.kind(), block.body()));
        }
        all.addAll(drafts);
        if (block == null) {
            storing.run(() -> log.appendAll(sessionId, all, (sql, appended) -> {}, stored));
        } else {
            storing.run(() -> unfinished.finish(sessionId, block.id(), all, stored));
            open = null;
        }
    }

    /** The tool call as it is known now. */
    Optional<ObjectNode> card(String toolCallId) {
        lock.lock();
        try {
            return cards.card(toolCallId);
        } finally {
            lock.unlock();
        }
    }

    static boolean isFinal(JsonNode card) {
        return FINAL.contains(Json.text(card, "status").orElse(""));
    }
}

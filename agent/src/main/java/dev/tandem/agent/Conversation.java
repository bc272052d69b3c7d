package dev.tandem.agent;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** One session: its tools, its memory, and at most one turn at a time. */
final class Conversation {
    private final String sessionId;
    private final AcpStdio stdio;
    private final Toolbox tools;
    private final ArrayNode history = Json.array();
    private final AtomicReference<@Nullable Turn> running = new AtomicReference<>();

    Conversation(String sessionId, AcpStdio stdio, Toolbox tools) {
        this.sessionId = sessionId;
        this.stdio = stdio;
        this.tools = tools;
    }

    Turn begin(JsonNode prompt) {
        Turn turn = new Turn(sessionId, stdio, tools, prompt, history);
        if (!running.compareAndSet(null, turn)) {
            throw new AcpStdio.Failure(-32600, "A turn is running already.");
        }
        return turn;
    }

    String run(Brain brain, Turn turn) {
        try {
            String reason = brain.answer(turn);
            return turn.isCancelled() ? "cancelled" : reason;
        } catch (Turn.Cancelled cancelled) {
            return "cancelled";
        } finally {
            running.set(null);
        }
    }

    void cancel() {
        Turn turn = running.get();
        if (turn != null) {
            turn.cancel();
        }
    }

    void close() {
        cancel();
        tools.close();
    }
}

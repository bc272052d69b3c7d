package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.TurnEnd;
import dev.tandem.protocol.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Adds up what a session's turns cost. */
final class Usage {
    private static final String[] TOKENS = {
        "inputTokens",
        "outputTokens",
        "totalTokens",
        "thoughtTokens",
        "cachedReadTokens",
        "cachedWriteTokens"
    };

    private Usage() {}

    static void note(SessionStore store, String id, @Nullable TurnEnd end, long durationMs) {
        JsonNode turn = end == null ? Json.object() : end.result().path("usage");
        store.update(
                id,
                fields -> {
                    ObjectNode sum =
                            fields.path("usage") instanceof ObjectNode before
                                    ? before
                                    : fields.putObject("usage");
                    sum.put("turns", sum.path("turns").asInt(0) + 1);
                    sum.put("durationMs", sum.path("durationMs").asLong(0) + durationMs);
                    for (String field : TOKENS) {
                        JsonNode more = turn.path(field);
                        if (more.isNumber()) {
                            sum.put(field, sum.path(field).asLong(0) + more.asLong());
                        }
                    }
                    return fields;
                });
    }
}

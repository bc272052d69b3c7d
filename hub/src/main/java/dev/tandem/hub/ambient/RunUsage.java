package dev.tandem.hub.ambient;

import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** What a run cost, in the words of both: Ambient's result and AG-UI's event. */
final class RunUsage {
    private static final Map<String, String> AMBIENT =
            Map.of(
                    "inputTokens", "input_tokens",
                    "outputTokens", "output_tokens",
                    "cachedReadTokens", "cache_read_input_tokens",
                    "cachedWriteTokens", "cache_creation_input_tokens");
    private static final Map<String, String> AG_UI =
            Map.of(
                    "inputTokens", "inputTokens",
                    "outputTokens", "outputTokens",
                    "totalTokens", "totalTokens",
                    "thoughtTokens", "reasoningTokens",
                    "cachedReadTokens", "cachedInputTokens");

    private RunUsage() {}

    /** Adds it to the end of a run, which has a {@code result}. */
    static void tell(ObjectNode usage, ObjectNode finished) {
        copy(usage, AMBIENT, ((ObjectNode) finished.get("result")).putObject("usage"));
        copy(usage, AG_UI, finished.putArray("usage").addObject());
    }

    private static void copy(ObjectNode from, Map<String, String> names, ObjectNode to) {
        names.forEach((name, as) -> {
            if (from.path(name).isIntegralNumber()) {
                to.set(as, from.get(name));
            }
        });
    }
}

package dev.tandem.protocol;

import tools.jackson.databind.JsonNode;

/** What a snapshot without a line means, by what was asked for. */
public final class EmptySnapshot {
    private EmptySnapshot() {}

    public static String words(JsonNode asked) {
        if (asked.has("find")) {
            return "nothing on the page matches";
        }
        return asked.has("since") ? "nothing changed" : "the page shows nothing";
    }
}

package dev.tandem.hub.sessions;

import dev.tandem.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** What the user gave the agent to do, as the log keeps it. */
record GivenPrompt(Entry entry) {
    private static final Pattern ADDRESS = Pattern.compile("https?://[^\\s\"'<>)\\]]+");

    /** What a page wrote, as an annotation brings it along. */
    private static final Pattern OF_A_PAGE = Pattern.compile("(?s)⟦page (\\w+)⟧.*?⟦/page \\1⟧");

    String text() {
        return entry.text("text").orElse("");
    }

    /** Sites the user named: in words of their own, or as a page that was attached. */
    List<String> sites() {
        String own = OF_A_PAGE.matcher(text()).replaceAll(" ");
        List<String> named =
                new ArrayList<>(ADDRESS.matcher(own).results().map(MatchResult::group).toList());
        for (JsonNode block : entry.body().path("content")) {
            Json.text(block, "uri").ifPresent(named::add);
            Json.text(block.path("resource"), "uri").ifPresent(named::add);
        }
        return named;
    }

    /** Its content blocks; words alone are one. */
    ArrayNode blocks() {
        if (entry.body().path("content") instanceof ArrayNode content && !content.isEmpty()) {
            return content.deepCopy();
        }
        ArrayNode blocks = Json.array();
        blocks.addObject().put("type", "text").put("text", text());
        return blocks;
    }
}

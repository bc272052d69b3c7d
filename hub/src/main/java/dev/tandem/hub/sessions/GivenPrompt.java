package dev.tandem.hub.sessions;

import dev.tandem.protocol.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** What the user gave the agent to do, as the log keeps it. */
record GivenPrompt(Entry entry) {
    private static final Pattern ADDRESS = Pattern.compile("https?://[^\\s\"'<>)\\]]+");

    /** Around what a page wrote, as an annotation brings it along. */
    private static final Pattern MARK = Pattern.compile("⟦(/?)page (\\w+)⟧");

    String text() {
        return entry.text("text").orElse("");
    }

    /** Sites the user named: in words of their own, or as a page that was attached. */
    List<String> sites() {
        String own = withoutPages(text());
        List<String> named =
                new ArrayList<>(ADDRESS.matcher(own).results().map(MatchResult::group).toList());
        for (JsonNode block : entry.body().path("content")) {
            Json.text(block, "uri").ifPresent(named::add);
            Json.text(block.path("resource"), "uri").ifPresent(named::add);
        }
        return named;
    }

    /** The words that stand between no two marks that belong together. */
    private static String withoutPages(String text) {
        List<MatchResult> marks = MARK.matcher(text).results().toList();
        Map<String, Deque<MatchResult>> ends = new HashMap<>();
        for (MatchResult mark : marks) {
            if (!mark.group(1).isEmpty()) {
                ends.computeIfAbsent(mark.group(2), _ -> new ArrayDeque<>()).add(mark);
            }
        }
        StringBuilder own = new StringBuilder();
        int read = 0;
        for (MatchResult mark : marks) {
            if (mark.group(1).isEmpty() && mark.start() >= read) {
                Deque<MatchResult> ending = ends.getOrDefault(mark.group(2), new ArrayDeque<>());
                while (!ending.isEmpty() && ending.element().start() < mark.end()) {
                    ending.remove();
                }
                if (!ending.isEmpty()) {
                    own.append(text, read, mark.start()).append(' ');
                    read = ending.element().end();
                }
            }
        }
        return own.append(text, read, text.length()).toString();
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

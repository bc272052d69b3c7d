package dev.tandem.e2e;

import dev.tandem.protocol.Tool;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** What the tools answered in one browser: the first result of every step. */
final class Findings {
    private final Map<String, JsonNode> results = new TreeMap<>();
    private final Set<String> tools = new TreeSet<>();
    private final Set<String> toolsByRef = new TreeSet<>();

    void add(Tool tool, String step, List<String> words, JsonNode data) {
        tools.add(tool.name());
        if (words.contains("--ref") || words.contains("--root")) {
            toolsByRef.add(tool.name());
        }
        add(step, data);
    }

    void add(String step, JsonNode data) {
        results.putIfAbsent(step, data);
    }

    /** Results by the step that made them. */
    Map<String, JsonNode> results() {
        return results;
    }

    JsonNode result(String step) {
        return Objects.requireNonNull(results.get(step), step);
    }

    Set<String> tools() {
        return tools;
    }

    /** The tools that took a ref of this browser's snapshots. */
    Set<String> toolsByRef() {
        return toolsByRef;
    }
}

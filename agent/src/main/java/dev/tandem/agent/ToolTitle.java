package dev.tandem.agent;

import java.util.Set;
import tools.jackson.databind.JsonNode;

/** How a tool call is named to the person who watches. */
final class ToolTitle {
    private static final Set<String> READS =
            Set.of(
                    "browser_tabs",
                    "browser_read",
                    "snapshot",
                    "screenshot",
                    "dom_get_text",
                    "status");

    private ToolTitle() {}

    static String of(String tool, JsonNode arguments) {
        String place = Json.text(arguments, "url");
        return switch (tool) {
            case "browser_tabs" -> "Look at the open tabs";
            case "browser_read" -> "Read the page";
            case "snapshot" -> "Look at the page's elements";
            case "screenshot" -> "Take a picture of the page";
            case "launch" -> "Take hold of the tab";
            case "status" -> "See whether the tab is still held";
            case "type" -> "Type into " + Json.text(arguments, "ref");
            case "click" -> "Click " + Json.text(arguments, "ref");
            case "select" -> "Choose in " + Json.text(arguments, "ref");
            case "goto" -> "Go to " + place;
            default -> tool;
        };
    }

    static String kind(String tool) {
        if (READS.contains(tool)) {
            return "read";
        }
        return tool.equals("goto") ? "fetch" : "execute";
    }
}

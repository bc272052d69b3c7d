package dev.tandem.cli;

import dev.tandem.protocol.Json;
import tools.jackson.databind.JsonNode;

/** An exported session as a text to read. */
final class Transcript {
    private Transcript() {}

    static String markdown(JsonNode export) {
        StringBuilder out = new StringBuilder("# ");
        out.append(text(export.path("session"), "name")).append("\n");
        for (JsonNode message : export.path("messages")) {
            JsonNode body = message.path("body");
            String when = text(message, "created_at");
            switch (text(message, "kind")) {
                case "user" -> {
                    if (!body.path("withdrawn").asBoolean(false)) {
                        out.append("\n## You, ").append(when).append("\n\n");
                        out.append(text(body, "text")).append('\n');
                    }
                }
                case "assistant" -> out.append('\n').append(text(body, "text")).append('\n');
                case "tool_use" -> out.append("\n- ").append(text(body, "title")).append('\n');
                case "tool_result" -> {
                    if (!text(body, "status").equals("completed")) {
                        out.append("  - ").append(text(body, "status")).append('\n');
                    }
                }
                case "error" -> out.append("\n> ").append(text(body, "error")).append('\n');
                default -> {
                    // of use to programs only
                }
            }
        }
        return out.toString();
    }

    private static String text(JsonNode node, String field) {
        return Json.text(node, field).orElse("");
    }
}

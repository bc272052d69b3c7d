package dev.tandem.agent;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** What a tool answered: MCP content blocks and, where given, the data behind them. */
record ToolResult(boolean failed, ArrayNode content, JsonNode data) {
    private static final int CARD_CHARS = 4_000;

    static ToolResult failure(String text) {
        ArrayNode content = Json.array();
        content.addObject().put("type", "text").put("text", text);
        return new ToolResult(true, content, Json.object());
    }

    static ToolResult of(JsonNode result) {
        ArrayNode content =
                result.path("content") instanceof ArrayNode blocks ? blocks : Json.array();
        JsonNode data = result.path("structuredContent");
        return new ToolResult(
                result.path("isError").asBoolean(false),
                content,
                data.isObject() ? data : Json.object());
    }

    /** All text of it. */
    String text() {
        StringBuilder all = new StringBuilder();
        for (JsonNode block : content) {
            if (Json.text(block, "type").equals("text")) {
                all.append(all.isEmpty() ? "" : "\n").append(Json.text(block, "text"));
            }
        }
        return all.toString();
    }

    /** The same without the marks around what pages wrote: they are for models, not for people. */
    ToolResult unmarked() {
        return new ToolResult(
                failed, (ArrayNode) Json.parse(plain(content)), Json.parse(plain(data)));
    }

    private static String plain(JsonNode marked) {
        return marked.toString().replaceAll("⟦/?page \\w+⟧", "");
    }

    /** A field of the data, or the whole text where the server gave no data. */
    String field(String name) {
        return data.has(name) ? Json.text(data, name) : text();
    }

    /** Whether the user has not answered yet and the same call may be made again. */
    boolean isPending() {
        return failed
                && (Json.text(data, "code").equals("permission_pending")
                        || text().contains("permission_pending"));
    }

    /** The blocks as ACP tool content, long text cut. */
    ArrayNode forCard() {
        ArrayNode card = Json.array();
        for (JsonNode block : content) {
            var shown = card.addObject().put("type", "content").putObject("content");
            if (Json.text(block, "type").equals("image")) {
                shown.put("type", "image")
                        .put("mimeType", Json.text(block, "mimeType"))
                        .put("data", Json.text(block, "data"));
            } else {
                String text = Json.text(block, "text");
                boolean cut = text.length() > CARD_CHARS;
                shown.put("type", "text")
                        .put("text", cut ? text.substring(0, CARD_CHARS) + "\n…" : text);
            }
        }
        return card;
    }
}

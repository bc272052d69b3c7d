package dev.tandem.hub.browser;

import dev.tandem.protocol.Tool;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** What a tool answered: data in the catalogue's shape, and a picture where it took one. */
public record ToolResult(Tool tool, ObjectNode data, Optional<Picture> picture) {

    /** An image as it came from the browser. */
    public record Picture(String mime, String base64) {}

    static ToolResult of(Tool tool, ObjectNode data) {
        return new ToolResult(tool, data, Optional.empty());
    }
}

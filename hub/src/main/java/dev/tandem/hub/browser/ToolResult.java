package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Tool;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a tool answered: data in the catalogue's shape, and a picture where it took one.
 *
 * @param asked the arguments of the call, which need not be repeated to who gave them
 */
public record ToolResult(Tool tool, ObjectNode data, Optional<Picture> picture, ObjectNode asked) {

    /** An image as it came from the browser. */
    public record Picture(String mime, String base64) {}

    ToolResult(Tool tool, ObjectNode data, Optional<Picture> picture) {
        this(tool, data, picture, Json.object());
    }

    static ToolResult of(Tool tool, ObjectNode data) {
        return new ToolResult(tool, data, Optional.empty());
    }

    ToolResult to(ObjectNode arguments) {
        return new ToolResult(tool, data, picture, arguments);
    }
}

package dev.tandem.hub.annotation;

import dev.tandem.protocol.Json;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** A store_agent_payload command: whose it is and what it is called. */
final class Sending {
    private static final Set<String> SOURCES =
            Set.of(
                    "annotate_item",
                    "annotate_all",
                    "popup_item",
                    "popup_all",
                    "canvas_item",
                    "canvas_all");
    private static final int LABEL_CHARS = 200;

    private Sending() {}

    static Receipt store(Inbox inbox, ObjectNode command, ObjectNode payload) {
        String source = command.path("source").asString("annotate_all");
        if (!SOURCES.contains(source)) {
            throw new AnnotationException("invalid_request", "Unknown source: " + source);
        }
        String label = command.path("label").asString("");
        return inbox.store(
                payload,
                source,
                label.length() > LABEL_CHARS ? label.substring(0, LABEL_CHARS) : label,
                Json.text(command, "chat").filter(chat -> !chat.isBlank()));
    }
}

package dev.tandem.hub.sessions;

import dev.tandem.protocol.Json;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * A workspace: sessions that belong together.
 *
 * @param fields what users wrote about it: displayName, description, prompt, labels, annotations
 */
public record Project(String id, ObjectNode fields, long createdAt, long updatedAt) {
    Optional<String> annotation(String name) {
        return Json.text(fields, "annotations")
                .filter(text -> !text.isBlank())
                .map(Json::parse)
                .flatMap(all -> Json.text(all, name));
    }
}

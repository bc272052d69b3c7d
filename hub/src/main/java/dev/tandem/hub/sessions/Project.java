package dev.tandem.hub.sessions;

import tools.jackson.databind.node.ObjectNode;

/**
 * A workspace: sessions that belong together.
 *
 * @param fields what users wrote about it: displayName, description, prompt, labels, annotations
 */
public record Project(String id, ObjectNode fields, long createdAt, long updatedAt) {}

package dev.tandem.hub.agent;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks a prompt's blocks against what the agent takes, before anything is sent. */
final class PromptContent {
    private PromptContent() {}

    static ArrayNode accept(ArrayNode content, AgentCapabilities agent) {
        if (content.isEmpty()) {
            throw new AgentException("bad_message", "A prompt needs at least one content block.");
        }
        ArrayNode accepted = AcpJson.array();
        for (JsonNode block : content) {
            String type = AcpJson.text(block, "type");
            boolean known =
                    switch (type) {
                        case "text", "resource_link" -> true;
                        case "image" -> agent.image();
                        case "audio" -> agent.audio();
                        case "resource" -> agent.embeddedContext();
                        default -> false;
                    };
            if (!known) {
                throw new AgentException(
                        "unsupported",
                        "This agent does not take content of type \"%s\".".formatted(type));
            }
            accepted.add(type.equals("resource_link") ? named(block) : block.deepCopy());
        }
        return accepted;
    }

    /** ACP requires a name; clients may leave it out. */
    private static JsonNode named(JsonNode link) {
        ObjectNode copy = AcpJson.objectOrEmpty(link).deepCopy();
        if (AcpJson.text(copy, "name").isEmpty()) {
            String uri = AcpJson.text(copy, "uri").replaceFirst("[?#].*", "").replaceAll("/+$", "");
            String last = uri.substring(uri.lastIndexOf('/') + 1);
            copy.put("name", last.isEmpty() ? uri : last);
        }
        return copy;
    }
}

package dev.tandem.hub.agent;

import tools.jackson.databind.node.ObjectNode;

/** What the user did with an agent's form or link. */
public sealed interface ElicitationAnswer {
    record Accept(ObjectNode content) implements ElicitationAnswer {}

    record Decline() implements ElicitationAnswer {}

    record Cancel() implements ElicitationAnswer {}

    /** The result of {@code elicitation/create}. */
    default ObjectNode toJson() {
        return switch (this) {
            case Accept accept -> {
                ObjectNode json = AcpJson.object().put("action", "accept");
                yield accept.content().isEmpty() ? json : json.set("content", accept.content());
            }
            case Decline _ -> AcpJson.object().put("action", "decline");
            case Cancel _ -> AcpJson.object().put("action", "cancel");
        };
    }
}

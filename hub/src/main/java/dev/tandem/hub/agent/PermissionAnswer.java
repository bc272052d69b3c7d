package dev.tandem.hub.agent;

import tools.jackson.databind.node.ObjectNode;

/** The answer to an agent's question: one of its options, or none. */
public sealed interface PermissionAnswer {
    record Selected(String optionId) implements PermissionAnswer {}

    record Cancelled() implements PermissionAnswer {}

    static PermissionAnswer selected(String optionId) {
        return new Selected(optionId);
    }

    static PermissionAnswer cancelled() {
        return new Cancelled();
    }

    /** The result of {@code session/request_permission}. */
    default ObjectNode toJson() {
        ObjectNode outcome =
                switch (this) {
                    case Selected selected ->
                            AcpJson.object()
                                    .put("outcome", "selected")
                                    .put("optionId", selected.optionId());
                    case Cancelled _ -> AcpJson.object().put("outcome", "cancelled");
                };
        return AcpJson.object().set("outcome", outcome);
    }
}

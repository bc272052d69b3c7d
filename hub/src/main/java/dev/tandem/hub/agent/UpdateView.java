package dev.tandem.hub.agent;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An update as browsers get it: the agent's own, without the weight that only agents need. */
public final class UpdateView {
    private static final int META_BYTES = 64 * 1024;

    private UpdateView() {}

    /** Whole skill texts travel in the {@code _meta} of commands; a browser shows only names. */
    public static ObjectNode forBrowser(ObjectNode update) {
        boolean commands = update.path("availableCommands").isArray();
        boolean heavy = weight(update.path("_meta")) > META_BYTES;
        if (!commands && !heavy) {
            return update;
        }
        ObjectNode copy = update.deepCopy();
        for (JsonNode command : copy.path("availableCommands")) {
            if (command instanceof ObjectNode object) {
                object.remove("_meta");
            }
        }
        if (heavy) {
            copy.remove("_meta");
        }
        return copy;
    }

    private static int weight(JsonNode meta) {
        return meta.isMissingNode() ? 0 : AcpJson.line(meta).length;
    }
}

package dev.tandem.hub.agent;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What an agent said as browsers get it: its own object, without the weight only agents need. */
final class UpdateView {
    private static final String META = "_meta";
    private static final int META_BYTES = 64 * 1024;

    private UpdateView() {}

    /** Whole skill texts travel in the {@code _meta} of commands; a browser shows only names. */
    static ObjectNode forBrowser(ObjectNode told) {
        ObjectNode light = told;
        if (told.path("availableCommands").isArray()) {
            light = told.deepCopy();
            light.path("availableCommands").forEach(UpdateView::strip);
        }
        return weight(light) > META_BYTES ? stripAll(light.deepCopy()) : light;
    }

    private static void strip(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove(META);
        }
    }

    private static ObjectNode stripAll(ObjectNode told) {
        told.findParents(META).forEach(UpdateView::strip);
        return told;
    }

    /** The bytes of all {@code _meta} together, wherever they hang. */
    private static long weight(JsonNode node) {
        long sum = 0;
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            sum +=
                    field.getKey().equals(META)
                            ? AcpJson.line(field.getValue()).length
                            : weight(field.getValue());
        }
        if (node.isArray()) {
            for (JsonNode item : node) {
                sum += weight(item);
            }
        }
        return sum;
    }
}

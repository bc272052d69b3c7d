package dev.tandem.e2e;

import dev.tandem.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Compares two results by their fields and types; null stands for any type. */
final class Shape {
    private Shape() {}

    /** Where they differ, one line each. */
    static List<String> differences(JsonNode one, JsonNode other) {
        List<String> found = new ArrayList<>();
        compare("", one, other, found);
        return found;
    }

    private static void compare(String path, JsonNode one, JsonNode other, List<String> found) {
        if (one.isNull() || other.isNull()) {
            return;
        }
        if (!type(one).equals(type(other))) {
            found.add(path + ": " + type(one) + " and " + type(other));
        } else if (one.isObject()) {
            TreeSet<String> names = new TreeSet<>(one.propertyNames());
            names.addAll(other.propertyNames());
            for (String name : names) {
                if (one.has(name) && other.has(name)) {
                    compare(path + "/" + name, one.get(name), other.get(name), found);
                } else {
                    found.add(path + "/" + name + " only in one");
                }
            }
        } else if (one.isArray() && !one.isEmpty() && !other.isEmpty()) {
            compare(path + "[]", merged(one), merged(other), found);
        }
    }

    /** One element with every field that some element has. */
    private static JsonNode merged(JsonNode list) {
        if (!list.get(0).isObject()) {
            return list.get(0);
        }
        ObjectNode all = Json.object();
        for (JsonNode element : list) {
            for (Map.Entry<String, JsonNode> field : element.properties()) {
                if (!all.has(field.getKey()) || all.get(field.getKey()).isNull()) {
                    all.set(field.getKey(), field.getValue());
                }
            }
        }
        return all;
    }

    private static String type(JsonNode node) {
        return node.isNumber() ? "number" : node.getNodeType().name();
    }
}

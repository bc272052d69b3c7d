package dev.tandem.hub.ambient;

import dev.tandem.protocol.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What protocol/ambient says: the operations of the API, and the fields of its resources. */
final class Description {
    static final List<String> GROUPS =
            List.of("sessions", "messages", "projects", "agents", "schedules", "access");

    private final List<Operation> operations = new ArrayList<>();
    private final Map<String, Resource> resources = new LinkedHashMap<>();

    /** One method on one path; {@code served} false is known and answers 405. */
    record Operation(String id, String method, String path, int status, String answer) {
        boolean served() {
            return !id.isEmpty();
        }
    }

    Description() {
        for (String group : GROUPS) {
            ObjectNode file = Json.resource("ambient/" + group + ".json");
            for (JsonNode row : file.path("operations")) {
                operations.add(
                        new Operation(
                                Json.text(row, "id").orElse(""),
                                row.path("method").asString(),
                                row.path("path").asString(),
                                row.path("status").asInt(405),
                                Json.text(row, "answer").orElse("")));
            }
            file.path("resources")
                    .properties()
                    .forEach(entry ->
                            resources.put(
                                    entry.getKey(),
                                    new Resource(entry.getKey(), entry.getValue())));
        }
    }

    List<Operation> operations() {
        return List.copyOf(operations);
    }

    Resource resource(String name) {
        Resource resource = resources.get(name);
        if (resource == null) {
            throw new IllegalArgumentException("protocol/ambient has no resource " + name);
        }
        return resource;
    }
}

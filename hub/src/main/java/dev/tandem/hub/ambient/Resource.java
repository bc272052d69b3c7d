package dev.tandem.hub.ambient;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One kind of thing in the API: which fields it has and who may write them. */
final class Resource {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final String kind;
    private final JsonNode fields;

    Resource(String kind, JsonNode fields) {
        this.kind = kind;
        this.fields = fields;
    }

    String kind() {
        return kind;
    }

    Set<String> names() {
        return new TreeSet<>(fields.propertyNames());
    }

    static String time(long millis) {
        return TIME.format(Instant.ofEpochMilli(millis));
    }

    /** The writable fields of a new one; unknown fields are ignored, wrong ones refused. */
    ObjectNode create(ObjectNode body) {
        if (body.path("id").isString() && !body.path("id").stringValue().isEmpty()) {
            throw Problems.invalid("id must be empty");
        }
        ObjectNode taken = Json.object();
        for (var entry : fields.properties()) {
            String name = entry.getKey();
            JsonNode value = body.path(name);
            boolean given = !value.isMissingNode() && !value.isNull();
            if (entry.getValue().path("required").asBoolean(false)
                    && (!given || (value.isString() && value.stringValue().isBlank()))) {
                throw given || body.has(name)
                        ? Problems.invalid(name + " is required")
                        : Problems.malformed(
                                "Invalid request format: no value given for required property "
                                        + name);
            }
            if (given && !entry.getValue().path("readOnly").asBoolean(false)) {
                taken.set(name, checked(name, value));
            }
        }
        return taken;
    }

    /**
     * Puts the changes that are allowed into a copy of what was; null takes a field away that need
     * not be there.
     */
    ObjectNode patch(ObjectNode before, ObjectNode body) {
        ObjectNode after = before.deepCopy();
        for (var entry : fields.properties()) {
            String name = entry.getKey();
            if (!entry.getValue().path("patch").asBoolean(false) || !body.has(name)) {
                continue;
            }
            JsonNode value = body.get(name);
            boolean required = entry.getValue().path("required").asBoolean(false);
            if (required && (value.isNull() || value.asString("x").isBlank())) {
                throw Problems.invalid(name + " is required");
            }
            if (value.isNull()) {
                after.remove(name);
            } else {
                after.set(name, checked(name, value));
            }
        }
        return after;
    }

    /** What the world sees of stored fields: those described, without empty ones. */
    ObjectNode view(ObjectNode stored) {
        ObjectNode view = Json.object();
        for (String name : fields.propertyNames()) {
            JsonNode value = stored.path(name);
            boolean empty =
                    value.isMissingNode()
                            || value.isNull()
                            || (value.isString() && value.stringValue().isEmpty());
            if (!empty) {
                view.set(name, value);
            }
        }
        return view;
    }

    private JsonNode checked(String name, JsonNode value) {
        JsonNode field = fields.path(name);
        String type = field.path("type").asString();
        boolean fits =
                switch (type) {
                    case "string" -> value.isString();
                    case "integer" -> value.isIntegralNumber();
                    case "number" -> value.isNumber();
                    case "boolean" -> value.isBoolean();
                    default -> true;
                };
        if (!fits) {
            throw Problems.malformed("Invalid request format: " + name + " must be a " + type);
        }
        if (field.path("json").asBoolean(false) && !value.stringValue().isBlank()) {
            try {
                Json.parse(value.stringValue());
            } catch (TandemException e) {
                throw Problems.invalid(name + " must be JSON inside a string");
            }
        }
        return value;
    }
}

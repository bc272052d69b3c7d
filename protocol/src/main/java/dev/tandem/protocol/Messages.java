package dev.tandem.protocol;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The messages of one wire family, from messages/*.json. */
public final class Messages {
    private final String family;
    private final String version;
    private final List<String> events;
    private final List<String> capabilities;
    private final Map<String, Schema> schemas = new LinkedHashMap<>();

    private static final class Holder {
        static final Messages OPS = new Messages("ops");
        static final Messages LINK = new Messages("link");
        static final Messages ANNOTATION = new Messages("annotation");
        static final Messages CDP = new Messages("cdp");
        static final Messages RELAY = new Messages("relay");
        static final Messages RELAY_CLIENTS = new Messages("relay", "client");
    }

    private Messages(String family) {
        this(family, "");
    }

    /**
     * @param sender whose messages these are; empty for those of both ends
     */
    private Messages(String family, String sender) {
        JsonNode file = Json.resource("messages/" + family + ".json");
        this.family = family;
        version = file.get("version").asString();
        events = Json.texts(file, "events");
        capabilities = Json.texts(file, "capabilities");
        for (Map.Entry<String, JsonNode> entry : file.path("messages").properties()) {
            JsonNode message = entry.getValue();
            if (sender.isEmpty() || Json.texts(message, "from").contains(sender)) {
                schemas.put(entry.getKey(), Schema.of(message.get("schema")));
            }
        }
    }

    public static Messages ops() {
        return Holder.OPS;
    }

    public static Messages link() {
        return Holder.LINK;
    }

    public static Messages annotation() {
        return Holder.ANNOTATION;
    }

    public static Messages cdp() {
        return Holder.CDP;
    }

    public static Messages relay() {
        return Holder.RELAY;
    }

    /** What chat clients may say to the hub. */
    public static Messages relayClients() {
        return Holder.RELAY_CLIENTS;
    }

    public String family() {
        return family;
    }

    public String version() {
        return version;
    }

    public boolean knows(String type) {
        return schemas.containsKey(type);
    }

    public Set<String> types() {
        return Set.copyOf(schemas.keySet());
    }

    public List<String> events() {
        return events;
    }

    public List<String> capabilities() {
        return capabilities;
    }

    /** What is wrong with the message, or empty. */
    public Optional<Schema.Problem> check(JsonNode message) {
        if (!message.isObject()) {
            return Optional.of(
                    new Schema.Problem("", "wrong_type", "The message must be an object"));
        }
        String type = typeOf(message);
        if (type.isEmpty()) {
            return Optional.of(new Schema.Problem("type", "missing_field", "Missing type"));
        }
        Schema schema = schemas.get(type);
        if (schema == null) {
            return Optional.of(
                    new Schema.Problem("type", "unknown_command", "Unknown message type: " + type));
        }
        return schema.check(message);
    }

    /** CDP's own frames have no type: they go by their method, and an answer has neither. */
    private String typeOf(JsonNode message) {
        Optional<String> type = Json.text(message, "type");
        if (type.isPresent() || !family.equals("cdp")) {
            return type.orElse("");
        }
        return Json.text(message, "method").orElse("cdp_response");
    }
}

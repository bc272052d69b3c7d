package dev.tandem.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The one JSON mapper of Tandem, and the few tree reads that everybody needs. Safe for any thread.
 */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Json() {}

    public static JsonMapper mapper() {
        return MAPPER;
    }

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    public static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    /** Parses text from outside; what is not one JSON value is {@code bad_json}. */
    public static JsonNode parse(String text) {
        try {
            return present(MAPPER.readTree(text));
        } catch (JacksonException e) {
            throw badJson(e);
        }
    }

    /** Parses UTF-8 from outside; what is not one JSON value is {@code bad_json}. */
    public static JsonNode parse(byte[] utf8) {
        try {
            return present(MAPPER.readTree(utf8));
        } catch (JacksonException e) {
            throw badJson(e);
        }
    }

    /** Like {@link #parse(String)}, for places where only an object makes sense. */
    public static ObjectNode parseObject(String text) {
        if (parse(text) instanceof ObjectNode object) {
            return object;
        }
        throw new TandemException(ErrorCode.BAD_JSON, "The JSON must be an object.");
    }

    public static String write(JsonNode node) {
        return MAPPER.writeValueAsString(node);
    }

    public static byte[] bytes(JsonNode node) {
        return MAPPER.writeValueAsBytes(node);
    }

    /** The string at that field; empty when it is absent or no string. */
    public static Optional<String> text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
    }

    /** The strings of the array at that field; empty when there is none. */
    public static List<String> texts(JsonNode node, String field) {
        List<String> texts = new ArrayList<>();
        for (JsonNode item : node.path(field)) {
            texts.add(item.asString());
        }
        return List.copyOf(texts);
    }

    public static boolean flag(JsonNode node, String field, boolean otherwise) {
        JsonNode value = node.path(field);
        return value.isBoolean() ? value.booleanValue() : otherwise;
    }

    /** A file of the protocol folder, by its path inside that folder. */
    public static ObjectNode resource(String path) {
        return (ObjectNode) resourceTree(path);
    }

    static JsonNode resourceTree(String path) {
        try (InputStream in = Json.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(
                        "The protocol file " + path + " is not on the classpath.");
            }
            return MAPPER.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode present(JsonNode node) {
        if (node.isMissingNode()) {
            throw new TandemException(ErrorCode.BAD_JSON, "The JSON is empty.");
        }
        return node;
    }

    private static TandemException badJson(JacksonException e) {
        var where = e.getLocation();
        String place =
                where == null
                        ? ""
                        : " (line " + where.getLineNr() + ", column " + where.getColumnNr() + ")";
        return new TandemException(ErrorCode.BAD_JSON, "The text is not valid JSON" + place + ".");
    }
}

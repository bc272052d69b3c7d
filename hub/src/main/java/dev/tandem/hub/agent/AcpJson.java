package dev.tandem.hub.agent;

import java.nio.charset.StandardCharsets;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON trees that keep what they do not understand. */
final class AcpJson {
    /** What one message of an agent may take. */
    static final int MAX_LINE_BYTES = 64 * 1024 * 1024;

    /** Numbers keep their digits, and one string may fill a whole line. */
    private static final JsonMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxStringLength(MAX_LINE_BYTES)
                                                    .build())
                                    .build())
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                    .build();

    private AcpJson() {}

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    static JsonNode parse(byte[] bytes, int length) {
        return MAPPER.readTree(bytes, 0, length);
    }

    static JsonNode parse(byte[] bytes) {
        return MAPPER.readTree(bytes);
    }

    /** One line of UTF-8; through a String, because a lone surrogate must not stop the message. */
    static byte[] line(JsonNode message) {
        return (MAPPER.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** The string in that field, or "" where there is none. */
    static String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isString() ? value.stringValue() : "";
    }

    static ObjectNode objectOrEmpty(JsonNode node) {
        return node instanceof ObjectNode object ? object : object();
    }

    static ArrayNode arrayOrEmpty(JsonNode node) {
        return node instanceof ArrayNode array ? array : array();
    }

    /** Absent and null mean the same in what agents send. */
    static boolean has(JsonNode node, String field) {
        JsonNode value = node.get(field);
        return value != null && !value.isNull();
    }
}

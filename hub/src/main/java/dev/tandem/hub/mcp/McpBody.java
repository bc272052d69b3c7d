package dev.tandem.hub.mcp;

import dev.tandem.hub.web.Exchange;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The body of a request: its types, size and outer form. */
final class McpBody {
    static final int MAX_BYTES = 4 * 1024 * 1024;

    private McpBody() {}

    private static void checkTypes(Exchange exchange) {
        String type = exchange.header("Content-Type").orElse("");
        if (!type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals("application/json")) {
            throw new McpException(
                    415, McpException.INVALID, "Send Content-Type: application/json.");
        }
        String accept = exchange.header("Accept").orElse("*/*");
        if (!accept.contains("*/*")
                && !accept.contains("application/*")
                && !accept.contains("application/json")
                && !accept.contains("text/event-stream")) {
            throw new McpException(
                    406, McpException.INVALID, "Accept application/json and text/event-stream.");
        }
    }

    /** The message, after everything that can be said about it without its meaning. */
    static JsonNode read(Exchange exchange) throws IOException {
        checkTypes(exchange);
        byte[] bytes = bytes(exchange);
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return Json.parse(bytes);
        } catch (CharacterCodingException | TandemException e) {
            throw noJson("body").about(idBeforeFault(bytes));
        }
    }

    static void checkShape(JsonNode message) {
        if (!message.isObject() || !message.path("jsonrpc").asString("").equals("2.0")) {
            throw new McpException(
                    400, McpException.INVALID, "The body is not a JSON-RPC 2.0 message.");
        }
    }

    static McpException noJson(String what) {
        return new McpException(400, McpException.PARSE, "The " + what + " is not valid JSON.");
    }

    /** The id of a message that cannot be read to its end, where it stands before the fault. */
    static Optional<JsonNode> idBeforeFault(byte[] message) {
        ObjectNode found = Json.object();
        try (JsonParser tokens = Json.mapper().createParser(message)) {
            if (tokens.nextToken() == JsonToken.START_OBJECT) {
                for (String name = tokens.nextName(); name != null; name = tokens.nextName()) {
                    JsonToken value = tokens.nextToken();
                    if (name.equals("id") && value.isScalarValue()) {
                        found.set(name, tokens.readValueAsTree());
                    } else {
                        tokens.skipChildren();
                    }
                }
            }
        } catch (JacksonException e) {
            // this is the fault
        }
        return McpSessions.id(found);
    }

    static McpException tooLarge() {
        return new McpException(413, McpException.INVALID, "The message is larger than 4 MiB.");
    }

    private static byte[] bytes(Exchange exchange) throws IOException {
        try {
            return exchange.body(MAX_BYTES);
        } catch (TandemException e) {
            throw e.code() == ErrorCode.PAYLOAD_TOO_LARGE
                    ? tooLarge()
                    : new McpException(400, McpException.INVALID, e.message());
        }
    }
}

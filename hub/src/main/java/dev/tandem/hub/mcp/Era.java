package dev.tandem.hub.mcp;

import dev.tandem.hub.web.Exchange;
import dev.tandem.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which protocol a request speaks: the eras with sessions, or the stateless one. */
enum Era {
    LEGACY,
    MODERN;

    static final String MODERN_VERSION = "2026-07-28";
    static final List<String> LEGACY_VERSIONS =
            List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");
    static final String LATEST_LEGACY = "2025-11-25";
    static final String BATCH_VERSION = "2025-03-26";
    static final String META = "io.modelcontextprotocol/";

    /** Decides by header and body, and refuses what contradicts itself. */
    static Era of(Exchange exchange, JsonNode message) {
        Optional<String> header = exchange.header("MCP-Protocol-Version").map(String::strip);
        JsonNode meta = message.path("params").path("_meta");
        boolean same =
                header.isPresent() && header.equals(Json.text(meta, META + "protocolVersion"));
        if (meta.has(META + "protocolVersion") && !same) {
            throw new McpException(
                    400,
                    McpException.HEADER_MISMATCH,
                    header.isEmpty()
                            ? "The header MCP-Protocol-Version is missing."
                            : "MCP-Protocol-Version and _meta name different versions.");
        }
        return named(header);
    }

    /** The era of a message that has no headers; a stateless one says all it must in itself. */
    static Era of(JsonNode message) {
        Era era = named(Json.text(message.path("params").path("_meta"), META + "protocolVersion"));
        if (era == MODERN) {
            checkMeta(message);
        }
        return era;
    }

    private static Era named(Optional<String> version) {
        if (version.isEmpty() || LEGACY_VERSIONS.contains(version.get())) {
            return LEGACY;
        }
        if (version.get().equals(MODERN_VERSION)) {
            return MODERN;
        }
        ObjectNode data = Json.object();
        data.putArray("supported").add(MODERN_VERSION);
        data.put("requested", version.get());
        throw new McpException(
                400,
                McpException.UNSUPPORTED_VERSION,
                "Unsupported protocol version",
                Optional.of(data));
    }

    /** What every stateless request must carry, checked in the order the specification gives. */
    static void checkModern(Exchange exchange, JsonNode message) {
        checkMeta(message);
        String method = message.path("method").asString("");
        match(exchange, "Mcp-Method", method);
        if (method.equals("tools/call")) {
            match(exchange, "Mcp-Name", message.path("params").path("name").asString(""));
        }
    }

    private static void checkMeta(JsonNode message) {
        JsonNode meta = message.path("params").path("_meta");
        for (String key : List.of("protocolVersion", "clientCapabilities")) {
            if (!meta.has(META + key)) {
                throw new McpException(
                        400, McpException.BAD_PARAMS, "Missing _meta key " + META + key);
            }
        }
    }

    static McpException noBatches() {
        return new McpException(400, McpException.INVALID, "Batches are not taken here.");
    }

    private static void match(Exchange exchange, String header, String expected) {
        Optional<String> value = exchange.header(header).map(String::strip).map(Era::decoded);
        if (value.isEmpty() || !value.get().equals(expected)) {
            throw new McpException(
                    400,
                    McpException.HEADER_MISMATCH,
                    value.isEmpty()
                            ? "The header " + header + " is missing."
                            : "The header " + header + " does not match the body.");
        }
    }

    /** Values that are not plain ASCII travel as {@code =?base64?…?=}. */
    private static String decoded(String value) {
        if (!value.startsWith("=?base64?") || !value.endsWith("?=") || value.length() < 11) {
            return value;
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(value.substring(9, value.length() - 2));
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return value;
        }
    }
}

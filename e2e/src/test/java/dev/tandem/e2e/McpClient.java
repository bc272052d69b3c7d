package dev.tandem.e2e;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An MCP client of our own making, for both eras; it shows what really was on the wire. */
final class McpClient {
    static final String MODERN = "2026-07-28";
    private static final String META = "io.modelcontextprotocol/";

    private final String url;
    private final String token;
    private final AtomicInteger ids = new AtomicInteger();

    McpClient(String url, String token) {
        this.url = url;
        this.token = token;
    }

    /** Calls a tool in the era without sessions and answers its structured result. */
    JsonNode call(String tool, ObjectNode arguments) throws IOException {
        JsonNode result = modern("tools/call", tool, arguments).json().path("result");
        if (result.path("isError").asBoolean(false)) {
            throw new AssertionError(tool + " failed: " + result.path("content"));
        }
        return result.path("structuredContent");
    }

    /** The text of a call that must fail. */
    String failure(String tool, ObjectNode arguments) throws IOException {
        JsonNode result = modern("tools/call", tool, arguments).json().path("result");
        if (!result.path("isError").asBoolean(false)) {
            throw new AssertionError(tool + " did not fail: " + result);
        }
        return result.path("content").path(0).path("text").asString();
    }

    /** The text block of a call. */
    String text(String tool, ObjectNode arguments) throws IOException {
        JsonNode content =
                modern("tools/call", tool, arguments).json().path("result").path("content");
        return content.path(content.size() - 1).path("text").asString();
    }

    Http.Answer modern(String method, String name, ObjectNode arguments) throws IOException {
        ObjectNode message = message(method);
        ObjectNode params = message.putObject("params");
        if (!name.isEmpty()) {
            params.put("name", name).set("arguments", arguments);
        }
        ObjectNode meta = params.putObject("_meta");
        meta.put(META + "protocolVersion", MODERN);
        meta.putObject(META + "clientCapabilities");
        meta.putObject(META + "clientInfo").put("name", "e2e").put("version", "1");
        return post(
                message,
                "MCP-Protocol-Version",
                MODERN,
                "Mcp-Method",
                method,
                name.isEmpty() ? "X-None" : "Mcp-Name",
                name.isEmpty() ? "1" : name);
    }

    Http.Answer legacy(String method, ObjectNode params, String... headers) throws IOException {
        ObjectNode message = message(method);
        message.set("params", params);
        return post(message, headers);
    }

    Http.Answer post(JsonNode message, String... headers) throws IOException {
        String[] all = new String[headers.length + 4];
        all[0] = "Authorization";
        all[1] = "Bearer " + token;
        all[2] = "Accept";
        all[3] = "application/json, text/event-stream";
        System.arraycopy(headers, 0, all, 4, headers.length);
        Http.Answer answer = Http.post(url, message, all);
        return answer.header("Content-Type").startsWith("text/event-stream")
                ? new Http.Answer(answer.status(), lastEvent(answer.body()), answer.raw())
                : answer;
    }

    private static String lastEvent(String stream) {
        int at = stream.lastIndexOf("data: ");
        return stream.substring(at + 6).strip();
    }

    ObjectNode message(String method) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0");
        return message.put("id", ids.incrementAndGet()).put("method", method);
    }
}

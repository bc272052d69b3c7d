package dev.tandem.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A client of one MCP server over Streamable HTTP; any thread may call it. */
final class McpClient {
    private static final String VERSION = "2025-11-25";

    private final URI url;
    private final Map<String, String> headers = new HashMap<>();
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(10))
                    .build();
    private final AtomicLong nextId = new AtomicLong(1);
    private final ReentrantLock lock = new ReentrantLock();
    private boolean initialized;

    McpClient(String url, JsonNode headers) {
        this.url = URI.create(url);
        for (JsonNode header : headers) {
            this.headers.put(Json.text(header, "name"), Json.text(header, "value"));
        }
    }

    /** Asked for anew each time: a chat may offer tools of its own with any of its messages. */
    ArrayNode tools() {
        lock.lock();
        try {
            initialize();
        } finally {
            lock.unlock();
        }
        JsonNode listed = request("tools/list", Json.object());
        return listed.path("tools") instanceof ArrayNode list ? list : Json.array();
    }

    ToolResult call(String tool, ObjectNode arguments) {
        lock.lock();
        try {
            initialize();
        } finally {
            lock.unlock();
        }
        ObjectNode params = Json.object().put("name", tool).set("arguments", arguments);
        return ToolResult.of(request("tools/call", params));
    }

    private void initialize() {
        if (initialized) {
            return;
        }
        ObjectNode params = Json.object().put("protocolVersion", VERSION);
        params.putObject("capabilities");
        params.putObject("clientInfo").put("name", "tandem-agent").put("version", "0.1.0");
        request("initialize", params);
        headers.put("MCP-Protocol-Version", VERSION);
        ObjectNode note = Json.object().put("jsonrpc", "2.0");
        send(note.put("method", "notifications/initialized"), -1);
        initialized = true;
    }

    private JsonNode request(String method, ObjectNode params) {
        long id = nextId.getAndIncrement();
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", id);
        JsonNode answer = send(message.put("method", method).set("params", params), id);
        if (answer.has("error")) {
            throw new IllegalStateException(Json.text(answer.path("error"), "message"));
        }
        return answer.path("result");
    }

    /** Posts one message and waits for its answer; an interrupt takes the call back. */
    private JsonNode send(ObjectNode message, long id) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .POST(HttpRequest.BodyPublishers.ofString(message.toString()));
        headers.forEach(request::setHeader);
        try {
            HttpResponse<InputStream> response =
                    http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            response.headers()
                    .firstValue("Mcp-Session-Id")
                    .ifPresent(session -> headers.put("Mcp-Session-Id", session));
            try (InputStream body = response.body()) {
                return read(response, body, id);
            }
        } catch (IOException unreachable) {
            throw new IllegalStateException(
                    "The browser's MCP server cannot be reached: " + unreachable.getMessage());
        } catch (InterruptedException interrupted) {
            cancelled(id);
            Thread.currentThread().interrupt();
            throw new Turn.Cancelled();
        }
    }

    private JsonNode read(HttpResponse<InputStream> response, InputStream body, long id)
            throws IOException {
        if (response.statusCode() == 202 || id < 0) {
            return Json.object();
        }
        String type = response.headers().firstValue("Content-Type").orElse("");
        if (type.startsWith("text/event-stream")) {
            return fromStream(body, id);
        }
        String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
        if (response.statusCode() >= 400 && !text.startsWith("{")) {
            throw new IllegalStateException(
                    "The browser's MCP server answered with status " + response.statusCode() + ".");
        }
        return Json.parse(text);
    }

    /** Comments, progress and other messages may come before the answer. */
    private static JsonNode fromStream(InputStream body, long id) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        var events = new SseReader(lines);
        for (var event = events.next(); event.isPresent(); event = events.next()) {
            JsonNode message = Json.parse(event.get().data());
            if (message.path("id").asLong(-1) == id && !message.has("method")) {
                return message;
            }
        }
        throw new IOException("the answer ended before it was complete");
    }

    private void cancelled(long id) {
        ObjectNode note = Json.object().put("jsonrpc", "2.0");
        note.put("method", "notifications/cancelled").putObject("params").put("requestId", id);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .POST(HttpRequest.BodyPublishers.ofString(note.toString()));
        headers.forEach(request::setHeader);
        var _ = http.sendAsync(request.build(), HttpResponse.BodyHandlers.discarding());
    }

    void close() {
        http.shutdownNow();
    }
}

package dev.tandem.cli;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Utf8;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.Phaser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code tandem mcp}: one MCP client on standard input and output, the hub's /mcp behind it. Every
 * line is a message; calls run side by side, and what the hub says is passed on as it comes.
 */
final class McpBridge {
    private static final String META = "io.modelcontextprotocol/";
    private static final int INTERNAL = -32603;
    private static final int MAX_BYTES = 4 * 1024 * 1024;
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private final McpDoorway doorway;
    private final PrintStream out;
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(CONNECT)
                    .build();
    private final Phaser running = new Phaser(1);
    private volatile String session = "";
    private volatile String version = "";

    McpBridge(McpDoorway doorway, PrintStream out) {
        this.doorway = doorway;
        this.out = out;
    }

    /** Serves until the client closes its end and everything it asked for is answered. */
    int run(InputStream in) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!line.isBlank()) {
                take(line);
            }
        }
        running.arriveAndAwaitAdvance();
        goodbye();
        return 0;
    }

    private void take(String line) {
        Optional<JsonNode> read = parse(line);
        if (Utf8.length(line) > MAX_BYTES) {
            say(refusal(read, -32600, "The message is larger than 4 MiB."));
            return;
        }
        if (read.isEmpty()) {
            say(refusal(read, -32700, "The line is not valid JSON."));
            return;
        }
        JsonNode message = read.get();
        // What follows an initialize carries what its answer said.
        if (message.path("method").asString("").equals("initialize")) {
            forward(message, line);
            return;
        }
        running.register();
        Thread.startVirtualThread(() -> {
            try {
                forward(message, line);
            } finally {
                running.arriveAndDeregister();
            }
        });
    }

    private static Optional<JsonNode> parse(String line) {
        try {
            return Optional.of(Json.parse(line));
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    private void forward(JsonNode message, String line) {
        try {
            HttpResponse<InputStream> response = send(message, line);
            try (InputStream body = response.body()) {
                pass(message, response, body);
            }
        } catch (IOException e) {
            refuse(message, doorway.unreachable());
        } catch (RuntimeException e) {
            // a page, or something else that no hub says: whoever asked still gets an answer
            refuse(message, doorway.stranger());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpResponse<InputStream> send(JsonNode message, String line)
            throws IOException, InterruptedException {
        try {
            return http.send(request(message, line), HttpResponse.BodyHandlers.ofInputStream());
        } catch (java.net.ConnectException e) {
            // the hub may have come back elsewhere
            doorway.look();
            return http.send(request(message, line), HttpResponse.BodyHandlers.ofInputStream());
        }
    }

    private HttpRequest request(JsonNode message, String line) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(doorway.url()))
                        .header("Authorization", "Bearer " + doorway.token())
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .POST(HttpRequest.BodyPublishers.ofString(line));
        JsonNode params = message.path("params");
        Optional<String> stateless = Json.text(params.path("_meta"), META + "protocolVersion");
        if (stateless.isPresent()) {
            String method = message.path("method").asString("");
            request.header("MCP-Protocol-Version", stateless.get());
            request.header("Mcp-Method", coded(method));
            if (method.equals("tools/call")) {
                request.header("Mcp-Name", coded(params.path("name").asString("")));
            }
            return request.build();
        }
        if (!session.isEmpty()) {
            request.header("Mcp-Session-Id", session);
        }
        if (!version.isEmpty()) {
            request.header("MCP-Protocol-Version", version);
        }
        return request.build();
    }

    private void pass(JsonNode message, HttpResponse<InputStream> response, InputStream body)
            throws IOException {
        response.headers().firstValue("Mcp-Session-Id").ifPresent(id -> session = id);
        String type = response.headers().firstValue("Content-Type").orElse("");
        if (type.startsWith("text/event-stream")) {
            events(body);
            return;
        }
        String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
        if (text.isBlank()) {
            if (response.statusCode() >= 400) {
                refuse(message, "The hub answered with status " + response.statusCode() + ".");
            }
            return;
        }
        JsonNode answer = Json.parse(text);
        if (!answer.isArray() && !answer.path("error").isObject() && !answer.has("jsonrpc")) {
            refuse(message, doorway.stranger());
            return;
        }
        if (message.path("method").asString("").equals("initialize")) {
            version = answer.path("result").path("protocolVersion").asString(version);
        }
        // A refusal at the door has no id; here there is no door, so the request gets its own back.
        if (answer instanceof ObjectNode refusal && refusal.has("error") && !refusal.has("id")) {
            id(message).ifPresent(id -> refusal.set("id", id));
            // a notification has no answer
            if (message.has("id") || !message.has("method")) {
                say(refusal);
            }
            return;
        }
        say(answer);
    }

    /** Each event is one message; comments only keep the connection alive. */
    private void events(InputStream body) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("data: ")) {
                say(Json.parse(line.substring("data: ".length())));
            }
        }
    }

    private void refuse(JsonNode message, String why) {
        if (message instanceof ArrayNode batch) {
            batch.forEach(each -> refuse(each, why));
            return;
        }
        if (message.has("id") && message.has("method")) {
            say(refusal(Optional.of(message), INTERNAL, why));
        }
    }

    /** Without an id where none could be read: MCP has no null for it. */
    private static ObjectNode refusal(Optional<JsonNode> message, int code, String why) {
        ObjectNode body = Json.object().put("jsonrpc", "2.0");
        message.flatMap(McpBridge::id).ifPresent(id -> body.set("id", id));
        body.putObject("error").put("code", code).put("message", why);
        return body;
    }

    private static Optional<JsonNode> id(JsonNode message) {
        return Optional.ofNullable(message.get("id"))
                .filter(id -> id.isString() || id.isIntegralNumber());
    }

    private void say(JsonNode message) {
        String line = Json.write(message);
        synchronized (out) {
            out.println(line);
            out.flush();
        }
    }

    private void goodbye() {
        if (session.isEmpty()) {
            return;
        }
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(doorway.url()))
                            .header("Authorization", "Bearer " + doorway.token())
                            .header("Mcp-Session-Id", session)
                            .timeout(CONNECT)
                            .DELETE()
                            .build();
            http.send(request, HttpResponse.BodyHandlers.discarding());
        } catch (IOException e) {
            // the hub is gone, and the session with it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A header's value: plain when it is visible ASCII, else base64 between marks. */
    private static String coded(String value) {
        if (value.chars().allMatch(c -> c > 0x20 && c < 0x7f) && !value.startsWith("=?")) {
            return value;
        }
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return "=?base64?" + Base64.getEncoder().encodeToString(bytes) + "?=";
    }
}

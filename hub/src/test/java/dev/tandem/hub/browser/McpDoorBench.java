package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** /mcp on a real hub, with the browser's end played by the test. */
class McpDoorBench {
    static final String MODERN = "2026-07-28";
    static final String META = "io.modelcontextprotocol/";

    @TempDir Path folder;
    final HttpClient http = HttpClient.newHttpClient();
    TestHub hub;
    FakeExtension extension;
    String token = "";

    record Answer(int status, String body, HttpResponse<String> raw) {
        JsonNode json() {
            return Json.parse(body);
        }

        int code() {
            return json().path("error").path("code").asInt();
        }
    }

    @BeforeEach
    void start() throws IOException {
        hub = hub();
        token = hub.hubToken();
        extension = hub.extension("browser-one", "One");
    }

    TestHub hub() throws IOException {
        return new TestHub(folder);
    }

    @AfterEach
    void stop() throws IOException {
        extension.close();
        hub.close();
    }

    Answer send(String method, String body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + hub.port() + "/mcp"))
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json");
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        try {
            var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(answer.statusCode(), answer.body(), answer);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static ObjectNode message(String method) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", 7);
        message.put("method", method).putObject("params");
        return message;
    }

    Answer legacy(String method, String... headers) {
        return send("POST", Json.write(message(method)), headers);
    }

    static ObjectNode modernMessage(String method) {
        ObjectNode message = message(method);
        ObjectNode meta = ((ObjectNode) message.get("params")).putObject("_meta");
        meta.put(META + "protocolVersion", MODERN).putObject(META + "clientCapabilities");
        return message;
    }

    Answer modern(ObjectNode message, String... headers) {
        String[] all = new String[headers.length + 4];
        all[0] = "MCP-Protocol-Version";
        all[1] = MODERN;
        all[2] = "Mcp-Method";
        all[3] = message.path("method").asString();
        System.arraycopy(headers, 0, all, 4, headers.length);
        return send("POST", Json.write(message), all);
    }

    JsonNode call(String tool, ObjectNode arguments) {
        ObjectNode message = modernMessage("tools/call");
        ObjectNode params = (ObjectNode) message.get("params");
        params.put("name", tool).set("arguments", arguments);
        Answer answer = modern(message, "Mcp-Name", tool);
        String body = answer.body();
        int event = body.lastIndexOf("data: ");
        return Json.parse(event < 0 ? body : body.substring(event + 6)).path("result");
    }

    static String text(JsonNode result) {
        return result.path("content").path(0).path("text").asString("");
    }
}

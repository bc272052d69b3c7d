package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A program at /mcp with one token, in the era that has sessions. */
final class McpCaller {
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI url;
    private final String token;

    McpCaller(TestHub hub, String token) {
        this.url = URI.create("http://127.0.0.1:" + hub.port() + "/mcp");
        this.token = token;
    }

    static ObjectNode message(int id, String method) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", id);
        message.put("method", method).putObject("params");
        return message;
    }

    static ObjectNode call(int id, String tool, ObjectNode arguments) {
        ObjectNode message = message(id, "tools/call");
        ((ObjectNode) message.get("params")).put("name", tool).set("arguments", arguments);
        return message;
    }

    HttpResponse<String> post(ObjectNode message, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url)
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(Json.write(message)));
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The answer to a message, whether it came as JSON or as the last event of a stream. */
    static JsonNode answer(HttpResponse<String> response) {
        String body = response.body();
        int event = body.lastIndexOf("data: ");
        return Json.parse(event < 0 ? body : body.substring(event + 6));
    }

    JsonNode result(String tool, ObjectNode arguments) {
        return answer(post(call(7, tool, arguments))).path("result");
    }

    static String text(JsonNode result) {
        return result.path("content").path(0).path("text").asString("");
    }
}

package dev.tandem.e2e;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Plain requests; headers come as name, value, name, value. */
final class Http {
    static final HttpClient CLIENT =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(10))
                    .build();

    private Http() {}

    record Answer(int status, String body, HttpResponse<String> raw) {
        JsonNode json() {
            return Json.parse(body);
        }

        String header(String name) {
            return raw.headers().firstValue(name).orElse("");
        }
    }

    static Answer get(String url, String... headers) throws IOException {
        return send("GET", url, "", headers);
    }

    static Answer post(String url, JsonNode body, String... headers) throws IOException {
        return send("POST", url, Json.write(body), headers);
    }

    /** How an answer begins; what follows is not waited for. */
    static int status(String url, String... headers) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(60));
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        try {
            HttpResponse<java.io.InputStream> response =
                    CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            response.body().close();
            return response.statusCode();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    static Answer send(String method, String url, String body, String... headers)
            throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url))
                        .timeout(Duration.ofSeconds(60))
                        .method(
                                method,
                                body.isEmpty()
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        try {
            HttpResponse<String> response =
                    CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body(), response);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}

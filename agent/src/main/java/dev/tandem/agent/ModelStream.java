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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Posts a request to a model and hands on its events, one by one. */
final class ModelStream {
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(20)).build();

    /** Takes the events of one answer and builds its end. */
    interface Listener {
        void event(JsonNode data);

        ModelApi.Reply end();
    }

    CompletableFuture<ModelApi.Reply> post(
            String url, Map<String, String> headers, ObjectNode body, Listener listener) {
        CompletableFuture<ModelApi.Reply> reply = new CompletableFuture<>();
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url))
                        .header("Content-Type", "application/json")
                        .header("Accept", "text/event-stream")
                        .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
        headers.forEach(request::header);
        Thread worker =
                Thread.ofVirtual()
                        .name("model")
                        .start(() -> {
                            try {
                                reply.complete(stream(request.build(), listener));
                            } catch (IOException | RuntimeException failed) {
                                reply.completeExceptionally(
                                        new AcpStdio.Failure(
                                                -32603,
                                                "The model could not be asked: "
                                                        + failed.getMessage()));
                            } catch (InterruptedException interrupted) {
                                reply.cancel(false);
                            }
                        });
        var _ =
                reply.whenComplete((value, problem) -> {
                    if (reply.isCancelled()) {
                        worker.interrupt();
                    }
                });
        return reply;
    }

    private ModelApi.Reply stream(HttpRequest request, Listener listener)
            throws IOException, InterruptedException {
        HttpResponse<InputStream> response =
                http.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            if (response.statusCode() != 200) {
                throw new IOException(problem(response.statusCode(), body));
            }
            var events =
                    new SseReader(
                            new BufferedReader(
                                    new InputStreamReader(body, StandardCharsets.UTF_8)));
            for (var event = events.next(); event.isPresent(); event = events.next()) {
                String data = event.get().data();
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (!data.equals("[DONE]")) {
                    JsonNode json = Json.parse(data);
                    if (json.has("error")) {
                        throw new IOException(Json.text(json.path("error"), "message"));
                    }
                    listener.event(json);
                }
            }
            return listener.end();
        }
    }

    private static String problem(int status, InputStream body) throws IOException {
        String text = new String(body.readNBytes(4096), StandardCharsets.UTF_8);
        String message = text;
        if (text.startsWith("{")) {
            message = Json.text(Json.parse(text).path("error"), "message");
        }
        return "status " + status + (message.isBlank() ? "" : ", " + message.strip());
    }
}

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
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Posts a request to a model and hands on its events, one by one. */
final class ModelStream {
    private static final String DONE = "[DONE]";
    private static final Set<Integer> LATER = Set.of(429, 500, 502, 503, 504, 529);
    private static final int TRIES = 4;
    private static final long MOST_WAIT_SECONDS = 30;

    private static final String BROKE_OFF =
            "its answer broke off before the end. Nothing more of it will be done; send your message"
                    + " again.";

    // Local servers often know no other version, and take an offer to change it for a mistake.
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(20))
                    .build();

    private final Duration pause;

    /**
     * @param pause before the second try; each one after it is twice as long
     */
    ModelStream(Duration pause) {
        this.pause = pause;
    }

    /** Takes the events of one answer and builds its end. */
    interface Listener {
        void event(JsonNode data);

        /** Whether the model said that this was all. */
        boolean complete();

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
        for (int tried = 1; ; tried++) {
            HttpResponse<InputStream> response =
                    http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                if (response.statusCode() == 200) {
                    return read(body, listener);
                }
                boolean later = LATER.contains(response.statusCode());
                if (!later || tried == TRIES || longWait(response)) {
                    throw new IOException(problem(response.statusCode(), body));
                }
            }
            Thread.sleep(pause(response, tried));
        }
    }

    private static ModelApi.Reply read(InputStream body, Listener listener)
            throws IOException, InterruptedException {
        boolean done = false;
        try {
            var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
            var events = new SseReader(lines);
            for (var event = events.next(); event.isPresent(); event = events.next()) {
                String data = event.get().data();
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (data.equals(DONE)) {
                    done = true;
                } else {
                    take(Json.parse(data), listener);
                }
            }
        } catch (Said said) {
            throw said;
        } catch (IOException | JacksonException cut) {
            throw new IOException(BROKE_OFF, cut);
        }
        if (!done && !listener.complete()) {
            throw new IOException(BROKE_OFF);
        }
        return listener.end();
    }

    /** The server's own words. */
    private static final class Said extends IOException {
        private static final long serialVersionUID = 1L;

        Said(String message) {
            super(message);
        }
    }

    private static void take(JsonNode json, Listener listener) throws Said {
        if (json.has("error")) {
            throw new Said(Json.text(json.path("error"), "message"));
        }
        listener.event(json);
    }

    private static boolean longWait(HttpResponse<?> response) {
        return wait(response).orElse(0) > MOST_WAIT_SECONDS;
    }

    private static OptionalLong wait(HttpResponse<?> response) {
        return response.headers().firstValue("Retry-After").stream()
                .filter(value -> value.matches("\\d{1,9}"))
                .mapToLong(Long::parseLong)
                .findFirst();
    }

    private Duration pause(HttpResponse<?> response, int tried) {
        OptionalLong asked = wait(response);
        return asked.isPresent()
                ? Duration.ofSeconds(asked.getAsLong())
                : pause.multipliedBy(1L << (tried - 1));
    }

    private static String problem(int status, InputStream body) throws IOException {
        String text = new String(body.readNBytes(4096), StandardCharsets.UTF_8).strip();
        String words = words(text);
        String said = "status " + status + (words.isBlank() ? "" : ", " + words);
        return (said.endsWith(".") ? said : said + ".") + advice(status);
    }

    private static String words(String text) {
        try {
            JsonNode error = Json.parse(text).path("error");
            return error.isString() ? error.stringValue() : Json.text(error, "message");
        } catch (JacksonException notJson) {
            return text.startsWith("<") ? "" : text;
        }
    }

    private static String advice(int status) {
        return switch (status) {
            case 401, 403 -> " Check the key that Tandem was started with.";
            case 404 -> " Check the address and the name of the model.";
            case 429 -> " It is asked too often, or its quota is used up. Try again later.";
            case 500, 502, 503, 504, 529 -> " It is overloaded or out of order. Try again later.";
            default -> "";
        };
    }
}

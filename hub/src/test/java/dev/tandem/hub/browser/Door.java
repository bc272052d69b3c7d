package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Plain HTTP to a hub with one token. */
record Door(int port, String token) {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    record Answer(int status, String body, HttpResponse<String> raw) {
        JsonNode json() {
            return Json.parse(body);
        }
    }

    Answer get(String path, String... headers) throws Exception {
        return send(request(path, headers).GET());
    }

    Answer post(String path, ObjectNode body, String... headers) throws Exception {
        return send(
                request(path, headers).POST(HttpRequest.BodyPublishers.ofString(Json.write(body))));
    }

    Answer delete(String path) throws Exception {
        return send(request(path).DELETE());
    }

    private static Answer send(HttpRequest.Builder request) throws Exception {
        var answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new Answer(answer.statusCode(), answer.body(), answer);
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(Duration.ofSeconds(30));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return request;
    }

    Events events(String path, String... headers) throws Exception {
        var answer =
                HTTP.send(
                        request(path, headers).build(), HttpResponse.BodyHandlers.ofInputStream());
        return new Events(answer);
    }

    /** One event of a stream. */
    record Event(String id, String name, JsonNode data) {}

    /** A stream of events as they come. */
    static final class Events implements AutoCloseable {
        private final HttpResponse<InputStream> answer;
        private final LinkedBlockingQueue<Event> queue = new LinkedBlockingQueue<>();
        private final CountDownLatch over = new CountDownLatch(1);

        Events(HttpResponse<InputStream> answer) {
            this.answer = answer;
            Thread.startVirtualThread(this::read);
        }

        int status() {
            return answer.statusCode();
        }

        private void read() {
            String id = "";
            String name = "";
            try (BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith("id: ")) {
                        id = line.substring(4);
                    } else if (line.startsWith("event: ")) {
                        name = line.substring(7);
                    } else if (line.startsWith("data: ")) {
                        queue.add(new Event(id, name, Json.parse(line.substring(6))));
                        id = "";
                        name = "";
                    }
                }
            } catch (IOException e) {
                // the test closed it, or the hub
            } finally {
                over.countDown();
            }
        }

        Event next() throws InterruptedException {
            Event event = queue.poll(20, TimeUnit.SECONDS);
            if (event == null) {
                throw new AssertionError("no event within 20 s");
            }
            return event;
        }

        List<Event> next(int count) throws InterruptedException {
            List<Event> events = new ArrayList<>();
            while (events.size() < count) {
                events.add(next());
            }
            return events;
        }

        boolean ends() throws InterruptedException {
            return over.await(20, TimeUnit.SECONDS);
        }

        boolean quiet(long millis) throws InterruptedException {
            return queue.poll(millis, TimeUnit.MILLISECONDS) == null;
        }

        @Override
        public void close() throws IOException {
            answer.body().close();
        }
    }
}

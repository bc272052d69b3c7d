package dev.tandem.hub.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The limits of W16 step 3, with a clock of the test's. */
class McpPaceTest {
    @TempDir Path folder;
    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicLong now = new AtomicLong(1_000_000);
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger inside = new AtomicInteger();

    private final class Time extends Clock {
        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(now.get());
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private final class Slow implements McpTools {
        @Override
        public ArrayNode list(Caller caller) {
            return Json.array();
        }

        @Override
        public Optional<ObjectNode> call(Call call) {
            inside.incrementAndGet();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Optional.of(Json.object().set("content", Json.array()));
        }

        @Override
        public String instructions() {
            return "";
        }
    }

    private HttpResponse<String> post(int port, String token, String method) {
        return send(port, token, message(method));
    }

    private static String message(String method) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\""
                + method
                + "\",\"params\":{\"name\":\"slow\",\"protocolVersion\":\"2025-03-26\"}}";
    }

    private HttpResponse<String> send(int port, String token, String body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/mcp"))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private int end(int port, String session) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/mcp"))
                        .header("Authorization", "Bearer " + FixtureServer.TOKEN)
                        .header("Mcp-Session-Id", session)
                        .DELETE()
                        .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("ACP-120 (limits) 600 requests a minute, then 429 with Retry-After; not the user")
    void sixHundredAMinute() throws IOException {
        try (FixtureServer server = new FixtureServer(folder, new Slow(), new Time())) {
            for (int i = 0; i < 600; i++) {
                assertThat(post(server.port(), FixtureServer.TOKEN, "tools/list").statusCode())
                        .isEqualTo(200);
            }
            HttpResponse<String> refused = post(server.port(), FixtureServer.TOKEN, "tools/list");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            assertThat(Json.parse(refused.body()).has("id")).isFalse();
            assertThat(post(server.port(), FixtureServer.TOKEN, "ping").statusCode())
                    .as("ACP-125: no refusal is an answer to that")
                    .isEqualTo(200);
            assertThat(post(server.port(), FixtureServer.USERS, "tools/list").statusCode())
                    .isEqualTo(200);
            now.addAndGet(1_000);
            assertThat(post(server.port(), FixtureServer.TOKEN, "tools/list").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    @DisplayName("ACP-120 (limits) twenty at once, the next one is refused until one has ended")
    void twentyAtOnce() throws IOException {
        try (FixtureServer server = new FixtureServer(folder, new Slow(), new Time())) {
            String session =
                    post(server.port(), FixtureServer.TOKEN, "initialize")
                            .headers()
                            .firstValue("Mcp-Session-Id")
                            .orElseThrow();
            List<CompletableFuture<HttpResponse<String>>> running = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                running.add(
                        CompletableFuture.supplyAsync(
                                () -> post(server.port(), FixtureServer.TOKEN, "tools/call"),
                                task -> Thread.startVirtualThread(task)));
            }
            await().until(() -> inside.get() == 20);
            assertThat(post(server.port(), FixtureServer.TOKEN, "tools/list").statusCode())
                    .isEqualTo(429);
            assertThat(post(server.port(), FixtureServer.TOKEN, "ping").statusCode())
                    .as("ACP-125: who waits for its calls asks whether we are there")
                    .isEqualTo(200);
            String cancel =
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                            + "\"params\":{\"requestId\":99}}";
            assertThat(send(server.port(), FixtureServer.TOKEN, cancel).statusCode())
                    .as("a notification is no request")
                    .isEqualTo(202);
            assertThat(end(server.port(), session)).as("nor is an end").isEqualTo(204);
            release.countDown();
            running.forEach(one -> assertThat(one.join().statusCode()).isEqualTo(200));
            assertThat(post(server.port(), FixtureServer.TOKEN, "tools/list").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    @DisplayName("ACP-120 (limits) a batch is as many requests as it has messages")
    void aBatchCountsItsMessages() throws IOException {
        try (FixtureServer server = new FixtureServer(folder, new Slow(), new Time())) {
            String session =
                    post(server.port(), FixtureServer.TOKEN, "initialize")
                            .headers()
                            .firstValue("Mcp-Session-Id")
                            .orElseThrow();
            String batch = String.join(",", Collections.nCopies(600, message("ping")));
            JsonNode answers =
                    Json.parse(
                            send(
                                            server.port(),
                                            FixtureServer.TOKEN,
                                            "[" + batch + "]",
                                            "Mcp-Session-Id",
                                            session)
                                    .body());
            // the initialize was the first of 600
            assertThat(answers.path(598).has("result")).isTrue();
            assertThat(answers.path(599).has("error")).isTrue();
        }
    }
}

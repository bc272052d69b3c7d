package dev.tandem.agent;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;

/** A model server that streams prepared answers, event by event as the real ones write them. */
final class FakeModel implements AutoCloseable {
    final List<JsonNode> requests = new CopyOnWriteArrayList<>();
    final List<String> keys = new CopyOnWriteArrayList<>();
    final CountDownLatch holding = new CountDownLatch(1);
    private final Queue<List<String>> answers = new ConcurrentLinkedQueue<>();
    private final HttpServer server;
    private final Queue<Integer> refusals = new ConcurrentLinkedQueue<>();
    private volatile int status = 200;
    volatile String retryAfter = "";

    FakeModel() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/v1/messages", this::handle);
        server.createContext("/chat/completions", this::handle);
        server.start();
    }

    ModelBrain anthropic() {
        return brain(ModelSettings.Kind.ANTHROPIC, "key-a", "claude-x");
    }

    ModelBrain openAi() {
        return brain(ModelSettings.Kind.OPENAI, "key-o", "gpt-x");
    }

    ModelBrain brain(ModelSettings.Kind kind, String key, String model) {
        ModelStream quick = new ModelStream(Duration.ofMillis(5));
        return new ModelBrain(new ModelSettings(kind, url() + "/", key, model).api(quick));
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void answers(String... events) {
        answers.add(List.of(events));
    }

    void refusesWith(int code) {
        status = code;
    }

    /** Refuses that often, in these ways, before it answers. */
    void refusesFirst(Integer... codes) {
        refusals.addAll(List.of(codes));
    }

    private void handle(HttpExchange exchange) throws IOException {
        requests.add(
                Json.parse(
                        new String(
                                exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        String key = exchange.getRequestHeaders().getFirst("x-api-key");
        keys.add(
                key == null
                        ? String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"))
                        : key);
        Integer first = refusals.poll();
        int code = first == null ? status : first;
        if (code != 200) {
            if (!retryAfter.isEmpty()) {
                exchange.getResponseHeaders().add("Retry-After", retryAfter);
            }
            byte[] body =
                    "{\"type\":\"error\",\"error\":{\"type\":\"x\",\"message\":\"credit is too low\"}}"
                            .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
            return;
        }
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        for (String event : new ArrayDeque<>(answers.remove())) {
            if (event.equals("HOLD")) {
                await();
                continue;
            }
            exchange.getResponseBody().write((event + "\n\n").getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        }
        exchange.close();
    }

    private void await() {
        try {
            holding.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        holding.countDown();
        server.stop(0);
    }
}

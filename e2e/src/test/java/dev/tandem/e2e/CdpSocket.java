package dev.tandem.e2e;

import dev.tandem.protocol.Json;
import java.net.URI;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A program on /cdp that says exactly what a test wants said. */
final class CdpSocket implements WebSocket.Listener, AutoCloseable {
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> pending = new ConcurrentHashMap<>();
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();
    private final CompletableFuture<String> closed = new CompletableFuture<>();
    private final StringBuilder text = new StringBuilder();
    private final WebSocket socket;

    CdpSocket(int port, String token) {
        socket =
                Http.CLIENT
                        .newWebSocketBuilder()
                        .header("Authorization", "Bearer " + token)
                        .buildAsync(URI.create("ws://127.0.0.1:" + port + "/cdp"), this)
                        .join();
    }

    /** The whole answer, with its result or its error. */
    JsonNode ask(String session, String method, ObjectNode params) {
        return begin(session, method, params).orTimeout(30, TimeUnit.SECONDS).join();
    }

    /** Asks without waiting. */
    CompletableFuture<JsonNode> begin(String session, String method, ObjectNode params) {
        int id = ids.incrementAndGet();
        ObjectNode message = Json.object().put("id", id).put("method", method);
        message.set("params", params);
        if (!session.isEmpty()) {
            message.put("sessionId", session);
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        pending.put(id, answer);
        socket.sendText(Json.write(message), true).join();
        return answer;
    }

    boolean isOpen() {
        return !closed.isDone();
    }

    /** What was told without being asked, by the name of the event. */
    List<JsonNode> events(String method) {
        return events.stream()
                .filter(event -> event.path("method").asString("").equals(method))
                .map(event -> event.path("params"))
                .toList();
    }

    /** How the hub ended it: "1008 why". */
    String ended() {
        return closed.orTimeout(20, TimeUnit.SECONDS).join();
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        text.append(data);
        if (last) {
            JsonNode message = Json.parse(text.toString());
            text.setLength(0);
            CompletableFuture<JsonNode> waiting = pending.remove(message.path("id").asInt(0));
            if (waiting != null) {
                waiting.complete(message);
            } else {
                events.add(message);
            }
        }
        from.request(1);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        closed.complete(code + " " + reason);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
        socket.abort();
    }
}

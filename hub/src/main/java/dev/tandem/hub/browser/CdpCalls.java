package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Commands to a browser's debugger and their answers, whatever carries them. */
final class CdpCalls {
    private final Carrier carrier;
    private final BiConsumer<String, JsonNode> events;
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, CompletableFuture<JsonNode>> pending = new ConcurrentHashMap<>();

    /** Takes one whole message to the browser; called by any thread. */
    interface Carrier {
        void send(byte[] message) throws IOException;
    }

    CdpCalls(Carrier carrier, BiConsumer<String, JsonNode> events) {
        this.carrier = carrier;
        this.events = events;
    }

    JsonNode send(String method, ObjectNode params, long timeoutMs) throws IOException {
        return send(method, params, "", timeoutMs);
    }

    /** Sends a command, on an attached target's session unless that is empty. */
    JsonNode send(String method, ObjectNode params, String sessionId, long timeoutMs)
            throws IOException {
        long id = ids.incrementAndGet();
        ObjectNode message = Json.object().put("id", id).put("method", method);
        message.set("params", params);
        if (!sessionId.isEmpty()) {
            message.put("sessionId", sessionId);
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        pending.put(id, answer);
        try {
            carrier.send(Json.bytes(message));
            return answer.get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            String why = cause == null ? "failed" : String.valueOf(cause.getMessage());
            throw new IOException(method + ": " + why, e);
        } catch (TimeoutException e) {
            throw new IOException(method + " was not answered within " + timeoutMs + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(method + " was interrupted", e);
        } finally {
            pending.remove(id);
        }
    }

    void receive(JsonNode message) {
        if (!message.has("id")) {
            events.accept(message.path("method").asString(""), message.path("params"));
            return;
        }
        CompletableFuture<JsonNode> waiting = pending.get(message.path("id").asLong());
        if (waiting == null) {
            return;
        }
        if (message.has("error")) {
            waiting.completeExceptionally(
                    new IOException(message.path("error").path("message").asString("failed")));
        } else {
            waiting.complete(message.path("result"));
        }
    }

    /** Nothing more will be answered. */
    void ended() {
        pending.values()
                .forEach(p -> p.completeExceptionally(new IOException("the browser ended")));
    }
}

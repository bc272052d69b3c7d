package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The debugging pipe of a browser that we started: commands out, answers and events in. */
final class CdpPipe {
    private static final Logger LOG = LoggerFactory.getLogger(CdpPipe.class);

    private final OutputStream out;
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, CompletableFuture<JsonNode>> pending = new ConcurrentHashMap<>();
    private final BiConsumer<String, JsonNode> events;

    CdpPipe(InputStream in, OutputStream out, BiConsumer<String, JsonNode> events) {
        this.out = out;
        this.events = events;
        // A blocking read of a pipe would hold a carrier of the virtual threads.
        Thread.ofPlatform().name("cdp-pipe").daemon().start(() -> read(in));
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
            write(Json.bytes(message));
            return answer.get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException(method + ": " + String.valueOf(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new IOException(method + " was not answered within " + timeoutMs + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(method + " was interrupted", e);
        } finally {
            pending.remove(id);
        }
    }

    private synchronized void write(byte[] message) throws IOException {
        out.write(message);
        out.write(0);
        out.flush();
    }

    private void read(InputStream in) {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        byte[] buffer = new byte[64 * 1024];
        try (in) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                int start = 0;
                for (int i = 0; i < count; i++) {
                    if (buffer[i] == 0) {
                        message.write(buffer, start, i - start);
                        receive(Json.parse(message.toByteArray()));
                        message.reset();
                        start = i + 1;
                    }
                }
                message.write(buffer, start, count - start);
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("The debugging pipe ended: {}", e.toString());
        }
        pending.values()
                .forEach(p -> p.completeExceptionally(new IOException("the browser ended")));
    }

    private void receive(JsonNode message) {
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
}

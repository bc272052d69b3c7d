package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The debugging endpoint of a browser that somebody else started. */
final class CdpSocket implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final HttpClient http;
    private final WebSocket socket;
    private final CdpCalls calls;

    private CdpSocket(HttpClient http, URI endpoint, BiConsumer<String, JsonNode> events)
            throws IOException {
        this.http = http;
        this.calls = new CdpCalls(this::write, events);
        try {
            this.socket =
                    http.newWebSocketBuilder()
                            .connectTimeout(PATIENCE)
                            .buildAsync(endpoint, new Reader(calls))
                            .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("No browser answers at " + endpoint + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while connecting to " + endpoint + ".", e);
        }
    }

    static CdpSocket open(URI endpoint, BiConsumer<String, JsonNode> events) throws IOException {
        HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
        try {
            return new CdpSocket(http, endpoint, events);
        } catch (IOException | IllegalArgumentException e) {
            http.shutdownNow();
            throw e;
        }
    }

    CdpCalls calls() {
        return calls;
    }

    @Override
    public void close() {
        socket.abort();
        http.shutdownNow();
    }

    private void write(byte[] message) throws IOException {
        try {
            socket.sendText(new String(message, StandardCharsets.UTF_8), true)
                    .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("The browser does not take commands.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while talking to the browser.", e);
        }
    }

    private static final class Reader implements WebSocket.Listener {
        private final CdpCalls calls;
        private final StringBuilder message = new StringBuilder();

        Reader(CdpCalls calls) {
            this.calls = calls;
        }

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket from, CharSequence data, boolean last) {
            message.append(data);
            if (last) {
                calls.receive(Json.parse(message.toString()));
                message.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            calls.ended();
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable error) {
            calls.ended();
        }
    }
}

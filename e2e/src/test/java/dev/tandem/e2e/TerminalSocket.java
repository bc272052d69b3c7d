package dev.tandem.e2e;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A terminal of a running hub, opened the way the panel does it. */
final class TerminalSocket implements AutoCloseable {
    static final String ORIGIN =
            "chrome-extension://" + Json.resource("identity.json").get("extensionId").asString();
    private static final long PATIENCE_SECONDS = 60;

    private final Output output = new Output();
    private final WebSocket socket;
    private final JsonNode opened;

    /** Opens a shell that outlives its socket for a while. */
    TerminalSocket(RunningHub hub) throws IOException {
        opened = grant(hub, Json.object().put("profile", "shell").put("resume", true));
        socket =
                Http.CLIENT
                        .newWebSocketBuilder()
                        .header("Origin", ORIGIN)
                        .subprotocols("gstack-pty." + token())
                        .buildAsync(URI.create("ws://127.0.0.1:" + port() + "/ws"), output)
                        .join();
        socket.sendText("{\"type\":\"start\"}", true).join();
    }

    /** Asks the hub for a terminal with its own token; waits until there is an agent. */
    static JsonNode grant(RunningHub hub, ObjectNode wanted) throws IOException {
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS); ; ) {
            Http.Answer answer =
                    Http.send(
                            "POST",
                            "http://127.0.0.1:" + hub.port() + "/pty-session",
                            wanted.toString(),
                            "Authorization",
                            "Bearer " + hub.token());
            if (answer.status() == 200) {
                return answer.json();
            }
            if (answer.status() != 503 || System.nanoTime() > end) {
                throw new IOException(answer.status() + " " + answer.body());
            }
            Thread.onSpinWait();
        }
    }

    String sessionId() {
        return opened.path("sessionId").asString();
    }

    String token() {
        return opened.path("ptySessionToken").asString();
    }

    int port() {
        return opened.path("terminalPort").asInt();
    }

    void type(String keys) {
        socket.sendBinary(ByteBuffer.wrap(keys.getBytes(StandardCharsets.UTF_8)), true).join();
    }

    /** Everything shown since the start, once it holds the words. */
    String until(String words) {
        return output.until(words);
    }

    /** The status with which the agent answers an upgrade with this token. */
    static int knock(int port, String token) {
        try {
            Http.CLIENT
                    .newWebSocketBuilder()
                    .header("Origin", ORIGIN)
                    .subprotocols("gstack-pty." + token)
                    .buildAsync(
                            URI.create("ws://127.0.0.1:" + port + "/ws"),
                            new WebSocket.Listener() {})
                    .join()
                    .abort();
            return 101;
        } catch (CompletionException e) {
            if (e.getCause() instanceof java.net.http.WebSocketHandshakeException refused) {
                return refused.getResponse().statusCode();
            }
            throw e;
        }
    }

    @Override
    public void close() {
        socket.abort();
    }

    private static final class Output implements WebSocket.Listener {
        private final StringBuilder shown = new StringBuilder();

        @Override
        public CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
            synchronized (shown) {
                shown.append(StandardCharsets.ISO_8859_1.decode(data));
                shown.notifyAll();
            }
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }

        String until(String words) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            synchronized (shown) {
                while (shown.indexOf(words) < 0) {
                    long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                    if (left <= 0) {
                        throw new AssertionError("never saw " + words + " but: " + shown);
                    }
                    try {
                        shown.wait(left);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        throw new AssertionError(e);
                    }
                }
                return shown.toString();
            }
        }
    }
}

package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A WebSocket of a test: JSON out, JSON in, and how it was closed. */
public final class Wire implements WebSocket.Listener, AutoCloseable {
    private final LinkedBlockingQueue<ObjectNode> received = new LinkedBlockingQueue<>();
    private final CompletableFuture<String> closed = new CompletableFuture<>();
    private final StringBuilder partial = new StringBuilder();
    private final Consumer<ObjectNode> onMessage;
    private volatile @Nullable CountDownLatch paused;
    private @Nullable WebSocket socket;

    private Wire(Consumer<ObjectNode> onMessage) {
        this.onMessage = onMessage;
    }

    /** The upgrade was answered with this status instead. */
    public static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final int status;

        Refused(int status) {
            super("refused with " + status);
            this.status = status;
        }

        public int status() {
            return status;
        }
    }

    /** Messages can be taken with {@link #next}. */
    public static Wire open(HttpClient client, int port, String path, String... headers) {
        Wire wire = new Wire(message -> {});
        wire.connect(client, port, path, headers);
        return wire;
    }

    static Wire open(
            HttpClient client,
            int port,
            String path,
            Consumer<ObjectNode> onMessage,
            String... headers) {
        Wire wire = new Wire(onMessage);
        wire.connect(client, port, path, headers);
        return wire;
    }

    private void connect(HttpClient client, int port, String path, String... headers) {
        WebSocket.Builder builder = client.newWebSocketBuilder();
        for (int i = 0; i < headers.length; i += 2) {
            if (headers[i].equals("subprotocols")) {
                String[] names = headers[i + 1].split(",", -1);
                builder.subprotocols(names[0], names[1]);
            } else {
                builder.header(headers[i], headers[i + 1]);
            }
        }
        try {
            socket = builder.buildAsync(URI.create("ws://127.0.0.1:" + port + path), this).join();
        } catch (java.util.concurrent.CompletionException e) {
            if (e.getCause() instanceof WebSocketHandshakeException refused) {
                throw new Refused(refused.getResponse().statusCode());
            }
            throw e;
        }
    }

    @Override
    public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
        partial.append(data);
        if (last) {
            ObjectNode message = Json.parseObject(partial.toString());
            partial.setLength(0);
            received.add(message);
            onMessage.accept(message);
        }
        CountDownLatch pause = paused;
        if (pause != null && !last) {
            // What is not asked for stays where it was sent.
            pause.countDown();
        } else {
            webSocket.request(1);
        }
        return CompletableFuture.completedStage(null);
    }

    /** Reads no more once a message comes that is too long for one part; told when it does. */
    public CountDownLatch pauseAtLong() {
        CountDownLatch pause = new CountDownLatch(1);
        paused = pause;
        return pause;
    }

    public void resume() {
        paused = null;
        socket().request(1);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket webSocket, int code, String reason) {
        closed.complete(code + " " + reason);
        return CompletableFuture.completedStage(null);
    }

    @Override
    public void onError(WebSocket webSocket, Throwable error) {
        closed.complete("error " + error);
    }

    public synchronized Wire send(ObjectNode message) {
        return sendText(Json.write(message));
    }

    public synchronized Wire sendText(String text) {
        socket().sendText(text, true).join();
        return this;
    }

    /** Part of a message; nothing else can go this way until the last part went. */
    public synchronized Wire sendPart(String part, boolean last) {
        socket().sendText(part, last).join();
        return this;
    }

    /** A message as a binary frame. */
    public synchronized Wire sendBytes(String text) {
        socket().sendBinary(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), true).join();
        return this;
    }

    /** How many messages came in and were not taken. */
    public int waiting() {
        return received.size();
    }

    /** The next message that came in. */
    public ObjectNode next() {
        try {
            for (int tenths = 0; tenths < 100; tenths++) {
                ObjectNode message = received.poll(100, TimeUnit.MILLISECONDS);
                if (message != null) {
                    return message;
                }
                if (closed.isDone() && received.isEmpty()) {
                    throw new AssertionError("the socket was closed: " + closed.join());
                }
            }
            throw new AssertionError("no message within 10 s");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The next message of that type; others are dropped. */
    public ObjectNode next(String type) {
        ObjectNode message = next();
        while (!message.path("type").asString("").equals(type)) {
            message = next();
        }
        return message;
    }

    public boolean isOpen() {
        return !closed.isDone();
    }

    public String closed() {
        try {
            return closed.get(Duration.ofSeconds(10).toMillis(), TimeUnit.MILLISECONDS);
        } catch (java.util.concurrent.ExecutionException
                | java.util.concurrent.TimeoutException
                | InterruptedException e) {
            throw new AssertionError("the socket is still open", e);
        }
    }

    private WebSocket socket() {
        return java.util.Objects.requireNonNull(socket);
    }

    /** Ends the connection without a goodbye. */
    public void abort() {
        socket().abort();
    }

    @Override
    public void close() {
        socket().abort();
    }
}

package dev.tandem.e2e;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.node.ObjectNode;

/**
 * A program with one session that comes back by the rules in docs/reference/ops.md, "Coming back",
 * and by nothing else. Only how often it pings is the test's.
 */
final class ReturningProgram implements AutoCloseable {
    private final int port;
    private final String token;
    private final Duration beat;
    private final List<Long> attempts = new CopyOnWriteArrayList<>();
    private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final Thread life;
    private volatile boolean over;
    private volatile Optional<Connection> current = Optional.empty();
    private volatile ObjectNode session = Json.object();

    ReturningProgram(int port, String token, Duration beat) {
        this.port = port;
        this.token = token;
        this.beat = beat;
        this.life = Thread.startVirtualThread(this::live);
    }

    /** When it tried to connect since it last was connected, in nanoseconds. */
    List<Long> attempts() {
        return List.copyOf(attempts);
    }

    /** What became of its session each time that it has a connection, and why it stopped. */
    String told() throws InterruptedException {
        String next = told.poll(60, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("not connected within 60 s, after " + attempts.size());
        }
        return next;
    }

    ObjectNode session() {
        return session;
    }

    ObjectNode call(String command, ObjectNode payload) throws Exception {
        return current.orElseThrow().call(command, payload);
    }

    /** Its connection breaks without a word. */
    void lose() {
        current.orElseThrow().socket.join().abort();
    }

    private void live() {
        int failures = 0;
        while (!over) {
            attempts.add(System.nanoTime());
            Connection connection = new Connection();
            try {
                connection.greet();
                failures = 0;
                attempts.clear();
                current = Optional.of(connection);
                String became = resume(connection);
                told.add(became);
                connection.beat();
                if (connection.revoked) {
                    told.add("revoked");
                    return;
                }
            } catch (InterruptedException e) {
                return;
            } catch (IllegalStateException e) {
                told.add(e.toString());
                return;
            } catch (Exception e) {
                if (refused(e)) {
                    told.add("refused");
                    return;
                }
                // broken or silent: all the same to the next attempt
            } finally {
                connection.end();
            }
            try {
                Thread.sleep(Duration.ofMillis(waitMs(failures++)));
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static boolean refused(Exception why) {
        return why.getCause() instanceof WebSocketHandshakeException answer
                && List.of(401, 403).contains(answer.getResponse().statusCode());
    }

    private static long waitMs(int failures) {
        double plain =
                Limits.of("reconnectFirstMs") * Math.pow(Limits.of("reconnectFactor"), failures);
        double spread = Limits.of("reconnectJitterPercent") / 100.0;
        return Math.round(
                Math.min(plain, Limits.of("reconnectMaxMs"))
                        * (1 + spread * (2 * ThreadLocalRandom.current().nextDouble() - 1)));
    }

    private String resume(Connection connection) throws Exception {
        if (session.has("leaseId")) {
            ObjectNode mine = Json.object();
            mine.set("sessionId", session.get("opsSessionId"));
            mine.set("leaseId", session.get("leaseId"));
            ObjectNode answer = connection.call("session.connect", mine);
            if (answer.path("type").asString().equals("ops_response")) {
                return "taken back";
            }
            if (!answer.at("/error/code").asString().equals("invalid_session")) {
                throw failed(answer);
            }
        }
        boolean again = session.has("leaseId");
        session = Json.object();
        ObjectNode answer = connection.call("session.launch", Json.object());
        if (!answer.path("type").asString().equals("ops_response")) {
            throw failed(answer);
        }
        session = (ObjectNode) answer.get("payload");
        return again ? "launched again" : "launched";
    }

    /** The browser may be away; nothing else is a reason to try once more. */
    private static Exception failed(ObjectNode answer) {
        return answer.at("/error/code").asString().equals("ops_unavailable")
                ? new TimeoutException(answer.toString())
                : new IllegalStateException(answer.toString());
    }

    @Override
    public void close() {
        over = true;
        life.interrupt();
        current.ifPresent(Connection::end);
    }

    /** One connection from its upgrade to its end. */
    private final class Connection implements WebSocket.Listener {
        private final CompletableFuture<ObjectNode> acknowledged = new CompletableFuture<>();
        private final CompletableFuture<Void> closed = new CompletableFuture<>();
        private final LinkedBlockingQueue<String> pongs = new LinkedBlockingQueue<>();
        private final LinkedBlockingQueue<ObjectNode> answers = new LinkedBlockingQueue<>();
        private final StringBuilder partial = new StringBuilder();
        private final HttpClient http = HttpClient.newHttpClient();
        private final CompletableFuture<WebSocket> socket = new CompletableFuture<>();
        private volatile boolean revoked;
        private int requests;

        void greet() throws Exception {
            long until = System.nanoTime() + millis("clientHandshakeMs");
            socket.complete(
                    http.newWebSocketBuilder()
                            .header("Authorization", "Bearer " + token)
                            .buildAsync(URI.create("ws://127.0.0.1:" + port + "/ops"), this)
                            .get(millis("clientHandshakeMs"), TimeUnit.NANOSECONDS));
            ObjectNode hello = Json.object().put("type", "ops_hello").put("version", "1");
            send(hello.put("clientName", "returning"));
            acknowledged.get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        /** Returns when nobody is there any more. */
        void beat() throws InterruptedException {
            int missed = 0;
            for (int id = 1; missed < Limits.of("missedPongs"); id++) {
                if (awaitClosed(beat)) {
                    return;
                }
                send(Json.object().put("type", "ops_ping").put("id", "p" + id));
                String pong = pongs.poll(millis("pongTimeoutMs"), TimeUnit.NANOSECONDS);
                while (pong != null && !pong.equals("p" + id)) {
                    pong = pongs.poll(millis("pongTimeoutMs"), TimeUnit.NANOSECONDS);
                }
                missed = pong == null ? missed + 1 : 0;
            }
        }

        private boolean awaitClosed(Duration most) throws InterruptedException {
            try {
                closed.get(most.toMillis(), TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException e) {
                return false;
            } catch (ExecutionException e) {
                return true;
            }
        }

        synchronized ObjectNode call(String command, ObjectNode payload) throws Exception {
            ObjectNode request = Json.object().put("type", "ops_request");
            request.put("requestId", "q" + ++requests).put("command", command);
            if (!command.equals("session.connect") && session.has("leaseId")) {
                request.set("opsSessionId", session.get("opsSessionId"));
                request.set("leaseId", session.get("leaseId"));
            }
            send(request.set("payload", payload));
            ObjectNode answer = answers.poll(60, TimeUnit.SECONDS);
            if (answer == null) {
                throw new TimeoutException(command);
            }
            return answer;
        }

        private void send(ObjectNode message) {
            var _ = socket.join().sendText(Json.write(message), true);
        }

        void end() {
            if (socket.isDone()) {
                socket.join().abort();
            }
            http.shutdownNow();
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            partial.append(data);
            if (last) {
                ObjectNode message = Json.parseObject(partial.toString());
                partial.setLength(0);
                take(message);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }

        private void take(ObjectNode message) {
            switch (message.path("type").asString()) {
                case "ops_hello_ack" -> acknowledged.complete(message);
                case "ops_pong" -> pongs.add(message.path("id").asString());
                case "ops_response" -> answers.add(message);
                case "ops_error" -> {
                    if (message.path("requestId").asString().equals("ops_hello")) {
                        acknowledged.completeExceptionally(
                                new IllegalStateException(message.toString()));
                    } else {
                        answers.add(message);
                    }
                }
                default -> {
                    // events tell nothing that it needs
                }
            }
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            revoked = code == 4001;
            gone(new IllegalStateException(code + " " + reason));
            return CompletableFuture.completedStage(null);
        }

        @Override
        public void onError(WebSocket from, Throwable error) {
            gone(error);
        }

        private void gone(Throwable why) {
            acknowledged.completeExceptionally(why);
            closed.complete(null);
        }
    }

    private static long millis(String limit) {
        return TimeUnit.MILLISECONDS.toNanos(Limits.of(limit));
    }
}

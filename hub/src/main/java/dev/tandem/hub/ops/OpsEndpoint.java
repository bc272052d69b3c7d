package dev.tandem.hub.ops;

import dev.tandem.hub.auth.Authenticator;
import dev.tandem.hub.browser.Browsers;
import dev.tandem.hub.browser.Greeting;
import dev.tandem.hub.browser.OpsClient;
import dev.tandem.hub.browser.ToolRunner;
import dev.tandem.hub.browser.Watch;
import dev.tandem.hub.web.Socket;
import dev.tandem.hub.web.SocketHandler;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.Messages;
import dev.tandem.protocol.Schema;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Utf8;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** /ops: many programs at once, each with its own socket, requests, answers and events. */
public final class OpsEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(OpsEndpoint.class);
    private static final String UNKNOWN = "unknown";

    private final ToolRunner runner;
    private final Browsers browsers;
    private final Authenticator authenticator;
    private final Failures failures;

    public OpsEndpoint(
            ToolRunner runner,
            Browsers browsers,
            Authenticator authenticator,
            Clock clock,
            WebServer web) {
        this.runner = runner;
        this.browsers = browsers;
        this.authenticator = authenticator;
        this.failures = new Failures(clock);
        web.socket("ops", Connection::new);
    }

    private final class Connection implements SocketHandler.Listener {
        private final Socket socket;
        private volatile String who;
        private volatile Frames frames = new Frames(Limits.MAX_OPS_PAYLOAD_BYTES);
        private final Lanes lanes = new Lanes();
        private final Lane longAnswers = new Lane();
        private final Map<String, Watch> running = new ConcurrentHashMap<>();
        private volatile @Nullable OpsClient client;
        private volatile boolean greeted;

        Connection(Socket socket) {
            this.socket = socket;
            this.who = Failures.who(socket.caller());
        }

        @Override
        public void onText(String text) {
            if (socket.upgrade().token().flatMap(authenticator::caller).isEmpty()) {
                socket.close(4001, "Token revoked");
                return;
            }
            Optional<ObjectNode> parsed = parse(text);
            ObjectNode message = parsed.orElseGet(Json::object);
            ObjectNode head = head(message);
            try {
                // A heartbeat that stays away would tell a client that failed to reconnect; a
                // request that is cancelled ends once, in its own error.
                if (!isType(message, "ops_ping") && !isType(message, "ops_cancel")) {
                    failures.check(who);
                }
                if (Utf8.length(text) > Limits.MAX_OPS_PAYLOAD_BYTES) {
                    throw invalid("Ops payload exceeded relay limits.");
                }
                if (parsed.isEmpty()) {
                    throw invalid("Invalid ops message.");
                }
                take(message, head);
            } catch (RuntimeException e) {
                fail(head, known(e));
            }
        }

        private void take(ObjectNode message, ObjectNode head) {
            String type = Json.text(message, "type").orElse("");
            Optional<Schema.Problem> problem = Messages.ops().check(message);
            if (problem.isPresent()) {
                throw new TandemException(
                        ErrorCode.INVALID_REQUEST,
                        problem.get().path().equals("type")
                                ? "Invalid ops message."
                                : problem.get().message(),
                        problem.get().reason());
            }
            switch (type) {
                case "ops_ping" -> pong(message);
                case "ops_hello" -> hello(message);
                case "ops_request" -> request(message, head);
                case "ops_cancel" -> cancel(message);
                default -> throw invalid("A client cannot send " + type + ".");
            }
        }

        private void pong(ObjectNode message) {
            ObjectNode pong = Json.object().put("type", "ops_pong");
            pong.set("id", message.path("id"));
            OpsClient known = client;
            pong.put("clientId", known == null ? UNKNOWN : known.id());
            socket.send(Json.write(pong));
        }

        private void hello(ObjectNode message) {
            if (client != null) {
                throw invalid("ops_hello was sent already.");
            }
            OpsClient fresh =
                    OpsClient.socket(
                            socket.caller(), message, event -> socket.send(frames.event(event)));
            who = Failures.who(fresh);
            failures.check(who);
            client = fresh;
            Thread.startVirtualThread(() -> greet(fresh, message));
        }

        private void greet(OpsClient fresh, ObjectNode message) {
            ObjectNode head = head(message).put("clientId", fresh.id());
            try {
                ObjectNode ack = new Greeting(browsers).answer(fresh, message);
                frames = new Frames(ack.path("maxPayloadBytes").asInt());
                greeted = true;
                browsers.join(fresh);
                socket.send(Json.write(ack));
                if (!socket.isOpen()) {
                    browsers.leave(fresh);
                }
            } catch (RuntimeException e) {
                TandemException failure = known(e);
                socket.send(frames.error(head, failure));
                client = null;
                if (failure.code() == ErrorCode.OPS_UNAVAILABLE) {
                    socket.close(1011, "No hello from the extension");
                }
            }
        }

        private void request(ObjectNode message, ObjectNode head) {
            OpsClient known = client;
            if (known == null || !greeted) {
                throw invalid("Send ops_hello and wait for its answer first.");
            }
            frames.check(head);
            String requestId = message.path("requestId").asString("");
            Watch watch =
                    new Watch((progress, text) -> {}, card -> pending(known, requestId, card));
            if (running.putIfAbsent(requestId, watch) != null) {
                throw invalid("A request with this requestId is still running.");
            }
            lanes.submit(runner.lane(message), () -> run(known, message, head, watch));
        }

        private void run(OpsClient known, ObjectNode message, ObjectNode head, Watch watch) {
            String requestId = message.path("requestId").asString("");
            try {
                var _ =
                        runner.command(known, message, watch)
                                .whenComplete((_, _) -> running.remove(requestId, watch))
                                .thenAccept(payload -> answer(head, payload))
                                .whenComplete((_, failure) -> {
                                    if (failure != null) {
                                        fail(head, known(failure));
                                    }
                                });
            } catch (RuntimeException e) {
                running.remove(requestId, watch);
                fail(head, known(e));
            }
        }

        private void answer(ObjectNode head, ObjectNode payload) {
            Json.text(payload, "opsSessionId").ifPresent(id -> head.put("opsSessionId", id));
            List<String> parts = frames.response(head, payload);
            if (parts.size() == 1) {
                socket.send(parts.getFirst());
            } else {
                longAnswers.submit(() -> sendAtItsPace(parts));
            }
        }

        /** A long answer is more than may lie unread at once. */
        private void sendAtItsPace(List<String> parts) {
            for (String part : parts) {
                if (!socket.awaitCalm()) {
                    return;
                }
                socket.send(part);
            }
        }

        private void cancel(ObjectNode message) {
            Watch watch = running.get(message.path("requestId").asString(""));
            if (watch != null) {
                watch.cancel();
            }
        }

        private void pending(OpsClient known, String requestId, ObjectNode card) {
            ObjectNode event = Json.object().put("type", "ops_event");
            event.put("clientId", known.id()).put("event", "permission_pending");
            event.set("payload", card.deepCopy().put("requestId", requestId));
            socket.send(frames.event(event));
        }

        private void fail(ObjectNode head, TandemException failure) {
            failures.note(who, failure);
            socket.send(frames.error(head, failure));
        }

        private ObjectNode head(ObjectNode message) {
            ObjectNode head = Json.object();
            String given =
                    Json.text(message, "requestId").filter(id -> !id.isEmpty()).orElse(UNKNOWN);
            head.put("requestId", isType(message, "ops_hello") ? "ops_hello" : given);
            OpsClient known = client;
            head.put("clientId", known == null ? UNKNOWN : known.id());
            Json.text(message, "opsSessionId").ifPresent(id -> head.put("opsSessionId", id));
            return head;
        }

        @Override
        public void onClose(int code, String reason) {
            OpsClient known = client;
            if (known != null) {
                browsers.leave(known);
            }
            running.values().forEach(Watch::cancel);
        }
    }

    private static Optional<ObjectNode> parse(String text) {
        try {
            return Optional.of(Json.parseObject(text));
        } catch (TandemException e) {
            return Optional.empty();
        }
    }

    private static boolean isType(ObjectNode message, String type) {
        return Json.text(message, "type").orElse("").equals(type);
    }

    /** What nobody foresaw is an answer, too. */
    private static TandemException known(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof TandemException)) {
            cause = cause.getCause();
        }
        if (cause instanceof TandemException known) {
            return known;
        }
        LOG.error("A request at /ops failed", failure);
        return TandemException.of(ErrorCode.INTERNAL);
    }

    private static TandemException invalid(String text) {
        return new TandemException(ErrorCode.INVALID_REQUEST, text);
    }
}

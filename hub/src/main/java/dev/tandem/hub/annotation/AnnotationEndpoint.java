package dev.tandem.hub.annotation;

import dev.tandem.hub.auth.Authenticator;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.web.Socket;
import dev.tandem.hub.web.SocketHandler;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.Messages;
import dev.tandem.protocol.Schema;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Utf8;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** /annotation: programs ask the person to point at things; many at once, one per tab. */
public final class AnnotationEndpoint {
    private static final String TAKEN = "Only one annotation client supported";
    private static final Set<String> PROFILES =
            Set.copyOf(Catalogue.load().byName("annotate").orElseThrow().profiles());

    private final Annotations annotations;
    private final Authenticator authenticator;
    private final Duration limit;
    private final Records records;

    /** Where it is kept who asked for what, and how that ended. */
    @FunctionalInterface
    public interface Records {
        void add(Caller caller, String what, String outcome);
    }

    public AnnotationEndpoint(
            Annotations annotations,
            Authenticator authenticator,
            WebServer web,
            Duration limit,
            Records records) {
        this.annotations = annotations;
        this.authenticator = authenticator;
        this.limit = limit;
        this.records = records;
        web.socket("annotation", Connection::new);
    }

    private final class Connection implements SocketHandler.Listener {
        private final Socket socket;
        private final Annotations.Asker asker;

        Connection(Socket socket) {
            this.socket = socket;
            this.asker =
                    new Annotations.Asker(
                            UUID.randomUUID().toString(),
                            socket.caller(),
                            socket.caller().id(),
                            socket.caller().name(),
                            socket.caller().kind() == TokenKind.HUB);
            annotations.client(1);
        }

        @Override
        public void onText(String text) {
            if (socket.upgrade().token().flatMap(authenticator::caller).isEmpty()) {
                socket.close(4001, "Token revoked");
                return;
            }
            String requestId = "unknown";
            try {
                ObjectNode message = Json.parseObject(text);
                requestId = message.path("payload").path("requestId").asString(requestId);
                if (message.path("type").asString("").equals("ping")) {
                    pong(message);
                    return;
                }
                check(message, text);
                take((ObjectNode) message.path("payload"), requestId);
            } catch (TandemException e) {
                fail(requestId, new AnnotationException("invalid_request", e.message()));
            } catch (AnnotationException e) {
                fail(requestId, e);
            }
        }

        private void check(ObjectNode message, String text) {
            if (Utf8.length(text) > Limits.of("annotationRelayBytes")) {
                throw new AnnotationException(
                        "payload_too_large", "The message is larger than one may be.");
            }
            Optional<Schema.Problem> problem = Messages.annotation().check(message);
            if (problem.isPresent()) {
                throw new AnnotationException("invalid_request", problem.get().message());
            }
            if (!message.path("type").asString("").equals("annotationCommand")) {
                throw new AnnotationException(
                        "invalid_request", "A client sends annotationCommand only.");
            }
        }

        private void take(ObjectNode command, String requestId) {
            if (!PROFILES.contains(socket.caller().profile())) {
                throw new AnnotationException(
                        "invalid_request",
                        "The profile \""
                                + socket.caller().profile()
                                + "\" of this token does not have the tool annotate.");
            }
            switch (command.path("command").asString("")) {
                case "start" -> Thread.startVirtualThread(() -> start(command, requestId));
                case "cancel" -> annotations.cancel(asker, requestId);
                case "fetch_stored" -> fetch(requestId);
                case "store_agent_payload" -> store(command, requestId);
                default -> throw new AnnotationException("invalid_request", "Unknown command.");
            }
        }

        private void start(ObjectNode command, String requestId) {
            try {
                ObjectNode result =
                        annotations.ask(
                                asker,
                                command,
                                Optional.empty(),
                                limit,
                                event -> send("annotationEvent", event));
                records.add(socket.caller(), "annotate", "ok");
                ObjectNode answer = ok(requestId);
                answer.set("payload", result);
                send("annotationResponse", answer);
            } catch (AnnotationException e) {
                records.add(socket.caller(), "annotate", e.code());
                fail(requestId, e);
                if (e.text().equals(TAKEN) && annotations.requestsOf(asker).isEmpty()) {
                    socket.close(1008, TAKEN);
                }
            }
        }

        private void fetch(String requestId) {
            ObjectNode stored =
                    annotations
                            .inbox()
                            .take()
                            .orElseThrow(() ->
                                    new AnnotationException(
                                            "payload_unavailable",
                                            "There is no stored annotation."));
            records.add(socket.caller(), "fetch_stored", "ok");
            ObjectNode answer = ok(requestId);
            answer.set("payload", stored);
            send("annotationResponse", answer);
        }

        /** Notes speak for the person, so only the person's own programs may leave some. */
        private void store(ObjectNode command, String requestId) {
            if (socket.caller().kind() != TokenKind.HUB
                    || !(command.path("payload") instanceof ObjectNode payload)) {
                throw new AnnotationException(
                        "invalid_request", "Only the user can store annotations.");
            }
            ObjectNode answer = ok(requestId);
            answer.set("receipt", Sending.store(annotations.inbox(), command, payload).json());
            send("annotationResponse", answer);
        }

        private ObjectNode ok(String requestId) {
            return Json.object().put("version", 1).put("requestId", requestId).put("status", "ok");
        }

        private void fail(String requestId, AnnotationException failure) {
            send("annotationResponse", failure.answer(requestId));
        }

        private void send(String type, ObjectNode payload) {
            ObjectNode message = Json.object().put("type", type);
            message.set("payload", payload);
            socket.send(Json.write(message));
        }

        private void pong(ObjectNode message) {
            ObjectNode answer = Json.object().put("type", "pong");
            answer.set("id", message.path("id"));
            socket.send(Json.write(answer));
        }

        @Override
        public void onClose(int code, String reason) {
            annotations.client(-1);
            annotations.left(asker);
        }
    }
}

package dev.tandem.hub.annotation;

import dev.tandem.hub.auth.ExtensionTokens;
import dev.tandem.hub.health.Identity;
import dev.tandem.hub.web.Socket;
import dev.tandem.hub.web.SocketHandler;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.Messages;
import dev.tandem.protocol.Schema;
import dev.tandem.protocol.TandemException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * /browser/annotation: the extension's second socket, which carries annotations and nothing else.
 */
public final class AnnotationLinkEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(AnnotationLinkEndpoint.class);

    private final Annotations annotations;
    private final ExtensionTokens tokens;
    private final Identity identity;
    private final WebServer web;

    public AnnotationLinkEndpoint(
            Annotations annotations, ExtensionTokens tokens, Identity identity, WebServer web) {
        this.annotations = annotations;
        this.tokens = tokens;
        this.identity = identity;
        this.web = web;
        web.socket("browser-annotation", Link::new);
    }

    private final class Link implements SocketHandler.Listener {
        private final Socket socket;
        private String browserId = "";
        private @Nullable ScheduledFuture<?> pings;
        private int pingCount;
        private volatile int missed;

        Link(Socket socket) {
            this.socket = socket;
        }

        @Override
        public void onText(String text) {
            ObjectNode message;
            try {
                message = Json.parseObject(text);
            } catch (TandemException e) {
                socket.close(1007, "Not JSON");
                return;
            }
            String type = message.path("type").asString("");
            if (browserId.isEmpty()) {
                if (type.equals("handshake")) {
                    handshake(message);
                } else {
                    socket.close(1008, "Handshake first");
                }
                return;
            }
            switch (type) {
                case "ping" -> answerPing(message);
                case "pong" -> missed = 0;
                case "annotationEvent", "annotationResponse" -> report(message, text);
                case "annotationCommand" -> sent(message);
                default -> LOG.debug("The extension sent a {} for annotations", type);
            }
        }

        private void handshake(ObjectNode message) {
            Optional<Schema.Problem> problem = Messages.link().check(message);
            JsonNode payload = message.path("payload");
            String claimed = payload.path("browserId").asString("");
            Optional<ExtensionTokens.Session> login = tokens.session(socket.caller().id());
            if (problem.isPresent()) {
                socket.close(1008, "Bad handshake: " + problem.get().message());
                return;
            }
            if (login.isEmpty() || !login.get().browserId().equals(claimed)) {
                socket.close(1008, "Invalid pairing token");
                return;
            }
            browserId = claimed;
            ObjectNode ack = Json.object().put("type", "handshakeAck");
            ack.putObject("payload")
                    .put("instanceId", identity.instanceId())
                    .put("relayPort", web.port())
                    .put("pairingRequired", true)
                    .put("epoch", identity.epoch());
            socket.send(Json.write(ack));
            annotations.links().connected(browserId, socket);
            pings =
                    annotations
                            .timer()
                            .scheduleAtFixedRate(
                                    this::ping,
                                    Limits.PING_INTERVAL_MS,
                                    Limits.PING_INTERVAL_MS,
                                    TimeUnit.MILLISECONDS);
        }

        private void report(ObjectNode message, String text) {
            Optional<Schema.Problem> problem = Messages.annotation().check(message);
            if (problem.isPresent()) {
                LOG.warn("A bad message from the extension: {}", problem.get().message());
                return;
            }
            annotations.heard(browserId, message, text.getBytes(StandardCharsets.UTF_8).length);
        }

        /** The person pressed Send: it is kept, or goes into the chat, and a receipt goes back. */
        private void sent(ObjectNode message) {
            JsonNode command = message.path("payload");
            String requestId = command.path("requestId").asString("unknown");
            ObjectNode payload;
            try {
                boolean send = command.path("command").asString("").equals("store_agent_payload");
                if (!send || !(command.path("payload") instanceof ObjectNode marked)) {
                    throw new AnnotationException(
                            "invalid_request", "A browser sends store_agent_payload only.");
                }
                payload = Json.object().put("version", 1).put("requestId", requestId);
                payload.put("status", "ok");
                Receipt receipt = Sending.store(annotations.inbox(), (ObjectNode) command, marked);
                payload.set("receipt", receipt.json());
            } catch (AnnotationException e) {
                payload = e.answer(requestId);
            }
            ObjectNode answer = Json.object().put("type", "annotationResponse");
            answer.set("payload", payload);
            socket.send(Json.write(answer));
        }

        private void answerPing(ObjectNode message) {
            ObjectNode answer = Json.object().put("type", "pong");
            answer.set("id", message.path("id"));
            socket.send(Json.write(answer));
        }

        private void ping() {
            int count = missed;
            missed = count + 1;
            if (count >= Limits.MISSED_PONGS) {
                annotations.lost(browserId, socket);
                socket.drop();
                return;
            }
            String id = "annotation-" + ++pingCount;
            socket.send(Json.write(Json.object().put("type", "ping").put("id", id)));
        }

        @Override
        public void onClose(int code, String reason) {
            ScheduledFuture<?> running = pings;
            if (running != null) {
                running.cancel(false);
            }
            if (!browserId.isEmpty()) {
                annotations.lost(browserId, socket);
            }
        }
    }
}

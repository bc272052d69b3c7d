package dev.tandem.hub.annotation;

import dev.tandem.hub.auth.ExtensionTokens;
import dev.tandem.hub.health.Identity;
import dev.tandem.hub.web.BrowserLink;
import dev.tandem.hub.web.Socket;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Messages;
import dev.tandem.protocol.Schema;
import dev.tandem.protocol.Utf8;
import java.util.Optional;
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

    public AnnotationLinkEndpoint(
            Annotations annotations, ExtensionTokens tokens, Identity identity, WebServer web) {
        this.annotations = annotations;
        BrowserLink.Door door =
                new BrowserLink.Door(
                        tokens,
                        () ->
                                BrowserLink.Door.greeting(
                                        identity.instanceId(), identity.epoch(), web.port()),
                        annotations.timer());
        Link link = new Link();
        web.socket("browser-annotation", socket -> new BrowserLink(socket, door, link));
    }

    private final class Link implements BrowserLink.Channel {
        @Override
        public void opened(String browserId, Socket socket, Runnable greet) {
            annotations.links().connected(browserId, socket, greet);
        }

        @Override
        public void heard(String browserId, ObjectNode message, String text) {
            String type = message.path("type").asString("");
            switch (type) {
                case "annotationEvent", "annotationResponse" -> report(browserId, message, text);
                case "annotationCommand" -> sent(browserId, message);
                default -> LOG.debug("The extension sent a {} for annotations", type);
            }
        }

        @Override
        public void closed(String browserId, Socket socket) {
            annotations.lost(browserId, socket);
        }

        private void report(String browserId, ObjectNode message, String text) {
            Optional<Schema.Problem> problem = Messages.annotation().check(message);
            if (problem.isPresent()) {
                LOG.warn("A bad message from the extension: {}", problem.get().message());
                return;
            }
            annotations.heard(browserId, message, Utf8.length(text));
        }

        /** The person pressed Send: it is kept, or goes into the chat, and a receipt goes back. */
        private void sent(String browserId, ObjectNode message) {
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
            annotations
                    .links()
                    .find(browserId)
                    .ifPresent(socket -> socket.send(Json.write(answer)));
        }
    }
}

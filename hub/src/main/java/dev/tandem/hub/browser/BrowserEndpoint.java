package dev.tandem.hub.browser;

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
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** /browser/ops: the extension's socket. Handshake, heartbeat both ways, then work and answers. */
public final class BrowserEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(BrowserEndpoint.class);

    private final Browsers browsers;
    private final ExtensionTokens tokens;
    private final Identity identity;
    private final RelayStatus status;
    private final WebServer web;
    private final Heartbeat heartbeat;

    /** How often the hub asks whether the extension is there, and how long it waits. */
    public record Heartbeat(int intervalMs, int limitMs) {
        public static Heartbeat every(Duration interval) {
            int intervalMs = Math.toIntExact(interval.toMillis());
            return new Heartbeat(intervalMs, Math.min(Limits.PONG_TIMEOUT_MS, intervalMs / 2));
        }

        /**
         * How long the sessions of a browser that left are kept: a stopped worker is woken after 30
         * s, and then remembers them for 20 s.
         */
        long patienceMs() {
            return 3L * intervalMs;
        }
    }

    public BrowserEndpoint(
            Browsers browsers,
            ExtensionTokens tokens,
            Identity identity,
            RelayStatus status,
            WebServer web,
            Heartbeat heartbeat) {
        this.browsers = browsers;
        this.tokens = tokens;
        this.identity = identity;
        this.status = status;
        this.web = web;
        this.heartbeat = heartbeat;
        web.socket("browser-ops", Link::new);
    }

    private final class Link implements SocketHandler.Listener {
        private final Socket socket;
        private @Nullable Browser browser;
        private @Nullable ScheduledFuture<?> pings;
        private int pingCount;
        private volatile String awaited = "";
        private volatile int missed;

        Link(Socket socket) {
            this.socket = socket;
            status.waits(true);
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
            String type = Json.text(message, "type").orElse("");
            Browser known = browser;
            if (known == null) {
                if (type.equals("handshake")) {
                    handshake(message);
                } else {
                    socket.close(1008, "Handshake first");
                }
                return;
            }
            Optional<Schema.Problem> problem = problem(type, message);
            if (problem.isPresent()) {
                misunderstood(known, type, message, problem.get());
                return;
            }
            switch (type) {
                case "ping" -> pong(message);
                case "pong" -> ponged(message);
                case "healthCheck" -> health(message);
                case "windowFocused" -> known.focused(System.currentTimeMillis());
                case "ops_response", "ops_error", "ops_chunk", "ops_hello_ack" ->
                        known.answered(type, message);
                case "ops_event" -> browsers.event(message);
                case "tabState" -> browsers.tabsChanged(message);
                case "inspectorEdits" ->
                        browsers.inspected(known.id(), message.path("modifications"));
                default -> LOG.debug("The extension sent a {}", type);
            }
        }

        /** Payloads are only looked at from outside, so that a large answer costs nothing here. */
        private static Optional<Schema.Problem> problem(String type, ObjectNode message) {
            Messages family = type.startsWith("ops_") ? Messages.ops() : Messages.link();
            return family.knows(type) ? family.check(message) : Optional.empty();
        }

        /** An answer that is none ends its call; whatever else cannot be read ends the link. */
        private void misunderstood(
                Browser from, String type, ObjectNode message, Schema.Problem problem) {
            LOG.warn("{} sent a bad {}: {}", from.name(), type, problem.message());
            if (!from.answeredBadly(type, message, problem.message())) {
                socket.close(1008, "Bad " + type + ": " + problem.message());
            }
        }

        @Override
        public void onClose(int code, String reason) {
            ScheduledFuture<?> running = pings;
            if (running != null) {
                running.cancel(false);
            }
            Browser known = browser;
            if (known != null) {
                browsers.disconnected(known, socket, "closed " + code, heartbeat.patienceMs());
            } else {
                status.waits(false);
            }
        }

        private void handshake(ObjectNode message) {
            Optional<Schema.Problem> problem = Messages.link().check(message);
            JsonNode payload = message.path("payload");
            Optional<ExtensionTokens.Session> login = tokens.session(socket.caller().id());
            String browserId = payload.path("browserId").asString("");
            if (problem.isPresent()) {
                status.handshakeFailed(
                        login.map(ExtensionTokens.Session::browserId).orElse(browserId),
                        "pairing_missing",
                        problem.get().message());
                socket.close(1008, "Bad handshake: " + problem.get().message());
                return;
            }
            if (login.isEmpty() || !login.get().browserId().equals(browserId)) {
                status.handshakeFailed(
                        browserId, "pairing_invalid", "The token belongs to another browser.");
                socket.close(1008, "Invalid pairing token");
                return;
            }
            Browser.Facts facts = facts(browserId, login.get(), payload);
            ObjectNode ack = Json.object().put("type", "handshakeAck");
            ack.putObject("payload")
                    .put("instanceId", identity.instanceId())
                    .put("relayPort", web.port())
                    .put("pairingRequired", true)
                    .put("epoch", identity.epoch())
                    .put("browserName", facts.name())
                    .put("cdp", web.serves("browser-cdp"));
            browser = browsers.connect(browserId, facts, socket, Json.write(ack));
            status.waits(false);
            status.greeted(browserId, facts.extensionId());
            pings =
                    browsers.timer()
                            .scheduleAtFixedRate(
                                    this::ping,
                                    heartbeat.intervalMs(),
                                    heartbeat.intervalMs(),
                                    TimeUnit.MILLISECONDS);
        }

        private Browser.Facts facts(
                String browserId, ExtensionTokens.Session login, JsonNode payload) {
            String wanted =
                    browsers.expectedName(browserId)
                            .or(() -> Json.text(payload, "profileName").filter(n -> !n.isBlank()))
                            .orElse(login.deviceName());
            return new Browser.Facts(
                    freeName(browserId, Untrusted.clean(wanted)),
                    payload.path("extensionId").asString(""),
                    payload.path("version").asString(""),
                    payload.path("browserVersion").asString(""),
                    payload.path("profileName").asString(""),
                    payload.path("workerId").asString(""),
                    new LinkedHashSet<>(Json.texts(payload, "capabilities")),
                    browsers.modeOf(browserId),
                    System.currentTimeMillis());
        }

        private String freeName(String browserId, String wanted) {
            String name = wanted;
            for (int n = 2; taken(browserId, name); n++) {
                name = wanted + " " + n;
            }
            return name;
        }

        private boolean taken(String browserId, String name) {
            return browsers.find(name).filter(other -> !other.id().equals(browserId)).isPresent();
        }

        private void pong(ObjectNode message) {
            ObjectNode answer = Json.object().put("type", "pong");
            answer.set("id", message.path("id"));
            answer.set("payload", status.health());
            socket.send(Json.write(answer));
        }

        private void health(ObjectNode message) {
            ObjectNode answer = Json.object().put("type", "healthCheckResult");
            answer.set("id", message.path("id"));
            answer.set("payload", status.health());
            socket.send(Json.write(answer));
        }

        private void ping() {
            String id = "hub-" + ++pingCount;
            awaited = id;
            socket.send(Json.write(Json.object().put("type", "ping").put("id", id)));
            var _ =
                    browsers.timer()
                            .schedule(() -> check(id), heartbeat.limitMs(), TimeUnit.MILLISECONDS);
        }

        private void ponged(ObjectNode message) {
            if (awaited.equals(message.path("id").asString(""))) {
                awaited = "";
                missed = 0;
            }
        }

        private void check(String id) {
            if (!awaited.equals(id)) {
                return;
            }
            int count = missed + 1;
            missed = count;
            Browser known = browser;
            if (count >= Limits.MISSED_PONGS && known != null) {
                LOG.info("Browser {} missed {} heartbeats", known.name(), count);
                browsers.disconnected(known, socket, "heartbeat missed", heartbeat.patienceMs());
                socket.drop(1011, "Ops heartbeat missed");
            }
        }
    }
}

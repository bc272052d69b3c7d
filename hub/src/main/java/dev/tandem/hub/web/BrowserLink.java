package dev.tandem.hub.web;

import dev.tandem.hub.auth.ExtensionTokens;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.Messages;
import dev.tandem.protocol.Schema;
import dev.tandem.protocol.TandemException;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One of the extension's sockets beside that of the tools: handshake first, heartbeat both ways,
 * then whatever its door is for.
 */
public final class BrowserLink implements SocketHandler.Listener {
    private final Socket socket;
    private final Door door;
    private final Channel channel;
    private String browserId = "";
    private @Nullable ScheduledFuture<?> pings;
    private int pingCount;
    private volatile int missed;

    /** What all sockets of one door share. */
    public record Door(
            ExtensionTokens tokens, Supplier<ObjectNode> greeting, ScheduledExecutorService timer) {
        /** How a hub names itself to a browser. */
        public static ObjectNode greeting(String instanceId, long epoch, int port) {
            return Json.object()
                    .put("instanceId", instanceId)
                    .put("relayPort", port)
                    .put("pairingRequired", true)
                    .put("epoch", epoch);
        }
    }

    /** What happens on the socket once it is a browser's. */
    public interface Channel {
        /** The browser can be found once {@code greet} runs, which sends its first message. */
        void opened(String browserId, Socket socket, Runnable greet);

        void heard(String browserId, ObjectNode message, String text);

        /** Called once, for a browser that was announced as opened. */
        void closed(String browserId, Socket socket);
    }

    public BrowserLink(Socket socket, Door door, Channel channel) {
        this.socket = socket;
        this.door = door;
        this.channel = channel;
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
            default -> channel.heard(browserId, message, text);
        }
    }

    private void handshake(ObjectNode message) {
        Optional<Schema.Problem> problem = Messages.link().check(message);
        if (problem.isPresent()) {
            socket.close(1008, "Bad handshake: " + problem.get().message());
            return;
        }
        String claimed = message.path("payload").path("browserId").asString("");
        Optional<ExtensionTokens.Session> login = door.tokens().session(socket.caller().id());
        if (login.isEmpty() || !login.get().browserId().equals(claimed)) {
            socket.close(1008, "Invalid pairing token");
            return;
        }
        browserId = claimed;
        ObjectNode ack = Json.object().put("type", "handshakeAck");
        ack.set("payload", door.greeting().get());
        channel.opened(browserId, socket, () -> socket.send(Json.write(ack)));
        pings =
                door.timer()
                        .scheduleAtFixedRate(
                                this::ping,
                                Limits.PING_INTERVAL_MS,
                                Limits.PING_INTERVAL_MS,
                                TimeUnit.MILLISECONDS);
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
            channel.closed(browserId, socket);
            socket.drop();
            return;
        }
        String id = "hub-" + ++pingCount;
        socket.send(Json.write(Json.object().put("type", "ping").put("id", id)));
    }

    @Override
    public void onClose(int code, String reason) {
        ScheduledFuture<?> running = pings;
        if (running != null) {
            running.cancel(false);
        }
        if (!browserId.isEmpty()) {
            channel.closed(browserId, socket);
        }
    }
}

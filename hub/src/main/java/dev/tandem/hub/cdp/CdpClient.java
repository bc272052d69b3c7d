package dev.tandem.hub.cdp;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.web.Socket;
import dev.tandem.hub.web.SocketHandler;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The program on /cdp: its numbers on one side, ours on the other. */
final class CdpClient implements SocketHandler.Listener {
    private static final int PARSE_ERROR = -32_700;
    private static final int SERVER_ERROR = -32_000;

    private final CdpRelay relay;
    private final Socket socket;
    private final String browserId;
    private final AtomicInteger next = new AtomicInteger();
    private final Map<Integer, Asked> pending = new ConcurrentHashMap<>();

    private record Asked(JsonNode id, String method) {}

    CdpClient(CdpRelay relay, Socket socket, String browserId) {
        this.relay = relay;
        this.socket = socket;
        this.browserId = browserId;
    }

    String browserId() {
        return browserId;
    }

    Caller caller() {
        return socket.caller();
    }

    @Override
    public void onText(String text) {
        ObjectNode command;
        try {
            command = Json.parseObject(text);
        } catch (TandemException e) {
            ObjectNode answer = Json.object();
            answer.putObject("error").put("code", PARSE_ERROR).put("message", "Not JSON");
            socket.send(Json.write(answer));
            return;
        }
        int id = next.incrementAndGet();
        pending.put(id, new Asked(command.path("id"), command.path("method").asString("")));
        ObjectNode message = Json.object().put("id", id).put("method", "forwardCDPCommand");
        ObjectNode params = message.putObject("params");
        for (String field : new String[] {"method", "params", "sessionId"}) {
            if (command.has(field)) {
                params.set(field, command.get(field));
            }
        }
        relay.forward(this, message);
    }

    void answered(ObjectNode message) {
        Asked asked = pending.remove(message.path("id").asInt());
        if (asked == null) {
            return;
        }
        ObjectNode answer = Json.object();
        answer.set("id", asked.id());
        if (message.path("error") instanceof ObjectNode error) {
            if (error.has("code")) {
                relay.refused(this, asked.method(), error.path("code").asString(""));
            } else {
                error.put("code", SERVER_ERROR);
            }
            answer.set("error", error);
        } else {
            answer.set("result", message.path("result"));
        }
        if (message.has("sessionId")) {
            answer.set("sessionId", message.get("sessionId"));
        }
        socket.send(Json.write(answer));
    }

    void event(ObjectNode event) {
        socket.send(Json.write(event));
    }

    /** The browser went away, and with it everything the program was attached to. */
    void lost() {
        pending.clear();
        socket.close(1011, "Extension disconnected.");
    }

    @Override
    public void onClose(int code, String reason) {
        relay.leave(this);
    }
}

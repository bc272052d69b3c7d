package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Messages;
import java.net.http.HttpClient;
import tools.jackson.databind.node.ObjectNode;

/** A program on /ops, which takes nothing that the protocol does not have. */
public final class OpsSocket implements AutoCloseable {
    private final Wire wire;
    private String clientId = "";

    private OpsSocket(Wire wire) {
        this.wire = wire;
    }

    public static OpsSocket open(HttpClient client, int port, String token) {
        return new OpsSocket(Wire.open(client, port, "/ops", "Authorization", "Bearer " + token));
    }

    /** Opens and says hello. */
    public static OpsSocket greeted(HttpClient client, int port, String token) {
        OpsSocket socket = open(client, port, token);
        socket.clientId = socket.hello("1").path("clientId").asString("");
        return socket;
    }

    public Wire wire() {
        return wire;
    }

    public String clientId() {
        return clientId;
    }

    public ObjectNode hello(String version) {
        return hello(version, 9_000_000);
    }

    public ObjectNode hello(String version, int maxPayloadBytes) {
        ObjectNode hello = Json.object().put("type", "ops_hello").put("version", version);
        hello.putArray("capabilities").add("cancel").add("later_tools").add("made_up");
        hello.put("maxPayloadBytes", maxPayloadBytes).put("clientName", "test");
        wire.send(hello);
        return next();
    }

    public OpsSocket ask(String requestId, String command, ObjectNode payload) {
        wire.send(request(requestId, command, payload));
        return this;
    }

    public OpsSocket ask(String requestId, String command, ObjectNode session, ObjectNode payload) {
        ObjectNode request = request(requestId, command, payload);
        for (String field : new String[] {"opsSessionId", "leaseId"}) {
            if (session.has(field)) {
                request.set(field, session.get(field));
            }
        }
        wire.send(request);
        return this;
    }

    /** Sends and waits for the one answer; events in between are dropped. */
    public ObjectNode call(String requestId, String command, ObjectNode payload) {
        ask(requestId, command, payload);
        return answer();
    }

    public ObjectNode call(
            String requestId, String command, ObjectNode session, ObjectNode payload) {
        ask(requestId, command, session, payload);
        return answer();
    }

    public ObjectNode answer() {
        ObjectNode message = next();
        while (message.path("type").asString("").equals("ops_event")) {
            message = next();
        }
        return message;
    }

    // OPS-126, OPS-133, OPS-135
    private ObjectNode next() {
        ObjectNode message = wire.next();
        assertThat(Messages.ops().check(message)).as("%s", message).isEmpty();
        assertThat(message.path("error").propertyNames())
                .isSubsetOf("code", "message", "retryable", "details");
        if (!clientId.isEmpty()) {
            assertThat(message.path("clientId").asString("")).as("%s", message).isEqualTo(clientId);
        }
        return message;
    }

    public static ObjectNode request(String requestId, String command, ObjectNode payload) {
        ObjectNode request = Json.object().put("type", "ops_request").put("requestId", requestId);
        request.put("command", command).set("payload", payload);
        return request;
    }

    @Override
    public void close() {
        wire.close();
    }
}

package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.Messages;
import dev.tandem.protocol.TandemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The handshake of /ops: what the client, the hub and the extension all know. */
public final class Greeting {
    private final Browsers browsers;

    public Greeting(Browsers browsers) {
        this.browsers = browsers;
    }

    /** The acknowledgement; waits for the extension's own. */
    public ObjectNode answer(OpsClient client, ObjectNode hello) {
        String version = Messages.ops().version();
        String asked = hello.path("version").asString("");
        if (!asked.equals(version)) {
            ObjectNode details = Json.object().put("reason", "version").put("received", asked);
            details.putArray("supported").add(version);
            throw new TandemException(
                    ErrorCode.NOT_SUPPORTED, "Unsupported ops protocol version.", details);
        }
        ObjectNode ack = extensionAck(client);
        List<String> common = new ArrayList<>(Json.texts(hello, "capabilities"));
        common.retainAll(Messages.ops().capabilities());
        common.retainAll(Json.texts(ack, "capabilities"));
        ObjectNode answer = Json.object().put("type", "ops_hello_ack");
        answer.put("version", version);
        answer.put("clientId", client.id());
        ArrayNode capabilities = answer.putArray("capabilities");
        common.forEach(capabilities::add);
        answer.put(
                "maxPayloadBytes",
                Math.min(
                        hello.path("maxPayloadBytes").asInt(Limits.MAX_OPS_PAYLOAD_BYTES),
                        ack.path("maxPayloadBytes").asInt(Limits.MAX_OPS_PAYLOAD_BYTES)));
        return answer;
    }

    private ObjectNode extensionAck(OpsClient client) {
        long most = browsers.patience().greeting().toMillis();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(most);
        Browser browser = browsers.choose(Optional.empty(), most);
        if (!browser.await(left(end))) {
            throw timeout();
        }
        try {
            return browser.hello(client).get(left(end), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw Dispatch.unwrap(e);
        } catch (TimeoutException e) {
            throw timeout();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw timeout();
        }
    }

    private static long left(long end) {
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
    }

    private static TandemException timeout() {
        return new TandemException(
                ErrorCode.OPS_UNAVAILABLE,
                "The extension did not answer the greeting.",
                "ops_hello_timeout");
    }
}

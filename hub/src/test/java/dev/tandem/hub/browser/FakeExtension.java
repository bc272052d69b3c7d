package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Messages;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** The browser's end of /browser/ops, played by the test: answers what it was taught. */
public final class FakeExtension implements AutoCloseable {
    static final String ID = Json.resource("identity.json").get("extensionId").asString();

    private final Wire wire;
    private final Map<String, Consumer<ObjectNode>> commands = new ConcurrentHashMap<>();
    private final LinkedBlockingQueue<ObjectNode> requests = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<ObjectNode> others = new LinkedBlockingQueue<>();

    private volatile boolean greets = true;
    private final CountDownLatch greeted = new CountDownLatch(1);
    private volatile boolean frozen;
    private int tabs = 100;

    private FakeExtension(int port, String token) {
        wire =
                Wire.open(
                        HttpClient.newHttpClient(),
                        port,
                        "/browser/ops",
                        this::receive,
                        "Origin",
                        "chrome-extension://" + ID,
                        "subprotocols",
                        "tandem.v1,bearer." + token);
        on("session.launch", this::launch);
        on("session.connect", request -> answer(request, session(request)));
        on("session.disconnect", request -> answer(request, Json.object()));
        on("nav.snapshot", request -> answer(request, snapshot()));
    }

    static FakeExtension connect(TestHub hub, String token, String browserId) {
        return connect(hub, token, browserId, "worker-1");
    }

    static FakeExtension connect(TestHub hub, String token, String browserId, String workerId) {
        return connect(hub, token, browserId, workerId, extension -> {});
    }

    /** Connects a browser that knows something before its first message. */
    static FakeExtension connect(
            TestHub hub,
            String token,
            String browserId,
            String workerId,
            Consumer<FakeExtension> taught) {
        FakeExtension extension = new FakeExtension(hub.port(), token);
        taught.accept(extension);
        ObjectNode handshake = Json.object().put("type", "handshake");
        ObjectNode payload = handshake.putObject("payload");
        payload.put("extensionId", ID).put("version", "0.1.0").put("browserId", browserId);
        payload.put("profileName", "Test").put("browserVersion", "1").put("workerId", workerId);
        payload.putArray("capabilities").add("cancel");
        extension.wire.send(handshake);
        extension.wire.next("handshakeAck");
        return extension;
    }

    public Wire wire() {
        return wire;
    }

    /** Teaches the browser a command. */
    public FakeExtension on(String command, Consumer<ObjectNode> action) {
        commands.put(command, action);
        return this;
    }

    void greets(boolean yes) {
        greets = yes;
    }

    /** Returns when a program was introduced. */
    void awaitHello() {
        try {
            assertThat(greeted.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The next request that arrived. */
    public ObjectNode request() {
        return take(requests);
    }

    /** The next message that is neither a request nor a heartbeat nor a greeting. */
    ObjectNode other() {
        return take(others);
    }

    /** How many such messages came in and were not taken. */
    int others() {
        return others.size();
    }

    int waiting() {
        return requests.size();
    }

    public void answer(ObjectNode request, ObjectNode payload) {
        ObjectNode response = head(request, "ops_response");
        response.set("payload", payload);
        wire.send(response);
    }

    void fail(ObjectNode request, String code, String message, ObjectNode details) {
        ObjectNode response = head(request, "ops_error");
        ObjectNode error = response.putObject("error").put("code", code);
        error.put("message", message).put("retryable", false).set("details", details);
        wire.send(response);
    }

    void event(String name, String clientId, String opsSessionId, ObjectNode payload) {
        ObjectNode event = Json.object().put("type", "ops_event").put("event", name);
        event.put("clientId", clientId).put("opsSessionId", opsSessionId);
        event.set("payload", payload);
        wire.send(event);
    }

    public static ObjectNode head(ObjectNode request, String type) {
        ObjectNode head = Json.object().put("type", type);
        head.set("requestId", request.get("requestId"));
        head.set("clientId", request.get("clientId"));
        return head;
    }

    @Override
    public void close() {
        wire.close();
    }

    /** The hub asks where a call would act before it decides: on an empty page, here. */
    private void nowhere(ObjectNode request) {
        answer(request, Json.object().put("activeTargetId", "").set("targets", Json.array()));
    }

    private void receive(ObjectNode message) {
        switch (message.path("type").asString("")) {
            case "ops_hello" -> {
                greeted.countDown();
                if (greets) {
                    greet(message);
                }
            }
            case "ops_request" -> {
                String command = message.path("command").asString("");
                Consumer<ObjectNode> action = commands.get(command);
                if (action == null && command.equals("targets.list")) {
                    nowhere(message);
                    return;
                }
                requests.add(message);
                if (action != null) {
                    action.accept(message);
                }
            }
            case "ping" -> pong(message);
            case "handshakeAck", "pong" -> {
                // taken by the caller
            }
            default -> others.add(message);
        }
    }

    private void pong(ObjectNode ping) {
        if (!frozen) {
            wire.send(Json.object().put("type", "pong").put("id", ping.path("id").asString("")));
        }
    }

    /** From now on it answers no heartbeat. */
    void freeze() {
        frozen = true;
    }

    private void greet(ObjectNode message) {
        ObjectNode ack = Json.object().put("type", "ops_hello_ack").put("version", "1");
        ack.set("clientId", message.get("clientId"));
        var capabilities = ack.putArray("capabilities");
        Messages.ops().capabilities().stream()
                .filter(name -> !name.equals("later_tools"))
                .forEach(capabilities::add);
        ack.put("maxPayloadBytes", 4_000_000);
        wire.send(ack);
    }

    private synchronized void launch(ObjectNode request) {
        tabs++;
        ObjectNode payload = Json.object().put("opsSessionId", "s-" + tabs);
        payload.put("leaseId", "lease-" + tabs).put("activeTargetId", "tab-" + tabs);
        answer(request, payload.put("url", "about:blank").put("title", "").put("state", "active"));
    }

    private static ObjectNode session(ObjectNode request) {
        ObjectNode payload = Json.object();
        payload.set("opsSessionId", request.path("payload").path("sessionId"));
        payload.set("leaseId", request.path("payload").path("leaseId"));
        payload.put("activeTargetId", "tab-7").put("url", "about:blank");
        return payload.put("title", "").put("state", "active");
    }

    static ObjectNode snapshot() {
        return Json.object()
                .put("snapshotId", "snap-1")
                .put("url", "https://example.test/")
                .put("title", "Example")
                .put("content", "[r1] button \"Go\"")
                .put("truncated", false)
                .put("refCount", 1)
                .put("timingMs", 1)
                .put("targetId", "tab-101")
                .set("warnings", Json.array());
    }

    private static ObjectNode take(LinkedBlockingQueue<ObjectNode> queue) {
        try {
            ObjectNode message = queue.poll(10, TimeUnit.SECONDS);
            if (message == null) {
                throw new AssertionError("the extension got nothing within 10 s");
            }
            return message;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** The /ops door on a real hub, with the browser's end played by the test. */
class OpsEndpointTest {
    @TempDir Path folder;
    private final HttpClient http = HttpClient.newHttpClient();
    private TestHub hub;
    private FakeExtension extension;
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        hub = new TestHub(folder);
        extension = keep(hub.extension("browser-one", "One"));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        hub.close();
    }

    private <T extends AutoCloseable> T keep(T one) {
        open.add(one);
        return one;
    }

    private OpsSocket client() throws IOException {
        return keep(OpsSocket.greeted(http, hub.port(), hub.hubToken()));
    }

    private OpsSocket other(String name) {
        String token = hub.clientToken(name, "all", Caller.Mode.ACT);
        return keep(OpsSocket.greeted(http, hub.port(), token));
    }

    private static ObjectNode launch(OpsSocket client) {
        return (ObjectNode) client.call("launch", "session.launch", Json.object()).get("payload");
    }

    private static String code(ObjectNode answer) {
        return answer.path("error").path("code").asString("");
    }

    private static String reason(ObjectNode answer) {
        return answer.path("error").path("details").path("reason").asString("");
    }

    @Test
    void theAckHoldsWhatBothSidesKnow() throws IOException {
        // OPS-138, OPS-139, OPS-137
        OpsSocket client = keep(OpsSocket.open(http, hub.port(), hub.hubToken()));
        ObjectNode ack = client.hello("1");
        assertThat(ack.path("type").asString()).isEqualTo("ops_hello_ack");
        assertThat(ack.path("maxPayloadBytes").asInt()).isEqualTo(4_000_000);
        assertThat(Json.texts(ack, "capabilities")).containsExactly("cancel");
        assertThat(ack.path("clientId").asString()).isNotEmpty();
    }

    @Test
    void anotherVersionIsRefusedWithThoseWeSpeak() throws IOException {
        // OPS-121, OPS-140
        OpsSocket client = keep(OpsSocket.open(http, hub.port(), hub.hubToken()));
        ObjectNode answer = client.hello("999");
        assertThat(answer.path("requestId").asString()).isEqualTo("ops_hello");
        assertThat(code(answer)).isEqualTo("not_supported");
        ObjectNode details = (ObjectNode) answer.path("error").path("details");
        assertThat(Json.texts(details, "supported")).containsExactly("1");
        assertThat(details.path("received").asString()).isEqualTo("999");
    }

    @Test
    void aRequestBeforeHelloIsRefused() throws IOException {
        // OPS-138
        OpsSocket client = keep(OpsSocket.open(http, hub.port(), hub.hubToken()));
        assertThat(code(client.call("1", "session.launch", Json.object())))
                .isEqualTo("invalid_request");
    }

    @Test
    void anExtensionThatDoesNotGreetIsReported() throws IOException {
        // W4: no ack from the extension is ops_hello_timeout and close 1011
        extension.greets(false);
        OpsSocket client = keep(OpsSocket.open(http, hub.port(), hub.hubToken()));
        client.wire().send(Json.object().put("type", "ops_hello").put("version", "1"));
        org.awaitility.Awaitility.await()
                .atMost(java.time.Duration.ofSeconds(15))
                .until(() -> !client.wire().isOpen());
        ObjectNode answer = client.wire().next();
        assertThat(reason(answer)).isEqualTo("ops_hello_timeout");
        assertThat(client.wire().closed()).startsWith("1011");
    }

    @Test
    void theHubNamesTheClientWhateverItClaims() throws IOException {
        // OPS-94, OPS-135
        OpsSocket client = client();
        ObjectNode request = OpsSocket.request("r1", "session.launch", Json.object());
        request.put("clientId", "forged").put("clientKey", "forged").put("clientLabel", "forged");
        client.wire().send(request);
        ObjectNode answer = client.answer();
        assertThat(answer.path("clientId").asString()).isEqualTo(client.clientId());
        ObjectNode seen = extension.request();
        assertThat(seen.path("clientId").asString()).isEqualTo(client.clientId());
        assertThat(seen.path("clientKey").asString()).isEqualTo("hub:user");
        assertThat(client().clientId()).isNotEqualTo(client.clientId());
    }

    @Test
    void everyClientGetsItsOwnAnswerToTheSameNumber() throws IOException {
        // OPS-35, OPS-156, OPS-157, OPS-169: 20 clients, all with requestId "1" in flight
        List<ObjectNode> held = new ArrayList<>();
        List<OpsSocket> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            clients.add(client());
        }
        clients.forEach(client -> client.ask("1", "browser.tabs", Json.object()));
        for (int i = 0; i < 20; i++) {
            held.add(extension.request());
        }
        for (ObjectNode request : held.reversed()) {
            String clientId = request.path("clientId").asString();
            extension.answer(request, Json.object().put("for", clientId));
        }
        for (OpsSocket client : clients) {
            ObjectNode answer = client.answer();
            assertThat(answer.path("requestId").asString()).isEqualTo("1");
            assertThat(answer.path("payload").path("for").asString()).isEqualTo(client.clientId());
        }
    }

    @Test
    void requestsOfOneSessionKeepTheirOrder() throws IOException {
        // OPS-34 (hub side), OPS-99 (hub side)
        OpsSocket client = client();
        ObjectNode session = launch(client);
        extension.request();
        for (int i = 0; i < 50; i++) {
            client.ask("w" + i, "interact.click", session, Json.object().put("ref", "r" + i));
        }
        for (int i = 0; i < 50; i++) {
            assertThat(extension.request().path("requestId").asString()).isEqualTo("w" + i);
        }
    }

    @Test
    void malformedAndIncompleteMessagesAreInvalidRequests() throws IOException {
        // OPS-116, OPS-132, OPS-133, OPS-134, OPS-136
        OpsSocket client = client();
        client.wire().sendText("{not json");
        assertThat(client.answer().path("error").path("message").asString())
                .isEqualTo("Invalid ops message.");
        client.wire().send(Json.object().put("no", "type"));
        assertThat(code(client.answer())).isEqualTo("invalid_request");
        client.wire().send(Json.object().put("type", "ops_request").put("command", "x"));
        assertThat(client.answer().path("error").path("message").asString())
                .isEqualTo("Missing requestId");
        assertThat(
                        client.call("2", "nav.nowhere", Json.object())
                                .path("error")
                                .path("message")
                                .asString())
                .isEqualTo("Unknown ops command: nav.nowhere");
        ObjectNode noSession = client.call("3", "nav.snapshot", Json.object());
        assertThat(noSession.path("error").path("message").asString())
                .isEqualTo("Missing opsSessionId");
        ObjectNode session = launch(client);
        ObjectNode noRef = client.call("4", "interact.click", session, Json.object());
        assertThat(noRef.path("error").path("message").asString()).isEqualTo("Missing ref");
        assertThat(noRef.path("error").path("details").path("reason").asString())
                .isEqualTo("missing_field");
    }

    @Test
    void annotationMessagesAreNotTakenHere() throws IOException {
        // OPS-9, OPS-18
        OpsSocket client = client();
        ObjectNode message = Json.object().put("type", "annotationCommand");
        message.putObject("payload")
                .put("version", 1)
                .put("requestId", "a")
                .put("command", "start");
        client.wire().send(message);
        assertThat(code(client.answer())).isEqualTo("invalid_request");
    }

    @Test
    void pingsAreAnsweredWhateverTheBrowserDoes() throws IOException {
        // OPS-143, OPS-L3
        OpsSocket client = client();
        extension.close();
        client.wire().send(Json.object().put("type", "ops_ping").put("id", "p1"));
        ObjectNode pong = client.wire().next("ops_pong");
        assertThat(pong.path("id").asString()).isEqualTo("p1");
        assertThat(pong.path("clientId").asString()).isEqualTo(client.clientId());
    }

    @Test
    void aSessionBelongsToItsTokenAndLease() throws IOException {
        // OPS-97, OPS-101, OPS-118, OPS-166, OPS-167 (hub side)
        OpsSocket owner = client();
        ObjectNode session = launch(owner);
        OpsSocket other = other("other");
        ObjectNode refused = other.call("1", "nav.snapshot", session, Json.object());
        assertThat(code(refused)).isEqualTo("not_owner");
        assertThat(reason(refused)).isEqualTo("other_client");
        ObjectNode wrong = session.deepCopy().put("leaseId", "guess");
        assertThat(reason(owner.call("2", "nav.snapshot", wrong, Json.object())))
                .isEqualTo("wrong_lease");
        assertThat(owner.call("3", "nav.snapshot", session, Json.object()).path("type").asString())
                .isEqualTo("ops_response");
    }

    @Test
    void aSharedSessionCanBeReadAndNothingElse() throws IOException {
        // OPS-98 (hub side)
        OpsSocket owner = client();
        ObjectNode session =
                (ObjectNode)
                        owner.call("l", "session.launch", Json.object().put("shareMode", "read"))
                                .get("payload");
        OpsSocket reader = other("reader");
        ObjectNode noLease = Json.object();
        noLease.set("opsSessionId", session.get("opsSessionId"));
        assertThat(reader.call("1", "nav.snapshot", noLease, Json.object()).path("type").asString())
                .isEqualTo("ops_response");
        ObjectNode click = Json.object().put("ref", "r1");
        assertThat(reason(reader.call("2", "interact.click", noLease, click)))
                .isEqualTo("read_only_share");
    }

    @Test
    void unknownAndEndedSessionsAreInvalid() throws IOException {
        // OPS-117, OPS-145 (routing), OPS-146
        OpsSocket client = client();
        ObjectNode none = Json.object().put("opsSessionId", "nope").put("leaseId", "x");
        assertThat(reason(client.call("1", "nav.snapshot", none, Json.object())))
                .isEqualTo("unknown");
        ObjectNode session = launch(client);
        String id = session.path("opsSessionId").asString();
        for (String event :
                List.of("ops_session_created", "ops_tab_closed", "ops_session_closed")) {
            extension.event(event, client.clientId(), id, Json.object().put("tabId", 3));
            assertThat(client.wire().next("ops_event").path("event").asString()).isEqualTo(event);
        }
        ObjectNode second = launch(client);
        extension.event(
                "ops_session_expired",
                client.clientId(),
                second.path("opsSessionId").asString(),
                Json.object());
        client.wire().next("ops_event");
        assertThat(reason(client.call("2", "nav.snapshot", second, Json.object())))
                .isEqualTo("session_expired");
    }

    @Test
    void twoSessionsOfOneClientDiffer() throws IOException {
        // OPS-95, OPS-102 (hub side)
        OpsSocket client = client();
        assertThat(launch(client).path("opsSessionId"))
                .isNotEqualTo(launch(client).path("opsSessionId"));
    }

    @Test
    void cancelEndsARequestAndTellsTheBrowser() throws IOException {
        OpsSocket client = client();
        ObjectNode session = launch(client);
        extension.request();
        ObjectNode until = Json.object().put("until", "load");
        client.ask("slow", "nav.wait", session, until);
        extension.request();
        client.wire().send(Json.object().put("type", "ops_cancel").put("requestId", "slow"));
        ObjectNode answer = client.answer();
        assertThat(code(answer)).isEqualTo("execution_failed");
        assertThat(reason(answer)).isEqualTo("cancelled");
        assertThat(extension.other().path("type").asString()).isEqualTo("ops_cancel");
    }

    @Test
    void aDeadlineEndsARequestThatIsNeverAnswered() throws IOException {
        // OPS-11, OPS-120 (hub side)
        OpsSocket client = client();
        ObjectNode session = launch(client);
        ObjectNode request = OpsSocket.request("d", "nav.wait", Json.object().put("until", "load"));
        request.set("opsSessionId", session.path("opsSessionId"));
        request.set("leaseId", session.path("leaseId"));
        client.wire().send(request.put("timeoutMs", 50));
        ObjectNode answer = client.answer();
        assertThat(code(answer)).isEqualTo("timeout");
        // wait is idempotent, so it may be sent again
        assertThat(answer.path("error").path("retryable").asBoolean()).isTrue();
    }

    @Test
    void aFrameAboveTheLimitIsRefused() throws IOException {
        // OPS-16, W2: 12 MiB
        OpsSocket client = client();
        String big = "x".repeat(Limits.MAX_OPS_PAYLOAD_BYTES);
        client.ask("big", "nav.goto", Json.object().put("url", big));
        ObjectNode answer = client.answer();
        assertThat(answer.path("error").path("message").asString())
                .isEqualTo("Ops payload exceeded relay limits.");
        assertThat(answer.path("requestId").asString()).isEqualTo("big");
    }

    @Test
    void aLargeAnswerArrivesInChunksThatFitTogether() throws IOException {
        // OPS-16, OPS-142, OPS-L30: 20 MiB of three-byte characters
        String text = "漢".repeat(7 * 1024 * 1024);
        extension.on("nav.snapshot", request -> chunked(request, text));
        OpsSocket client = client();
        ObjectNode session = launch(client);
        client.ask("c", "nav.snapshot", session, Json.object());
        ObjectNode head = client.answer();
        assertThat(head.path("chunked").asBoolean()).isTrue();
        StringBuilder whole = new StringBuilder();
        for (int i = 0; i < head.path("totalChunks").asInt(); i++) {
            ObjectNode chunk = client.wire().next("ops_chunk");
            assertThat(chunk.path("chunkIndex").asInt()).isEqualTo(i);
            String data = chunk.path("data").asString();
            assertThat(data.getBytes(StandardCharsets.UTF_8).length)
                    .isLessThanOrEqualTo(Limits.CHUNK_BYTES);
            whole.append(data);
        }
        byte[] bytes = whole.toString().getBytes(StandardCharsets.UTF_8);
        assertThat(bytes.length).isEqualTo(head.path("totalBytes").asInt());
        assertThat(ChunkBuffer.sha256(bytes)).isEqualTo(head.path("sha256").asString());
        assertThat(Json.parse(bytes).path("content").asString()).isEqualTo(text);
    }

    /** Sends an answer cut into slices, the second before the first. */
    private void chunked(ObjectNode request, String text) {
        String json = Json.write(Json.object().put("content", text));
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        int size = 80_000;
        List<String> slices = new ArrayList<>();
        for (int i = 0; i < json.length(); i += size) {
            slices.add(json.substring(i, Math.min(json.length(), i + size)));
        }
        ObjectNode head = FakeExtension.head(request, "ops_response").put("chunked", true);
        head.put("payloadId", "p").put("totalChunks", slices.size());
        head.put("totalBytes", bytes.length).put("sha256", ChunkBuffer.sha256(bytes));
        extension.wire().send(head);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < slices.size(); i++) {
            order.add(i);
        }
        java.util.Collections.swap(order, 0, 1);
        for (int index : order) {
            ObjectNode chunk = FakeExtension.head(request, "ops_chunk").put("payloadId", "p");
            chunk.put("chunkIndex", index).put("totalChunks", slices.size());
            extension.wire().send(chunk.put("data", slices.get(index)));
        }
    }

    @Test
    void clientsStayConnectedAndCallsAreHeldWhileTheExtensionReconnects() throws IOException {
        // OPS-L3, OPS-12 (hub side), W5 hold time
        OpsSocket client = client();
        ObjectNode session = launch(client);
        extension.close();
        ObjectNode event = client.wire().next("ops_event");
        assertThat(event.path("event").asString()).isEqualTo("ops_extension_status");
        assertThat(event.path("payload").path("connected").asBoolean()).isFalse();
        client.ask("held", "nav.snapshot", session, Json.object());
        FakeExtension again = keep(hub.extension("browser-one", "One"));
        ObjectNode answer = client.wire().next("ops_response");
        assertThat(answer.path("requestId").asString()).isEqualTo("held");
        // OPS-106, OPS-C7: the hub attached the session again before the held call went out
        assertThat(again.request().path("command").asString()).isEqualTo("session.connect");
        assertThat(again.request().path("requestId").asString()).isEqualTo("held");
    }

    @Test
    void aSessionTheWorkerLostIsReportedAsSuch() throws IOException {
        // OPS-106, OPS-168
        OpsSocket client = client();
        ObjectNode session = launch(client);
        extension.close();
        client.wire().next("ops_event");
        keep(
                FakeExtension.connect(
                        hub,
                        hub.extensionToken("browser-one", "One"),
                        "browser-one",
                        "worker-2",
                        again ->
                                again.on(
                                        "session.connect",
                                        request ->
                                                again.fail(
                                                        request,
                                                        "invalid_session",
                                                        "Unknown ops session",
                                                        Json.object()))));
        ObjectNode answer = client.call("1", "nav.snapshot", session, Json.object());
        assertThat(code(answer)).isEqualTo("invalid_session");
    }

    @Test
    void withoutAnExtensionACallFailsAfterTheHold() throws IOException {
        // OPS-115
        OpsSocket client = client();
        ObjectNode session = launch(client);
        extension.close();
        ObjectNode answer = client.call("1", "nav.snapshot", session, Json.object());
        assertThat(code(answer)).isEqualTo("ops_unavailable");
        assertThat(answer.path("error").path("message").asString())
                .isEqualTo("Extension not connected to relay.");
        assertThat(answer.path("error").path("retryable").asBoolean()).isTrue();
    }

    @Test
    void callsUnderWayFailWithTheTruthWhenTheWorkerDies() throws IOException {
        // OPS-11
        OpsSocket client = client();
        ObjectNode session = launch(client);
        extension.request();
        client.ask("1", "interact.click", session, Json.object().put("ref", "r1"));
        extension.request();
        extension.close();
        keep(
                FakeExtension.connect(
                        hub, hub.extensionToken("browser-one", "One"), "browser-one", "worker-2"));
        ObjectNode answer = client.answer();
        assertThat(code(answer)).isEqualTo("ops_unavailable");
        assertThat(answer.path("error").path("details").path("dispatched").asBoolean()).isTrue();
        assertThat(answer.path("error").path("retryable").asBoolean()).isFalse();
    }

    @Test
    void theBrowserIsToldWhenAClientLeaves() throws IOException {
        // OPS-104 (hub side)
        OpsSocket client = client();
        launch(client);
        client.close();
        ObjectNode event = extension.other();
        assertThat(event.path("event").asString()).isEqualTo("ops_client_disconnected");
        assertThat(event.path("clientId").asString()).isEqualTo(client.clientId());
    }

    @Test
    void oneNoisyClientSlowsDownItselfOnly() throws IOException {
        // OPS-131, OPS-L22
        OpsSocket noisy = client();
        OpsSocket calm = client();
        for (int i = 0; i < 60; i++) {
            noisy.call("n" + i, "nav.nowhere", Json.object());
        }
        ObjectNode limited = noisy.call("x", "browser.tabs", Json.object());
        assertThat(reason(limited)).isEqualTo("rate_limited");
        assertThat(limited.path("error").path("details").path("retryAfterMs").asInt())
                .isGreaterThan(0);
        for (int i = 0; i < 200; i++) {
            calm.wire().send(Json.object().put("type", "ops_ping").put("id", "p" + i));
            assertThat(calm.answer().path("type").asString()).isEqualTo("ops_pong");
        }
    }

    @Test
    void aWrongTokenDoesNotOpenTheDoor() {
        // OPS-128 (wrong token)
        assertThatThrownBy(() -> OpsSocket.open(http, hub.port(), "tdc_wrongwrongwrongwrong"))
                .hasMessage("refused with 401");
    }

    @Test
    void onlyTheUserMayNameProgramsAndEndpoints() {
        // SEC-3
        OpsSocket client = other("agent");
        for (String argument : List.of("chromePath", "profile", "wsEndpoint", "host")) {
            ObjectNode answer =
                    client.call(
                            "a-" + argument,
                            "session.launch",
                            Json.object().put(argument, "/bin/sh"));
            assertThat(code(answer)).isEqualTo("invalid_request");
        }
        assertThat(extension.waiting()).isZero();
    }

    @Test
    void theHubsOwnPagesAreOutOfReach() throws IOException {
        // SEC-9 (hub side)
        OpsSocket client = client();
        ObjectNode session = launch(client);
        for (String host : List.of("127.0.0.1", "localhost", "[::1]")) {
            String url = "http://" + host + ":" + hub.port() + "/app";
            ObjectNode answer =
                    client.call("g-" + host, "nav.goto", session, Json.object().put("url", url));
            assertThat(code(answer)).isEqualTo("restricted_url");
        }
    }

    @Test
    void aNewerConnectionOfTheSameProfileReplacesTheOlder() {
        // W1, W6: close 1000
        FakeExtension newer = keep(hub.extension("browser-one", "One"));
        assertThat(extension.wire().closed()).isEqualTo("1000 Replaced by a new extension client");
        assertThat(newer.wire().isOpen()).isTrue();
    }

    @Test
    void aTokenOfAnotherBrowserIsRefusedAtTheHandshake() {
        String token = hub.extensionToken("browser-two", "Two");
        assertThatThrownBy(() -> FakeExtension.connect(hub, token, "browser-one"))
                .hasMessageContaining("1008 Invalid pairing token");
    }
}

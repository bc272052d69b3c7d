package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.hub.Inside;
import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The /ops door: who comes in, how they greet, what they may send. */
class OpsEndpointTest extends OpsDoorBench {
    @Test
    void nonsenseIsAnsweredAndHarmsNobody() throws IOException {
        // OPS-132: a valid request with one thing wrong at a time
        OpsSocket client = client();
        ObjectNode session = launch(client);
        ObjectNode valid = OpsSocket.request("x", "interact.click", Json.object().put("ref", "r1"));
        valid.set("opsSessionId", session.get("opsSessionId"));
        valid.set("leaseId", session.get("leaseId"));
        List<ObjectNode> wrong = new ArrayList<>();
        for (String field : List.of("type", "requestId", "command", "payload", "timeoutMs")) {
            for (String value : List.of("null", "7", "[]", "{}", "true", "-1", "\"\\u0000\"")) {
                ObjectNode message = valid.deepCopy();
                message.set(field, Json.parse(value));
                wrong.add(message);
            }
        }
        extension.request();
        // what can be read as a request waits for the browser; nothing ends the connection
        wrong.forEach(client.wire()::send);
        client.wire().send(Json.object().put("type", "ops_ping").put("id", "end"));
        int refused = 0;
        for (ObjectNode answer = client.answer();
                !answer.path("id").asString("").equals("end");
                answer = client.answer()) {
            if (answer.path("type").asString().equals("ops_error")) {
                assertThat(code(answer)).as(Json.write(answer)).isEqualTo("invalid_request");
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(20);
        assertThat(client.wire().isOpen()).isTrue();
        for (String text : List.of("", "[]", "7", "\"ops\"", "{\"type\":", "\u0000")) {
            client.wire().sendText(text);
            assertThat(code(client.wire().next("ops_error"))).as(text).isEqualTo("invalid_request");
        }
    }

    @Test
    void aFrameThatCannotBeReadEndsTheConnection() throws IOException {
        // W6: above 16 MiB, 1009
        OpsSocket client = client();
        String part = "x".repeat(1024 * 1024);
        for (int sent = 0; sent < 17 && client.wire().isOpen(); sent++) {
            try {
                client.wire().sendPart(part, false);
            } catch (java.util.concurrent.CompletionException e) {
                // closed while we were still sending
                break;
            }
        }
        assertThat(client.wire().closed()).startsWith("1009");
    }

    @Test
    void aBinaryFrameIsNotLeftWithoutAnAnswer() throws IOException {
        // OPS-11
        OpsSocket client = client();
        client.wire().sendBytes("{\"type\":\"ops_ping\",\"id\":\"1\"}");
        assertThat(client.wire().closed()).startsWith("1003").contains("text");
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
    void aGreetingThatFailsIsNamedAsSuch() throws IOException {
        // W4: requestId "ops_hello", whatever was wrong with it
        OpsSocket client = keep(OpsSocket.open(http, hub.port(), hub.hubToken()));
        client.wire().send(Json.object().put("type", "ops_hello"));
        ObjectNode incomplete = client.answer();
        assertThat(incomplete.path("requestId").asString()).isEqualTo("ops_hello");
        assertThat(code(incomplete)).isEqualTo("invalid_request");
        client.hello("1");
        ObjectNode twice = client.hello("1");
        assertThat(twice.path("requestId").asString()).isEqualTo("ops_hello");
        assertThat(code(twice)).isEqualTo("invalid_request");
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
        try (TestHub hurried = TestHub.hurried(folder.resolve("hurried"));
                FakeExtension silent = hurried.extension("browser-one", "One");
                OpsSocket client = OpsSocket.open(http, hurried.port(), hurried.hubToken())) {
            silent.greets(false);
            client.wire().send(Json.object().put("type", "ops_hello").put("version", "1"));
            org.awaitility.Awaitility.await()
                    .atMost(java.time.Duration.ofSeconds(15))
                    .until(() -> !client.wire().isOpen());
            ObjectNode answer = client.wire().next();
            assertThat(reason(answer)).isEqualTo("ops_hello_timeout");
            assertThat(client.wire().closed()).startsWith("1011");
        }
        assertThat(Patience.standard().greeting()).isEqualTo(java.time.Duration.ofSeconds(10));
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
    void oneNoisyClientSlowsDownItselfOnly() throws IOException {
        // OPS-131, OPS-L10 (429), OPS-L22: by token, and the user's own programs by name
        OpsSocket noisy = client();
        tooMany(noisy);
        noisy.wire().send(Json.object().put("type", "ops_ping").put("id", "alive"));
        assertThat(noisy.answer().path("type").asString()).isEqualTo("ops_pong");
        noisy.wire().sendText("{not json");
        assertThat(reason(noisy.answer())).isEqualTo("rate_limited");
        OpsSocket calm = keep(OpsSocket.open(http, hub.port(), hub.hubToken()));
        calm.wire()
                .send(
                        Json.object()
                                .put("type", "ops_hello")
                                .put("version", "1")
                                .put("clientName", "another"));
        assertThat(calm.answer().path("type").asString()).isEqualTo("ops_hello_ack");
        for (OpsSocket one : List.of(calm, other("stranger"))) {
            for (int i = 0; i < 200; i++) {
                one.wire().send(Json.object().put("type", "ops_ping").put("id", "p" + i));
                assertThat(one.answer().path("type").asString()).isEqualTo("ops_pong");
            }
            assertThat(launch(one).has("opsSessionId")).isTrue();
        }
    }

    @Test
    void aNoisyClientCanStillCancel() throws IOException {
        // OPS-11, OPS-131: the request that runs ends once, as cancelled
        OpsSocket noisy = client();
        ObjectNode session = launch(noisy);
        noisy.ask("slow", "nav.wait", session, Json.object().put("until", "load"));
        tooMany(noisy);
        noisy.wire().send(Json.object().put("type", "ops_cancel").put("requestId", "slow"));
        ObjectNode answer = noisy.answer();
        assertThat(answer.path("requestId").asString()).isEqualTo("slow");
        assertThat(reason(answer)).isEqualTo("cancelled");
    }

    @Test
    void comingBackDoesNotMakeANoisyClientWelcome() throws IOException {
        // OPS-131: the token is the client, whatever its connection and the name it gives
        OpsSocket first = client();
        tooMany(first);
        first.close();
        OpsSocket again = keep(OpsSocket.open(http, hub.port(), hub.hubToken()));
        assertThat(reason(again.hello("1"))).isEqualTo("rate_limited");
        String token = hub.clientToken("agent", "all", Caller.Mode.ACT);
        OpsSocket agent = keep(OpsSocket.greeted(http, hub.port(), token));
        tooMany(agent);
        agent.close();
        OpsSocket renamed = keep(OpsSocket.open(http, hub.port(), token));
        renamed.wire()
                .send(
                        Json.object()
                                .put("type", "ops_hello")
                                .put("version", "1")
                                .put("clientName", "somebody else"));
        assertThat(reason(renamed.answer())).isEqualTo("rate_limited");
    }

    private static void tooMany(OpsSocket client) {
        for (int i = 0; i < Limits.of("httpRateRequests"); i++) {
            client.call("n" + i, "nav.nowhere", Json.object());
        }
        ObjectNode limited = client.call("x", "browser.tabs", Json.object());
        assertThat(reason(limited)).isEqualTo("rate_limited");
        assertThat(limited.path("error").path("details").path("retryAfterMs").asInt())
                .isGreaterThan(0);
    }

    @Test
    void aSizeTooSmallForAnyMessageIsRefused() throws IOException {
        // W5, OPS-139: said at the greeting, before anything was done
        OpsSocket client = keep(OpsSocket.open(http, hub.port(), hub.hubToken()));
        ObjectNode refused = client.hello("1", 100);
        assertThat(code(refused)).isEqualTo("invalid_request");
        assertThat(refused.path("error").path("message").asString())
                .contains("maxPayloadBytes", "at least 4096");
        assertThat(client.hello("1", 4096).path("maxPayloadBytes").asInt()).isEqualTo(4096);
    }

    @Test
    void aWrongTokenDoesNotOpenTheDoor() {
        // OPS-128: none, a wrong one, a revoked one
        assertThatThrownBy(() -> Wire.open(http, hub.port(), "/ops"))
                .hasMessage("refused with 401");
        assertThatThrownBy(() -> OpsSocket.open(http, hub.port(), "tdc_wrongwrongwrongwrong"))
                .hasMessage("refused with 401");
        String token = hub.clientToken("gone", "all", Caller.Mode.ACT);
        keep(OpsSocket.greeted(http, hub.port(), token));
        Inside.revoke(hub.app(), "gone");
        assertThatThrownBy(() -> OpsSocket.open(http, hub.port(), token))
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

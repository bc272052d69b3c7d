package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.BareSocket;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Sessions at /ops, while programs and the browser come and go. */
class OpsSessionsTest extends OpsDoorBench {
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
    void aSessionThatItsClientNamedIsThereWhileItOpens() throws IOException {
        // OPS-103, OPS-L5: initializing, as the browser says
        extension.on("session.launch", _ -> {});
        extension.on(
                "session.status",
                request -> extension.answer(request, Json.object().put("state", "initializing")));
        OpsSocket client = client();
        ObjectNode mine = Json.object().put("sessionId", "mine").put("leaseId", "key");
        ObjectNode key = Json.object().put("opsSessionId", "mine").put("leaseId", "key");
        client.ask("1", "session.launch", mine);
        ObjectNode launch = extension.request();
        ObjectNode status = client.call("2", "session.status", key, Json.object());
        assertThat(status.at("/payload/state").asString()).isEqualTo("initializing");
        assertThat(code(other("other").call("3", "session.status", key, Json.object())))
                .isEqualTo("not_owner");

        extension.fail(launch, "execution_failed", "no", Json.object());
        assertThat(code(client.answer())).isEqualTo("execution_failed");
        assertThat(code(client.call("4", "session.status", key, Json.object())))
                .isEqualTo("invalid_session");

        client.ask("5", "session.launch", mine);
        extension.request();
        ObjectNode again = extension.request();
        assertThat(again.path("command").asString()).isEqualTo("session.launch");
        ObjectNode opened = mine.deepCopy().put("opsSessionId", "mine");
        extension.answer(again, opened.put("activeTargetId", "tab-9").put("state", "active"));
        client.answer();
        Door door = new Door(hub.port(), hub.hubToken());
        await().untilAsserted(() ->
                assertThat(door.get("/status").json().path("opsOwnedTabIds").toString())
                        .isEqualTo("[9]"));
    }

    @Test
    void twoSessionsOfOneClientDiffer() throws IOException {
        // OPS-95, OPS-102 (hub side)
        OpsSocket client = client();
        assertThat(launch(client).path("opsSessionId"))
                .isNotEqualTo(launch(client).path("opsSessionId"));
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
    void aFrozenBrowserIsGivenUpAfterTwoHeartbeats() throws Exception {
        // OPS-13, OPS-144 (hub side), W6
        Duration beat = Duration.ofMillis(200);
        try (TestHub quick = TestHub.beating(folder.resolve("quick"), beat);
                FakeExtension frozen =
                        FakeExtension.connect(
                                quick,
                                quick.extensionToken("browser-one", "One"),
                                "browser-one",
                                "worker-1",
                                FakeExtension::freeze)) {
            await().atMost(Duration.ofSeconds(20)).until(() -> !frozen.wire().isOpen());
            assertThat(frozen.wire().closed()).isEqualTo("1011 Ops heartbeat missed");
            var status = new Door(quick.port(), quick.hubToken()).get("/status").json();
            assertThat(status.path("extensionConnected").asBoolean(true)).isFalse();
        }
    }

    @Test
    void aTabThatOpensByItselfIsCountedAtOnce() throws Exception {
        // OPS-25, OPS-44: told to the hub alone; programs know the events of the protocol
        OpsSocket client = client();
        String id = launch(client).path("opsSessionId").asString();
        Door door = new Door(hub.port(), hub.hubToken());
        ObjectNode opened = Json.object().put("tabId", 777).put("targetId", "tab-777");
        extension.event("ops_tab_opened", client.clientId(), id, opened);
        await().untilAsserted(() -> {
            var status = door.get("/status").json();
            assertThat(status.path("opsOwnedTargetCount").asInt()).isEqualTo(2);
            assertThat(status.at("/extensions/0/opsOwnedTabIds").toString()).contains("777");
        });
        extension.event("ops_tab_closed", client.clientId(), id, opened);
        assertThat(client.wire().next("ops_event").path("event").asString())
                .isEqualTo("ops_tab_closed");
        assertThat(door.get("/status").json().path("opsOwnedTargetCount").asInt()).isEqualTo(1);
    }

    @Test
    void aProgramThatAnswersNoHeartbeatIsToldWhyItIsDropped() throws IOException {
        // W5, W6: 1011 "Ops heartbeat missed"
        Duration beat = Duration.ofMillis(500);
        try (TestHub quick = TestHub.beating(folder.resolve("quick"), beat);
                BareSocket mute =
                        new BareSocket(
                                quick.port(),
                                "/ops",
                                65_536,
                                "Authorization: Bearer " + quick.hubToken())) {
            mute.patience(20_000);
            String frame = mute.frame();
            assertThat(frame).as("a ping").isEqualTo("frame 9");
            while (frame.equals("frame 9")) {
                frame = mute.frame();
            }
            assertThat(frame).isEqualTo("close 1011 Ops heartbeat missed");
        }
    }

    @Test
    void aProgramThatLeftMeanwhileKeepsNothingWhenTheBrowserIsBack() throws Exception {
        // OPS-27 (extension disconnect), OPS-104, OPS-168
        OpsSocket client = client();
        launch(client);
        Door door = new Door(hub.port(), hub.hubToken());
        assertThat(door.get("/status").json().path("opsOwnedTargetCount").asInt()).isEqualTo(1);
        extension.close();
        client.wire().next("ops_event");
        var away = door.get("/status").json();
        assertThat(away.path("opsOwnedTargetCount").asInt()).isZero();
        assertThat(away.path("opsOwnedTabIds").size()).isZero();
        client.close();
        await().atMost(Duration.ofSeconds(10))
                .until(() -> !door.get("/status").json().path("opsConnected").asBoolean());
        FakeExtension again = keep(hub.extension("browser-one", "One"));
        assertThat(again.request().path("command").asString()).isEqualTo("session.connect");
        ObjectNode gone = again.other();
        assertThat(gone.path("event").asString()).isEqualTo("ops_client_disconnected");
        assertThat(gone.path("clientId").asString()).isEqualTo(client.clientId());
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
        // OPS-115; the same hold for marks under way, marks that begin, and the panel's picture
        OpsSocket client = client();
        ObjectNode session = launch(client);
        Wire marks = annotations();
        Wire marker =
                keep(
                        Wire.open(
                                http,
                                hub.port(),
                                "/annotation",
                                "Authorization",
                                "Bearer " + hub.hubToken()));
        marker.send(annotate("under-way"));
        marks.next("annotationCommand");
        marks.close();
        extension.close();
        client.wire().next("ops_event");
        marker.send(annotate("begins"));
        Door panel = new Door(hub.port(), hub.extensionToken("browser-one", "One"));
        CompletableFuture<String> picture =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return panel.post("/command", Json.object().put("command", "screenshot"))
                                .body();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
        ObjectNode answer = client.call("1", "nav.snapshot", session, Json.object());
        assertThat(code(answer)).isEqualTo("ops_unavailable");
        assertThat(answer.path("error").path("message").asString())
                .isEqualTo("Extension not connected to relay.");
        assertThat(answer.path("error").path("retryable").asBoolean()).isTrue();
        for (int i = 0; i < 2; i++) {
            assertThat(marker.next("annotationResponse").at("/payload/error/code").asString())
                    .isEqualTo("relay_unavailable");
        }
        assertThat(picture.join()).contains("ops_unavailable");
    }

    private static ObjectNode annotate(String requestId) {
        ObjectNode message = Json.object().put("type", "annotationCommand");
        message.putObject("payload")
                .put("version", 1)
                .put("requestId", requestId)
                .put("command", "start");
        return message;
    }

    private Wire annotations() {
        Wire wire =
                keep(
                        Wire.open(
                                http,
                                hub.port(),
                                "/browser/annotation",
                                "Origin",
                                "chrome-extension://" + FakeExtension.ID,
                                "subprotocols",
                                "tandem.v1,bearer." + hub.extensionToken("browser-one", "One")));
        ObjectNode handshake = Json.object().put("type", "handshake");
        ObjectNode payload = handshake.putObject("payload").put("extensionId", FakeExtension.ID);
        payload.put("version", "0.1.0").put("browserId", "browser-one").putArray("capabilities");
        wire.send(handshake);
        wire.next("handshakeAck");
        return wire;
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
}

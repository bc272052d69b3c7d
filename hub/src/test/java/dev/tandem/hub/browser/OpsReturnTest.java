package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.Inside;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What sessions are worth after a link broke: the browser's, or that of the program itself. */
class OpsReturnTest extends OpsDoorBench {
    private FakeExtension browser(String workerId, Consumer<FakeExtension> taught) {
        String token = hub.extensionToken("browser-one", "One");
        return keep(FakeExtension.connect(hub, token, "browser-one", workerId, taught));
    }

    private static ObjectNode event(OpsSocket client, String name) {
        ObjectNode event = client.wire().next("ops_event");
        while (!event.path("event").asString().equals(name)) {
            event = client.wire().next("ops_event");
        }
        return event;
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker-1", "worker-2"})
    void aLinkThatBreaksAgainWhileSessionsComeBackCostsNone(String workerId) throws IOException {
        // OPS-12, OPS-106, OPS-C7
        OpsSocket client = client();
        ObjectNode session = launch(client);
        extension.close();
        event(client, "ops_extension_status");
        FakeExtension brief = browser("worker-1", mute -> mute.on("session.connect", _ -> {}));
        assertThat(brief.request().path("command").asString()).isEqualTo("session.connect");
        brief.close();
        FakeExtension steady = browser(workerId, _ -> {});
        assertThat(steady.request().path("command").asString()).isEqualTo("session.connect");
        ObjectNode answer = client.call("1", "nav.snapshot", session, Json.object());
        assertThat(answer.path("type").asString()).as("%s", answer).isEqualTo("ops_response");
    }

    @Test
    void aSessionThatCannotComeBackEndsForTheReasonTheBrowserGives() throws IOException {
        // OPS-106, OPS-117, OPS-C7: the tab is gone, so it is invalid_session for that reason
        OpsSocket client = client();
        ObjectNode session = launch(client);
        extension.close();
        event(client, "ops_extension_status");
        ObjectNode why = Json.object().put("reason", "tab_closed");
        browser(
                "worker-2",
                back ->
                        back.on(
                                "session.connect",
                                asked ->
                                        back.fail(
                                                asked,
                                                "invalid_session",
                                                "Unknown ops session",
                                                why)));
        JsonNode closed = event(client, "ops_session_closed");
        assertThat(closed.path("payload").path("reason").asString()).isEqualTo("tab_closed");
        assertThat(reason(client.call("1", "nav.snapshot", session, Json.object())))
                .isEqualTo("tab_closed");
    }

    @Test
    void aSessionThatIsGivenUpEndsInTheBrowserToo() throws IOException {
        // OPS-106: else its tabs belong to a session that nobody can use
        OpsSocket client = client();
        ObjectNode session = launch(client);
        extension.close();
        event(client, "ops_extension_status");
        FakeExtension again =
                browser(
                        "worker-1",
                        back ->
                                back.on(
                                        "session.connect",
                                        asked ->
                                                back.fail(
                                                        asked,
                                                        "execution_failed",
                                                        "not now",
                                                        Json.object())));
        assertThat(again.request().path("command").asString()).isEqualTo("session.connect");
        assertEnds(again, session);
    }

    @Test
    void aSessionWhoseLauncherGaveUpIsEnded() throws IOException {
        // OPS-11, OPS-106: the answer comes when the call has had its one outcome
        OpsSocket client = client();
        extension.on("session.launch", _ -> {});
        client.ask("slow", "session.launch", Json.object());
        ObjectNode asked = extension.request();
        client.wire().send(Json.object().put("type", "ops_cancel").put("requestId", "slow"));
        assertThat(reason(client.answer())).isEqualTo("cancelled");
        ObjectNode opened = Json.object().put("opsSessionId", "s-late").put("leaseId", "lease");
        extension.answer(asked, opened.put("activeTargetId", "tab-9"));
        assertEnds(extension, opened);
    }

    private static void assertEnds(FakeExtension browser, ObjectNode session) {
        ObjectNode asked = browser.request();
        assertThat(asked.path("command").asString()).isEqualTo("session.disconnect");
        assertThat(asked.path("opsSessionId")).isEqualTo(session.path("opsSessionId"));
        assertThat(asked.path("leaseId")).isEqualTo(session.path("leaseId"));
    }

    @Test
    void aGreetingUnderWayIsRepeatedWhereTheLinkBreaks() throws IOException {
        // OPS-12, W1: the program waits for one answer, whichever connection brings it
        extension.greets(false);
        OpsSocket client = keep(OpsSocket.open(http, hub.port(), hub.hubToken()));
        ObjectNode hello = Json.object().put("type", "ops_hello").put("version", "1");
        client.wire().send(hello.put("clientName", "patient"));
        extension.awaitHello();
        extension.close();
        browser("worker-1", _ -> {});
        assertThat(client.answer().path("type").asString()).isEqualTo("ops_hello_ack");
    }

    @Test
    void aBrowserThatIsNamedIsWaitedForBesideAnother() throws Exception {
        // OPS-115, W5: held like calls of its sessions
        FakeExtension second = keep(hub.extension("browser-two", "Two"));
        OpsSocket client = client();
        extension.close();
        event(client, "ops_extension_status");
        ObjectNode named = OpsSocket.request("1", "browser.tabs", Json.object());
        client.wire().send(named.put("browser", "Test"));
        client.wire().send(Json.object().put("type", "ops_ping").put("id", "p"));
        assertThat(client.wire().next().path("type").asString())
                .as("no answer yet")
                .isEqualTo("ops_pong");
        browser("worker-1", back -> back.on("browser.tabs", asked -> tabs(back, asked)));
        ObjectNode answer = client.answer();
        assertThat(answer.path("type").asString()).as("%s", answer).isEqualTo("ops_response");
        assertThat(second.waiting()).as("nothing else is taken instead").isZero();
    }

    private static void tabs(FakeExtension browser, ObjectNode asked) {
        browser.answer(asked, Json.object().set("tabs", Json.array()));
    }

    @Test
    void aPairedBrowserIsWaitedForAfterTheHubCameBack() throws Exception {
        // OPS-12, W5: it looks for its hub, a little less often each time
        Path again = folder.resolve("again");
        String token;
        try (TestHub before = new TestHub(again)) {
            token = before.extensionToken("browser-one", "One");
        }
        try (TestHub after = new TestHub(again)) {
            Door door = new Door(after.port(), after.hubToken());
            ObjectNode wish = Json.object().put("name", "browser_tabs");
            CompletableFuture<JsonNode> call =
                    CompletableFuture.supplyAsync(
                            () -> post(door, wish), Thread::startVirtualThread);
            OpsSocket other = keep(OpsSocket.open(http, after.port(), after.hubToken()));
            other.wire().send(Json.object().put("type", "ops_ping").put("id", "p"));
            other.answer();
            keep(
                    FakeExtension.connect(
                            after,
                            token,
                            "browser-one",
                            "worker-1",
                            back -> back.on("browser.tabs", asked -> tabs(back, asked))));
            JsonNode answer = call.get(10, TimeUnit.SECONDS);
            assertThat(answer.path("ok").asBoolean()).as("%s", answer).isTrue();
        }
    }

    private static JsonNode post(Door door, ObjectNode wish) {
        try {
            return door.post("/command", wish).json();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void oneLongMessageLeavesRoomForWhatOthersSay() throws Exception {
        // OPS-11, OPS-16: an upload in one frame, and a browser that is slow to read it
        OpsSocket one = client();
        OpsSocket other = other("other");
        ObjectNode session = launch(other);
        extension.request();
        extension.on("interact.upload", asked -> extension.answer(asked, Json.object()));
        ObjectNode mine = launch(one);
        extension.request();
        ObjectNode upload = Json.object().put("ref", "r1");
        upload.putArray("contents")
                .addObject()
                .put("name", "a.bin")
                .put("mime", "application/octet-stream")
                .put("base64", "AAAA".repeat(9 * 256 * 1024));
        CountDownLatch begun = extension.wire().pauseAtLong();
        one.ask("long", "interact.upload", mine, upload);
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        other.ask("short", "session.status", session, Json.object());
        other.wire().send(Json.object().put("type", "ops_ping").put("id", "p"));
        assertThat(other.wire().next().path("type").asString()).isEqualTo("ops_pong");
        extension.wire().resume();
        assertThat(one.answer().path("type").asString()).isEqualTo("ops_response");
        assertThat(extension.request().path("command").asString()).isEqualTo("interact.upload");
        assertThat(extension.request().path("command").asString()).isEqualTo("session.status");
        assertThat(extension.wire().isOpen()).isTrue();
    }

    @Test
    void whoeverUsedASessionLastHoldsItWhenTheBrowserIsBack() throws IOException {
        // OPS-104, W8: the lease from a new connection of the same token takes the session back
        OpsSocket before = client();
        ObjectNode session = launch(before);
        before.close();
        assertThat(extension.other().path("event").asString()).isEqualTo("ops_client_disconnected");
        OpsSocket after = client();
        after.call("1", "nav.snapshot", session, Json.object());
        extension.close();
        event(after, "ops_extension_status");
        FakeExtension again = browser("worker-1", _ -> {});
        assertThat(again.request().path("clientId").asString()).isEqualTo(after.clientId());
        after.call("2", "nav.snapshot", session, Json.object());
        assertThat(again.others()).as("nobody is announced as gone").isZero();
    }

    @Test
    void aSessionGoesOnInAWindowThatItsPageOpenedByItself() throws IOException {
        // OPS-27, W8: only the last tab ends a session, and the browser alone knows which that is
        OpsSocket client = client();
        ObjectNode session = launch(client);
        ObjectNode closed = Json.object();
        closed.put("tabId", 101).set("targetId", session.get("activeTargetId"));
        String id = session.path("opsSessionId").asString();
        extension.event("ops_tab_closed", client.clientId(), id, closed);
        event(client, "ops_tab_closed");
        ObjectNode answer = client.call("1", "nav.snapshot", session, Json.object());
        assertThat(answer.path("type").asString()).as("%s", answer).isEqualTo("ops_response");
    }

    @Test
    void aBrowserThatStaysAwayKeepsNobodyFromWorkingElsewhere() throws Exception {
        // OPS-44, OPS-168, SETTLED-7: status tells the truth, and the default session is another
        Duration beat = Duration.ofMillis(300);
        try (TestHub quick = TestHub.beating(folder.resolve("quick"), beat)) {
            FakeExtension first = keep(quick.extension("browser-one", "One"));
            Door door = new Door(quick.port(), quick.hubToken());
            ObjectNode look = Json.object().put("name", "snapshot");
            assertThat(door.post("/command", look).json().path("ok").asBoolean()).isTrue();
            try (OpsSocket program = OpsSocket.greeted(http, quick.port(), quick.hubToken())) {
                program.call("1", "session.launch", Json.object());
                first.close();
                event(program, "ops_extension_status");
                ObjectNode status = Json.object().put("name", "status");
                JsonNode said = door.post("/command", status).json();
                assertThat(said.at("/data/health/reason").asString())
                        .as("%s", said)
                        .isEqualTo("extension_disconnected");
                for (JsonNode session : said.at("/data/sessions")) {
                    assertThat(session.path("state").asString()).isEqualTo("closing");
                }
                JsonNode over = event(program, "ops_session_expired");
                assertThat(over.path("opsSessionId").asString()).isNotEmpty();
            }
            try (FakeExtension second = quick.extension("browser-two", "Two")) {
                JsonNode seen = door.post("/command", look).json();
                assertThat(seen.path("ok").asBoolean()).as("%s", seen).isTrue();
                assertThat(second.request().path("command").asString()).isEqualTo("session.launch");
            }
        }
    }

    @Test
    void aRevokedProgramIsGoneAtOnceThoughItsBrowserIsAway() throws IOException {
        // W6, OPS-168: nothing is read by it while its sessions are being ended
        OpsSocket program = other("leaving");
        launch(program);
        extension.close();
        event(program, "ops_extension_status");
        Inside.revoke(hub.app(), "leaving");
        await().atMost(Duration.ofSeconds(4)).until(() -> !program.wire().isOpen());
        assertThat(program.wire().closed()).isEqualTo("4001 Token revoked");
    }
}

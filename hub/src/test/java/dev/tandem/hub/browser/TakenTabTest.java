package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.Inside;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.permission.Card;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** OPS-41, SEC-5: a launch takes the tab that was decided about, in that browser, on that page. */
class TakenTabTest {
    @TempDir Path folder;
    private TestHub hub;
    private FakeExtension extension;
    private PermissionDesk desk;
    private McpCaller program;

    @BeforeEach
    void start() throws IOException {
        hub = new TestHub(folder);
        desk = Inside.desk(hub.app());
        extension = hub.extension("browser-one", "One");
        shows(extension, 8);
        program = new McpCaller(hub, hub.clientToken("Editor", "all", Caller.Mode.ASK));
    }

    @AfterEach
    void stop() throws IOException {
        extension.close();
        hub.close();
    }

    /** Two windows, each with its active tab; the user looks at one of the two, or at neither. */
    private static void shows(FakeExtension browser, int front) {
        browser.on(
                "browser.tabs",
                request -> {
                    ObjectNode list = Json.object().put("action", "tabs");
                    ArrayNode tabs = list.putArray("tabs");
                    for (int id : new int[] {7, 8}) {
                        tabs.addObject()
                                .put("id", id)
                                .put("url", "https://site" + id + ".example/page")
                                .put("title", "")
                                .put("active", true);
                    }
                    if (front != 0 && request.path("describe").path("front").asBoolean()) {
                        list.put("front", front);
                    }
                    browser.answer(request, list);
                });
    }

    private static ObjectNode front() {
        return Json.object().put("useActiveTab", true);
    }

    private Card card() {
        await().atMost(Duration.ofSeconds(10)).until(() -> !desk.open().isEmpty());
        return desk.open().getFirst();
    }

    private static ObjectNode launched(FakeExtension browser) {
        ObjectNode request = browser.request();
        while (!request.path("command").asString("").equals("session.launch")) {
            request = browser.request();
        }
        return request;
    }

    @Test
    void theTabInFrontIsTheOneOnTheCardAndTheOneTaken() throws Exception {
        var answer = CompletableFuture.supplyAsync(() -> program.result("launch", front()));
        Card card = card();
        assertThat(card.ask().where().origin()).isEqualTo("https://site8.example");
        // the user goes to the other window to think about it
        shows(extension, 7);
        desk.answer(card.requestId(), "allow_once", Caller.USER);
        assertThat(answer.get().path("isError").asBoolean()).isFalse();
        ObjectNode sent = launched(extension);
        assertThat(sent.path("payload").path("tabId").asInt()).isEqualTo(8);
        assertThat(sent.path("payload").has("useActiveTab")).isFalse();
        assertThat(sent.path("tabOrigin").asString()).isEqualTo("https://site8.example");
    }

    @Test
    void goingOnFromItIsAskedAboutWithTheSameTab() throws Exception {
        ObjectNode wish = front().put("startUrl", "https://other.example/");
        var answer = CompletableFuture.supplyAsync(() -> program.result("launch", wish));
        Card taking = card();
        assertThat(taking.ask().where().origin()).isEqualTo("https://site8.example");
        shows(extension, 7);
        desk.answer(taking.requestId(), "allow_once", Caller.USER);
        await().until(() ->
                desk.open().stream().anyMatch(one -> !one.requestId().equals(taking.requestId())));
        Card going = card();
        assertThat(going.ask().where().origin()).isEqualTo("https://other.example");
        assertThat(going.ask().where().tab()).isEqualTo("tab-8");
        desk.answer(going.requestId(), "allow_once", Caller.USER);
        assertThat(answer.get().path("isError").asBoolean()).isFalse();
        ObjectNode sent = launched(extension);
        assertThat(sent.path("payload").path("tabId").asInt()).isEqualTo(8);
        assertThat(sent.path("tabOrigin").asString()).isEqualTo("https://site8.example");
        assertThat(sent.path("origin").asString()).isEqualTo("https://other.example");
    }

    @Test
    void theBrowserIsTheOneThatWasLookedAt() throws Exception {
        try (FakeExtension second = hub.extension("browser-two", "Two")) {
            shows(second, 7);
            looksAt(extension);
            var answer = CompletableFuture.supplyAsync(() -> program.result("launch", front()));
            Card card = card();
            assertThat(card.ask().where().origin()).isEqualTo("https://site8.example");
            looksAt(second);
            desk.answer(card.requestId(), "allow_once", Caller.USER);
            assertThat(answer.get().path("isError").asBoolean()).isFalse();
            assertThat(launched(extension).path("payload").path("tabId").asInt()).isEqualTo(8);
            assertThat(second.waiting()).isZero();
        }
    }

    @Test
    void aTabOfAManagedBrowserIsNotTheUsersOwn() throws Exception {
        // the hub made this browser known itself, and the user looked at it last
        try (FakeExtension debugged = hub.extension("cdp-other", "Other")) {
            shows(debugged, 7);
            looksAt(debugged);
            ObjectNode own = front().put("extensionOnly", true);
            var answer = CompletableFuture.supplyAsync(() -> program.result("launch", own));
            Card card = card();
            assertThat(card.ask().where().origin()).isEqualTo("https://site8.example");
            desk.answer(card.requestId(), "allow_once", Caller.USER);
            assertThat(answer.get().path("isError").asBoolean()).isFalse();
            assertThat(launched(extension).path("payload").path("tabId").asInt()).isEqualTo(8);
            assertThat(debugged.waiting()).isZero();
        }
    }

    @Test
    void opsClientsAreAskedAboutTheTabOfTheBrowserTheyName() throws Exception {
        String token = hub.clientToken("Script", "all", Caller.Mode.ASK);
        try (FakeExtension second = hub.extension("browser-two", "Two");
                OpsSocket ops = OpsSocket.greeted(HttpClient.newHttpClient(), hub.port(), token)) {
            shows(second, 7);
            looksAt(extension);
            ObjectNode request = Json.object().put("type", "ops_request").put("requestId", "1");
            request.put("command", "session.launch").put("browser", "browser-two");
            request.set("payload", front());
            ops.wire().send(request);
            Card card = card();
            assertThat(card.ask().where().origin()).isEqualTo("https://site7.example");
            desk.answer(card.requestId(), "allow_once", Caller.USER);
            assertThat(ops.answer().path("type").asString()).isEqualTo("ops_response");
            assertThat(launched(second).path("payload").path("tabId").asInt()).isEqualTo(7);
        }
    }

    @Test
    void withoutATabInFrontNobodyIsAsked() {
        shows(extension, 0);
        assertThat(McpCaller.text(program.result("launch", front())))
                .contains("[ops_unavailable]", "No active tab to attach.");
        // one that no tool may use is in front, and is not on the list
        shows(extension, 9);
        assertThat(McpCaller.text(program.result("launch", front())))
                .contains("[restricted_url]", "Focus a normal http(s) tab and retry.");
        assertThat(desk.open()).isEmpty();
    }

    @Test
    void theUsersOwnShellGetsTheTabInFrontWithoutACard() throws Exception {
        ObjectNode body = Json.object().put("name", "launch");
        body.set("params", front());
        JsonNode answer = new Door(hub.port(), hub.hubToken()).post("/command", body).json();
        assertThat(answer.path("ok").asBoolean()).isTrue();
        ObjectNode sent = launched(extension);
        assertThat(sent.path("payload").path("tabId").asInt()).isEqualTo(8);
        assertThat(sent.has("tabOrigin")).isFalse();
    }

    private static void looksAt(FakeExtension browser) {
        browser.wire().send(Json.object().put("type", "windowFocused"));
        // the answer comes after the message before it was taken
        browser.wire().send(Json.object().put("type", "ping").put("id", "after"));
        browser.wire().next("pong");
    }
}

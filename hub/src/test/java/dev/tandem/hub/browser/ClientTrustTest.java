package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.Inside;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.permission.Card;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.permission.PermissionRules;
import dev.tandem.hub.store.Database;
import dev.tandem.protocol.Json;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Programs with a token of their own meet the one desk, at every door. */
class ClientTrustTest {
    private static final String PATIENCE = "tandem.patienceMs";

    @TempDir Path folder;
    private TestHub hub;
    private FakeExtension extension;
    private PermissionDesk desk;

    @BeforeEach
    void start() throws Exception {
        System.setProperty(PATIENCE, "1500");
        hub = new TestHub(folder);
        desk = Inside.desk(hub.app());
        extension = hub.extension("browser-one", "One");
        extension.on("targets.list", this::targets);
        extension.on(
                "interact.click",
                request -> extension.answer(request, Json.object().put("timingMs", 1)));
    }

    @AfterEach
    void stop() throws Exception {
        System.clearProperty(PATIENCE);
        extension.close();
        hub.close();
    }

    private void targets(ObjectNode request) {
        ObjectNode payload = Json.object().put("activeTargetId", "tab-101");
        ArrayNode targets = payload.putArray("targets");
        for (int tab = 101; tab < 110; tab++) {
            targets.addObject()
                    .put("targetId", "tab-" + tab)
                    .put("url", "https://shop.example/list");
        }
        extension.answer(request, payload);
    }

    private McpCaller program(String name, Caller.Mode mode) {
        return new McpCaller(hub, hub.clientToken(name, "all", mode));
    }

    private Card card() {
        await().atMost(Duration.ofSeconds(10)).until(() -> !desk.open().isEmpty());
        return desk.open().getFirst();
    }

    private long clicks() {
        long clicks = 0;
        while (extension.waiting() > 0) {
            if (extension.request().path("command").asString("").equals("interact.click")) {
                clicks++;
            }
        }
        return clicks;
    }

    private static ObjectNode ref() {
        return Json.object().put("ref", "r1");
    }

    @Test
    @DisplayName("ACP-143, SETTLED-5 in ask mode a card names the program; a no runs nothing")
    void aProgramInAskModeIsAskedAbout() throws Exception {
        McpCaller program = program("Claude Code", Caller.Mode.ASK);
        var refused = CompletableFuture.supplyAsync(() -> program.result("click", ref()));
        Card card = card();
        assertThat(card.ask().who().name()).isEqualTo("Claude Code");
        assertThat(card.toJson().path("requester").path("client").asString()).isEqualTo("mcp");
        assertThat(card.ask().where().origin()).isEqualTo("https://shop.example");
        desk.answer(card.requestId(), "reject_once", Caller.USER);
        JsonNode no = refused.get();
        assertThat(no.path("isError").asBoolean()).isTrue();
        assertThat(McpCaller.text(no)).contains("[permission_denied]");
        assertThat(clicks()).isZero();

        ObjectNode other = Json.object().put("ref", "r2");
        var allowed = CompletableFuture.supplyAsync(() -> program.result("click", other));
        desk.answer(card().requestId(), "allow_once", Caller.USER);
        assertThat(allowed.get().path("isError").asBoolean()).isFalse();
        assertThat(clicks()).isEqualTo(1);
    }

    @Test
    @DisplayName("OPS-3 nobody but the user ends a browser in which others work")
    void aBrowserOfOthersIsNotEnded() {
        McpCaller one = program("One", Caller.Mode.ACT);
        McpCaller two = program("Two", Caller.Mode.ACT);
        one.result("launch", Json.object());
        two.result("launch", Json.object());
        ObjectNode end = Json.object().put("closeBrowser", true);
        assertThat(McpCaller.text(one.result("disconnect", end)))
                .contains("[not_owner]", "Others work in this browser");
        two.result("disconnect", Json.object());
        assertThat(one.result("disconnect", end).path("isError").asBoolean()).isFalse();
    }

    @Test
    @DisplayName("SETTLED-4 a waiting call is told to come back, and its yes fits the same call")
    void theYesIsKeptForTheIdenticalCall() {
        McpCaller program = program("Slow", Caller.Mode.ASK);
        JsonNode pending = program.result("click", ref());
        assertThat(McpCaller.text(pending)).contains("[permission_pending]", "Repeat");
        desk.answer(card().requestId(), "allow_once", Caller.USER);
        assertThat(program.result("click", ref()).path("isError").asBoolean()).isFalse();
        assertThat(clicks()).isEqualTo(1);
        JsonNode again = program.result("click", ref());
        assertThat(McpCaller.text(again)).contains("[permission_pending]");
    }

    @Test
    @DisplayName("SETTLED-4 progress says that a person is asked")
    void progressTellsOfTheCard() {
        McpCaller program = program("Patient", Caller.Mode.ASK);
        ObjectNode call = McpCaller.call(9, "click", ref());
        ((ObjectNode) call.get("params")).putObject("_meta").put("progressToken", 5);
        String body = program.post(call).body();
        assertThat(body).contains("Waiting for the user's permission", "\"progressToken\":5");
        assertThat(body.indexOf("permission_pending")).isGreaterThan(body.indexOf("Waiting"));
    }

    @Test
    @DisplayName("SETTLED-4 /ops is told of the card and waits for its answer")
    void opsGetsAnEvent() {
        String token = hub.clientToken("Script", "all", Caller.Mode.ASK);
        try (OpsSocket ops = OpsSocket.greeted(HttpClient.newHttpClient(), hub.port(), token)) {
            ObjectNode session =
                    (ObjectNode) ops.call("1", "session.launch", Json.object()).get("payload");
            ops.ask("2", "interact.click", session, ref());
            ObjectNode event = ops.wire().next("ops_event");
            while (!event.path("event").asString("").equals("permission_pending")) {
                event = ops.wire().next("ops_event");
            }
            assertThat(event.path("payload").path("requestId").asString()).isEqualTo("2");
            desk.answer(card().requestId(), "allow_once", Caller.USER);
            assertThat(ops.answer().path("type").asString()).isEqualTo("ops_response");
        }
    }

    @Test
    @DisplayName("SEC-5 act mode runs the routine and still asks for what is sensitive")
    void actModeAsksForScripts() {
        McpCaller program = program("Trusted", Caller.Mode.ACT);
        allowFirst(program);
        assertThat(program.result("click", ref()).path("isError").asBoolean()).isFalse();
        assertThat(desk.open()).isEmpty();
        ObjectNode script = Json.object().put("tabId", 101).put("script", "1");
        extension.on(
                "browser.tabs",
                request -> {
                    ObjectNode tabs = Json.object().put("action", "tabs");
                    tabs.putArray("tabs").addObject().put("id", 101).put("url", "https://a.test/");
                    extension.answer(request, tabs);
                });
        JsonNode asked = program.result("browser_execute", script);
        assertThat(McpCaller.text(asked)).contains("[permission_pending]");
        assertThat(card().sensitive()).isTrue();
    }

    /** The first step on a site asks, with the site's name; later ones do not. */
    private void allowFirst(McpCaller program) {
        var first = CompletableFuture.supplyAsync(() -> program.result("click", ref()));
        Card card = card();
        assertThat(card.ask().where().origin()).isEqualTo("https://shop.example");
        desk.answer(card.requestId(), "allow_once", Caller.USER);
        assertThat(first.join().path("isError").asBoolean()).isFalse();
    }

    @Test
    @DisplayName("SEC-14 act mode has a fence: the first step at another origin asks, with its URL")
    void actModeAsksOncePerSite() {
        McpCaller program = program("Fenced", Caller.Mode.ACT);
        allowFirst(program);
        extension.on(
                "nav.goto",
                request ->
                        extension.answer(
                                request,
                                Json.object()
                                        .put("finalUrl", "https://evil.example/?q=secret")
                                        .put("timingMs", 1)
                                        .set("meta", Json.object().put("blockerState", "clear"))));
        ObjectNode away = Json.object().put("url", "https://evil.example/?q=secret");
        JsonNode asked = program.result("goto", away);
        assertThat(McpCaller.text(asked)).contains("[permission_pending]");
        assertThat(card().ask().where().url()).isEqualTo("https://evil.example/?q=secret");
        assertThat(gotos()).as("nothing left before the answer").isZero();
        desk.answer(card().requestId(), "reject_once", Caller.USER);
        JsonNode refused = program.result("goto", away);
        assertThat(McpCaller.text(refused)).contains("[permission_denied]");
        assertThat(gotos()).isZero();
        ObjectNode near = Json.object().put("url", "https://shop.example/cart");
        assertThat(program.result("goto", near).path("isError").asBoolean()).isFalse();
    }

    private long gotos() {
        long gotos = 0;
        while (extension.waiting() > 0) {
            if (extension.request().path("command").asString("").equals("nav.goto")) {
                gotos++;
            }
        }
        return gotos;
    }

    private static String said(CliDoor cli, String... words) throws Exception {
        return cli.run(false, words).text();
    }

    @Test
    @DisplayName("SEC-5, SEC-14 a program let in everywhere is asked only for what is sensitive")
    void everywhereIsARuleToo() {
        McpCaller program = new McpCaller(hub, hub.trustedToken("Everywhere"));
        assertThat(program.result("click", ref()).path("isError").asBoolean()).isFalse();
        assertThat(desk.open()).isEmpty();
        desk.rules().put(new PermissionRules.Wish("", "tab_action:click", "*", false));
        // PLG-85: the older names stand under the same rules
        for (String name : new String[] {"click", "tab_click"}) {
            JsonNode refused = program.result(name, ref());
            assertThat(McpCaller.text(refused)).as(name).contains("[permission_denied]");
        }
        ObjectNode mixed = Json.object();
        mixed.putArray("actions").add(ref().put("action", "click"));
        mixed.withArray("actions").addObject().put("action", "wait").put("until", "load");
        assertThat(McpCaller.text(program.result("tab_action", mixed)))
                .contains("permission_denied");
        assertThat(clicks()).isEqualTo(1);
    }

    private void writeIntoTheStore(String tool, String policy) {
        try (Database store = Database.open("", hub.stateDir().resolve("tandem.db"))) {
            var _ =
                    store.write(sql ->
                            sql.update(
                                    "INSERT INTO extension_tool_permissions(id, user_id,"
                                            + " workspace_id, tool_name, origin, client, policy,"
                                            + " updated_at, created_at) VALUES (?, 'owner', '',"
                                            + " ?, '*', '*', ?, 1, 1)",
                                    "planted-" + policy,
                                    tool,
                                    policy));
        }
    }

    @Test
    @DisplayName("SEC-15 an allow rule from elsewhere waits for one yes here; a deny acts at once")
    void aRuleWrittenIntoTheStoreAllowsNothing() throws Exception {
        CliDoor cli = new CliDoor(hub);
        McpCaller program = program("Planted", Caller.Mode.ASK);
        writeIntoTheStore("tab_action:click", "allow");
        assertThat(McpCaller.text(program.result("click", ref()))).contains("[permission_pending]");
        assertThat(clicks()).isZero();
        assertThat(said(cli, "permissions", "rules")).contains("planted-", "waits for your yes");
        desk.answer(card().requestId(), "reject_once", Caller.USER);

        assertThat(said(cli, "permissions", "accept", "planted-allow")).contains("Accepted");
        assertThat(said(cli, "permissions", "rules")).doesNotContain("waits");
        ObjectNode other = Json.object().put("ref", "r2");
        assertThat(program.result("click", other).path("isError").asBoolean()).isFalse();
        assertThat(said(cli, "permissions", "forget", "planted-allow")).contains("Forgotten");

        // a person's "always" on another device waits as well, and a no acts wherever it was said
        Caller phone = Caller.device("phone", "Phone");
        ObjectNode third = Json.object().put("ref", "r3");
        var asked = CompletableFuture.supplyAsync(() -> program.result("click", third));
        desk.answer(card().requestId(), "allow_always", phone);
        assertThat(asked.get().path("isError").asBoolean()).as("this once").isFalse();
        assertThat(said(cli, "permissions", "rules")).contains("waits for your yes");
        assertThat(McpCaller.text(program.result("click", third))).contains("[permission_pending]");
        desk.answer(card().requestId(), "allow_once", Caller.USER);

        writeIntoTheStore("tab_nav:goto", "deny");
        // what the hub knows of its rules is read anew with the next one
        desk.rules().put(new PermissionRules.Wish("", "tab_read:perf", "*", false));
        ObjectNode away = Json.object().put("url", "https://shop.example/");
        assertThat(McpCaller.text(program.result("goto", away))).contains("[permission_denied]");
    }

    @Test
    @DisplayName("SETTLED-5 act mode is a rule that the user sees and takes back, at once")
    void actModeIsARuleThatCanBeTakenBack() throws Exception {
        CliDoor cli = new CliDoor(hub);
        String made =
                said(cli, "token", "add", "ci", "--mode", "act", "--sites", "https://shop.example");
        assertThat(said(cli, "token", "add", "no", "--mode", "act", "--sites", "nonsense"))
                .contains("\"nonsense\" is not a site", "Usage: tandem token add");
        String token = made.lines().filter(line -> line.startsWith("tdc_")).findFirst().get();
        McpCaller program = new McpCaller(hub, token);
        try (OpsSocket ops = OpsSocket.greeted(HttpClient.newHttpClient(), hub.port(), token)) {
            assertThat(program.result("click", ref()).path("isError").asBoolean()).isFalse();
            assertThat(desk.open()).as("the site was named").isEmpty();
            String rules = said(cli, "permissions", "rules");
            assertThat(rules).contains("act:ci", "https://shop.example");
            assertThat(said(cli, "permissions", "forget", "act:ci")).contains("Forgotten: act:ci");
            String site = said(cli, "permissions", "rules").split(" ", 2)[0];
            assertThat(said(cli, "permissions", "forget", site)).contains("Forgotten");
            assertThat(said(cli, "permissions", "rules")).contains("There are no rules.");
            assertThat(said(cli, "token", "list")).contains("ci", "ask").doesNotContain("act");
            await().atMost(Duration.ofSeconds(10)).until(() -> !ops.wire().isOpen());
        }
        JsonNode asked = program.result("click", ref());
        assertThat(McpCaller.text(asked)).contains("[permission_pending]");
    }

    @Test
    @DisplayName("OPS-43, OPS-168 what a revoked token held ends at once, at every door")
    void revokingEndsSessionsAndSockets() {
        String token = hub.clientToken("Gone soon", "all", Caller.Mode.ACT);
        McpCaller program = new McpCaller(hub, token);
        assertThat(program.result("launch", Json.object()).path("isError").asBoolean()).isFalse();
        try (OpsSocket ops = OpsSocket.greeted(HttpClient.newHttpClient(), hub.port(), token)) {
            var held = ops.call("1", "session.launch", Json.object());
            assertThat(held.path("type").asString()).isEqualTo("ops_response");
            while (extension.waiting() > 0) {
                extension.request();
            }
            Inside.revoke(hub.app(), "Gone soon");
            await().atMost(Duration.ofSeconds(4)).until(() -> !ops.wire().isOpen());
            assertThat(ops.wire().closed()).startsWith("4001");
        }
        // both sessions, told to the browser
        for (int ended = 0; ended < 2; ) {
            ObjectNode request = extension.request();
            ended += request.path("command").asString("").equals("session.disconnect") ? 1 : 0;
        }
    }

    @Test
    @DisplayName("SEC-13 a tab that woke up under another name is asked about under the old one")
    void aRenamedTabIsTheSameTab() throws Exception {
        McpCaller program = program("Sleeper", Caller.Mode.ACT);
        JsonNode launched = program.result("launch", Json.object());
        String id = launched.path("structuredContent").path("sessionId").asString();
        ObjectNode renamed = Json.object().put("tabId", 3).put("targetId", "tab-3");
        extension.event("ops_tab_closed", "somebody", id, renamed.put("replacedBy", "tab-7"));
        extension.on(
                "targets.list",
                request -> {
                    ObjectNode left = Json.object().put("activeTargetId", "tab-101");
                    left.putArray("targets")
                            .addObject()
                            .put("targetId", "tab-7")
                            .put("url", "https://bank.example/transfer");
                    extension.answer(request, left);
                });
        var _ =
                CompletableFuture.supplyAsync(
                        () -> program.result("click", ref().put("targetId", "tab-3")));
        assertThat(card().ask().where().origin()).isEqualTo("https://bank.example");
    }

    @Test
    @DisplayName(
            "SEC-5, OPS-46 a call acts where it was asked about: on the tab that is default now")
    void aTabThatClosedIsNoWayAroundTheFence() throws Exception {
        McpCaller program = program("Fenced", Caller.Mode.ACT);
        assertThat(program.result("launch", Json.object()).path("isError").asBoolean()).isFalse();
        // the first tab closed itself; the window that it had opened is the default from then on
        extension.on(
                "targets.list",
                request -> {
                    ObjectNode left = Json.object().put("activeTargetId", "tab-7");
                    left.putArray("targets")
                            .addObject()
                            .put("targetId", "tab-7")
                            .put("url", "https://bank.example/transfer");
                    extension.answer(request, left);
                });
        assertThat(McpCaller.text(program.result("click", ref()))).contains("[permission_pending]");
        assertThat(card().ask().where().origin()).isEqualTo("https://bank.example");
        assertThat(clicks()).isZero();
    }

    @Test
    @DisplayName("A pairing that ends takes its sockets and streams with it, at every door")
    void loggingOutEndsWhatIsOpen() throws Exception {
        String token = hub.extensionToken("b-lost", "Lost");
        Door lost = new Door(hub.port(), token);
        Door other = new Door(hub.port(), hub.extensionToken("b-kept", "Kept"));
        String view = lost.post("/sse-session", Json.object()).json().path("token").asString();
        HttpClient http = HttpClient.newHttpClient();
        String origin = "chrome-extension://" + FakeExtension.ID;
        String[] asExtension = {"Origin", origin, "subprotocols", "tandem.v1,bearer." + token};
        try (FakeExtension browser = FakeExtension.connect(hub, token, "b-lost");
                Wire chat = Wire.open(http, hub.port(), "/ws", asExtension);
                Wire late = Wire.open(http, hub.port(), "/ws", "Origin", origin);
                Wire pages = Wire.open(http, hub.port(), "/browser/annotation", asExtension);
                Door.Events stream = lost.events("/activity/stream");
                Door.Events seen = new Door(hub.port(), view).events("/activity/stream");
                Door.Events kept = other.events("/activity/stream")) {
            late.sendText("{\"type\":\"connect\",\"id\":1,\"token\":\"" + token + "\"}");
            late.next("connected");
            assertThat(List.of(stream.status(), seen.status())).containsOnly(200);
            assertThat(lost.delete("/api/v1/auth/session").status()).isEqualTo(200);
            for (Wire wire : List.of(browser.wire(), chat, late, pages)) {
                assertThat(wire.closed()).startsWith("4001");
            }
            assertThat(stream.ends()).isTrue();
            assertThat(seen.ends()).as("what its view token opened").isTrue();
            other.post("/command", Json.object().put("name", "skill_list"));
            assertThat(kept.next().data().path("type").asString()).isEqualTo("command_start");
        }
        assertThat(lost.get("/activity/history").status()).isEqualTo(401);
    }

    @Test
    @DisplayName("SEC-2 a program's token answers no card; \"always\" is for that program alone")
    void alwaysIsForOneProgram() throws Exception {
        McpCaller one = program("One", Caller.Mode.ASK);
        McpCaller two = program("Two", Caller.Mode.ASK);
        var waiting = CompletableFuture.supplyAsync(() -> one.result("click", ref()));
        Card card = card();
        Caller itself =
                new Caller(
                        dev.tandem.hub.auth.TokenKind.CLIENT,
                        "x",
                        "One",
                        "all",
                        Caller.Mode.ASK,
                        java.util.Optional.empty());
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> desk.answer(card.requestId(), "allow_once", itself))
                .hasMessageContaining("Only the user");
        desk.answer(card.requestId(), "allow_always", Caller.USER);
        assertThat(waiting.get().path("isError").asBoolean()).isFalse();
        assertThat(one.result("click", ref()).path("isError").asBoolean()).isFalse();
        assertThat(McpCaller.text(two.result("click", ref()))).contains("[permission_pending]");
    }

    @Test
    @DisplayName("SETTLED-5 the user's own token is never asked about, a revoked one is nobody's")
    void theUserIsNotAsked() throws Exception {
        McpCaller user = new McpCaller(hub, hub.hubToken());
        assertThat(user.result("click", ref()).path("isError").asBoolean()).isFalse();
        assertThat(desk.open()).isEmpty();
        String token = hub.clientToken("Gone", "all", Caller.Mode.ACT);
        McpCaller gone = new McpCaller(hub, token);
        assertThat(gone.post(McpCaller.message(1, "ping")).statusCode()).isEqualTo(200);
        Inside.revoke(hub.app(), "Gone");
        assertThat(gone.post(McpCaller.message(1, "ping")).statusCode()).isEqualTo(401);
    }
}

package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.Inside;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.permission.Card;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.permission.PermissionRules;
import dev.tandem.protocol.Json;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A page's frames have rights of their own: those of their origin. */
class FrameRightsTest {
    private static final String BANK = "https://bank.example";

    @TempDir Path folder;
    private TestHub hub;
    private FakeExtension extension;
    private PermissionDesk desk;
    private final List<JsonNode> stamped = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void start() throws Exception {
        hub = new TestHub(folder);
        desk = Inside.desk(hub.app());
        extension = hub.extension("browser-one", "One");
        extension.on("targets.list", this::targets);
        extension.on("nav.snapshot", this::snapshot);
        extension.on("interact.click", this::click);
    }

    @AfterEach
    void stop() throws Exception {
        extension.close();
        hub.close();
    }

    private void targets(ObjectNode request) {
        ObjectNode payload = Json.object().put("activeTargetId", "tab-101");
        payload.putArray("targets")
                .addObject()
                .put("targetId", "tab-101")
                .put("url", "https://shop.example/list");
        extension.answer(request, payload);
    }

    private boolean open(ObjectNode request) {
        stamped.add(request.path("frameOrigins"));
        return request.path("frameOrigins").isMissingNode()
                || Json.texts(request, "frameOrigins").contains(BANK);
    }

    /** A shop that frames a bank, as the extension reads it. */
    private void snapshot(ObjectNode request) {
        ObjectNode payload = FakeExtension.snapshot();
        if (open(request)) {
            payload.put("content", "balance 4711");
        } else {
            payload.putArray("leftOutOrigins").add(BANK);
        }
        extension.answer(request, payload);
    }

    private void click(ObjectNode request) {
        if (open(request)) {
            extension.answer(request, Json.object().put("timingMs", 1));
        } else {
            ObjectNode details = Json.object().put("reason", "permission_denied");
            details.put("frameOrigin", BANK).put("dispatched", false);
            extension.fail(request, "execution_failed", "in a frame", details);
        }
    }

    private Card card() {
        await().atMost(Duration.ofSeconds(10)).until(() -> !desk.open().isEmpty());
        return desk.open().getFirst();
    }

    private JsonNode last() {
        return stamped.getLast();
    }

    private void at(String origin) {
        await().atMost(Duration.ofSeconds(10))
                .until(() ->
                        desk.open().stream()
                                .anyMatch(open -> open.ask().where().origin().equals(origin)));
    }

    @Test
    @DisplayName(
            "SEC-13, SEC-18 a yes is for the page it named: one that came meanwhile is asked for")
    void aPageThatCameMeanwhileIsAskedAboutItself() throws Exception {
        List<String> letAt = Collections.synchronizedList(new ArrayList<>());
        extension.on(
                "nav.snapshot",
                request -> {
                    letAt.add(request.path("origin").asString("none"));
                    if (open(request)) {
                        extension.answer(request, FakeExtension.snapshot());
                    } else {
                        ObjectNode details = Json.object().put("reason", "permission_denied");
                        details.put("frameOrigin", BANK).put("dispatched", false);
                        extension.fail(request, "execution_failed", "another page", details);
                    }
                });
        McpCaller program = new McpCaller(hub, hub.clientToken("Prog", "all", Caller.Mode.ASK));
        var read = CompletableFuture.supplyAsync(() -> program.result("snapshot", Json.object()));
        desk.answer(card().requestId(), "allow_once", Caller.USER);
        at(BANK);
        assertThat(letAt).containsExactly("https://shop.example");
        desk.answer(card().requestId(), "reject_once", Caller.USER);
        assertThat(McpCaller.text(read.get())).contains("[permission_denied]");
        assertThat(letAt).hasSize(1);
    }

    @Test
    @DisplayName("SEC-14 taking a tab and going somewhere in it are asked about where each happens")
    void takingATabIsNoPartOfGoingSomewhere() throws Exception {
        extension.on(
                "browser.tabs",
                request -> {
                    ObjectNode tabs = Json.object().put("action", "tabs");
                    tabs.putArray("tabs").addObject().put("id", 7).put("url", BANK + "/account");
                    extension.answer(request, tabs);
                });
        McpCaller program = new McpCaller(hub, hub.clientToken("Prog", "all", Caller.Mode.ACT));
        ObjectNode both = Json.object().put("tabId", 7).put("startUrl", "https://shop.example/");
        var taken = CompletableFuture.supplyAsync(() -> program.result("launch", both));
        at(BANK);
        assertThat(card().ask().what().names()).containsExactly("tab_nav:open");
        desk.answer(card().requestId(), "allow_once", Caller.USER);
        at("https://shop.example");
        assertThat(card().ask().what().names()).containsExactly("tab_nav:goto");
        desk.answer(card().requestId(), "reject_once", Caller.USER);
        assertThat(McpCaller.text(taken.get())).contains("[permission_denied]");
    }

    @Test
    @DisplayName(
            "SEC-5 what the page knows to be a secret is asked for by its own name, every time")
    void aSecretFieldIsAskedAboutInEveryMode() throws Exception {
        extension.on(
                "interact.type",
                request -> {
                    boolean granted =
                            request.path("granted").isMissingNode()
                                    || Json.texts(request, "granted").contains("tab_action:secret");
                    if (granted) {
                        extension.answer(
                                request, Json.object().put("timingMs", 1).put("value", "••••"));
                    } else {
                        ObjectNode details = Json.object().put("reason", "permission_denied");
                        details.put("needs", "tab_action:secret").put("dispatched", false);
                        extension.fail(request, "execution_failed", "a secret", details);
                    }
                });
        ObjectNode text = Json.object().put("ref", "r1").put("text", "opensesame");
        McpCaller trusted = new McpCaller(hub, hub.trustedToken("Everywhere"));
        for (int i = 0; i < 2; i++) {
            var typed = CompletableFuture.supplyAsync(() -> trusted.result("type", text));
            Card card = card();
            assertThat(card.ask().what().names()).containsExactly("tab_action:secret");
            assertThat(card.toJson().toString()).contains("sensitive").doesNotContain("opensesame");
            assertThat(card.ask().options()).noneMatch(one -> one.kind().equals("allow_always"));
            desk.answer(card.requestId(), "allow_once", Caller.USER);
            assertThat(typed.get().path("isError").asBoolean()).isFalse();
        }
        McpCaller user = new McpCaller(hub, hub.hubToken());
        assertThat(user.result("type", text).path("isError").asBoolean()).isFalse();
        assertThat(desk.open()).isEmpty();
    }

    @Test
    @DisplayName("SEC-13 an undecided frame is left out; a step in it asks there; then it is read")
    void aFramedBankIsAskedAboutByItsOwnName() throws Exception {
        McpCaller program = new McpCaller(hub, hub.clientToken("Prog", "all", Caller.Mode.ASK));
        var read = CompletableFuture.supplyAsync(() -> program.result("snapshot", Json.object()));
        Card site = card();
        assertThat(site.ask().where().origin()).isEqualTo("https://shop.example");
        desk.answer(site.requestId(), "allow_once", Caller.USER);
        assertThat(read.get().toString()).doesNotContain("4711", "leftOutOrigins");
        assertThat(last().isArray()).isTrue();
        assertThat(last().size()).isZero();
        assertThat(desk.open()).as("a read asks nobody about frames").isEmpty();

        ObjectNode ref = Json.object().put("ref", "f1r2");
        var pressed = CompletableFuture.supplyAsync(() -> program.result("click", ref));
        Card page = card();
        assertThat(page.ask().where().origin()).isEqualTo("https://shop.example");
        desk.answer(page.requestId(), "allow_once", Caller.USER);
        await().atMost(Duration.ofSeconds(10))
                .until(() ->
                        desk.open().stream()
                                .anyMatch(open -> open.ask().where().origin().equals(BANK)));
        Card bank = card();
        desk.answer(bank.requestId(), "reject_once", Caller.USER);
        assertThat(McpCaller.text(pressed.get())).contains("[permission_denied]");
        assertThat(last().size()).isZero();
    }

    @Test
    @DisplayName("SEC-13 the user's own programs and an allowed origin see every frame")
    void theUserSeesEveryFrame() throws Exception {
        McpCaller user = new McpCaller(hub, hub.hubToken());
        assertThat(user.result("snapshot", Json.object()).toString()).contains("4711");
        assertThat(last().isMissingNode()).isTrue();
        String token = hub.clientToken("Act", "all", Caller.Mode.ACT);
        McpCaller trusted = new McpCaller(hub, token);
        desk.rules().put(new PermissionRules.Wish("", "*", "*", true));
        assertThat(trusted.result("snapshot", Json.object()).toString()).contains("4711");
    }

    @Test
    @DisplayName("SEC-13 what needs no right of its own tells of tabs only what may be read there")
    void listsTellOfTabsWhatMayBeReadThere() throws Exception {
        for (String command : List.of("targets.list", "targets.use", "page.list")) {
            extension.on(command, request -> tell(request));
        }
        McpCaller program = new McpCaller(hub, hub.clientToken("Prog", "all", Caller.Mode.ASK));
        McpCaller user = new McpCaller(hub, hub.hubToken());
        ObjectNode target = Json.object().put("targetId", "tab-101");
        Map<String, ObjectNode> calls =
                Map.of("targets_list", Json.object(), "target_use", target, "list", Json.object());
        calls.forEach((tool, given) -> {
            assertThat(program.result(tool, given).toString())
                    .as(tool)
                    .doesNotContain("4711", "leftOutOrigins");
            assertThat(user.result(tool, given).toString()).as(tool).contains("4711");
        });
        assertThat(desk.open()).as("nobody is asked").isEmpty();
        desk.rules().put(new PermissionRules.Wish("", "tab_read:dom", BANK, true));
        McpCaller another = new McpCaller(hub, hub.clientToken("Other", "all", Caller.Mode.ASK));
        calls.forEach((tool, given) ->
                assertThat(another.result(tool, given).toString()).as(tool).contains("4711"));
    }

    /** A session with a tab at the bank, in the answer of whichever list. */
    private void tell(ObjectNode request) {
        boolean told = open(request);
        ObjectNode tab = Json.object().put("targetId", "tab-101").put("name", "mine");
        tab.put("type", "page").put("tabId", 101).put("url", BANK + "/");
        tab.put("title", told ? "balance 4711" : "");
        ObjectNode payload = tab.deepCopy().put("activeTargetId", "tab-101");
        payload.putArray("targets").add(tab);
        payload.putArray("pages").add(tab);
        if (!told) {
            payload.putArray("leftOutOrigins").add(BANK);
        }
        extension.answer(request, payload);
    }

    @Test
    @DisplayName("SEC-13 a program on /ops meets the same card for a step in a frame")
    void aRawProgramIsAskedAboutTheFrameToo() {
        String token = hub.clientToken("Raw", "all", Caller.Mode.ASK);
        try (OpsSocket ops = OpsSocket.greeted(HttpClient.newHttpClient(), hub.port(), token)) {
            ObjectNode session =
                    (ObjectNode) ops.call("1", "session.launch", Json.object()).get("payload");
            ObjectNode ref = Json.object().put("ref", "f1r2");
            ops.ask("2", "interact.click", session, ref);
            Card page = card();
            assertThat(page.ask().where().origin()).isEqualTo("https://shop.example");
            desk.answer(page.requestId(), "allow_once", Caller.USER);
            await().atMost(Duration.ofSeconds(10))
                    .until(() ->
                            desk.open().stream()
                                    .anyMatch(open -> open.ask().where().origin().equals(BANK)));
            desk.answer(card().requestId(), "allow_once", Caller.USER);
            ObjectNode pressed = ops.answer();
            assertThat(pressed.path("type").asString()).isEqualTo("ops_response");
            assertThat(pressed.path("requestId").asString()).isEqualTo("2");
            assertThat(last().toString()).contains(BANK);
            ops.ask("3", "nav.snapshot", session, Json.object());
            assertThat(ops.answer().path("payload").path("content").asString())
                    .as("an open frame is read the second time round")
                    .contains("4711");
        }
    }
}

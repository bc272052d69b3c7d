package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.Options;
import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Several programs, each with a token of its own, in one real browser of one real hub. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ManyClientsTest {
    private static final int CLIENTS = 3;
    private static final int CALLS = 100;
    private static final long SEED = Long.getLong("tandem.seed", 20261116);

    private final List<OpsProgram> programs = new ArrayList<>();
    private Hub hub;
    private OwnBrowser own;

    @BeforeAll
    void start() throws IOException {
        hub = Hub.start(Options.BrowserChoice.NONE);
        own = OwnBrowser.connect(hub);
    }

    @AfterAll
    void stop() throws IOException {
        own.close();
        hub.close();
    }

    @AfterEach
    void leave() {
        for (OpsProgram program : programs) {
            if (program.socket().wire().isOpen() && !program.id().isEmpty()) {
                program.ask("session.disconnect", program.session(), closeTabs());
            }
            program.close();
        }
        programs.clear();
    }

    private static ObjectNode closeTabs() {
        return Json.object().put("closeTabs", true);
    }

    private OpsProgram program() {
        OpsProgram program = new OpsProgram(hub, hub.clientToken("all", Caller.Mode.ACT));
        programs.add(program);
        return program;
    }

    private OpsProgram programAt(String url) {
        OpsProgram program = program();
        program.launch(Json.object().put("startUrl", url));
        return program;
    }

    private static String page(int client) {
        String html =
                """
                <!doctype html><title>Client %d</title><h1>Client %d</h1>
                <button onclick="n.textContent = Number(n.textContent) + 1">Add</button>
                <p role="status" id="n">0</p><label>Field <input id="f"></label>
                """
                        .formatted(client, client);
        return Pages.shared().put("/client-" + client, html);
    }

    // OPS-3, OPS-99, OPS-104, OPS-166, OPS-L1, OPS-L10 (sessions left after a client went)
    @Test
    @Order(1)
    void threeClientsThatDieAndComeBackDoNotDisturbEachOther() {
        List<CompletableFuture<Integer>> runs = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            for (int client = 0; client < CLIENTS; client++) {
                OpsProgram program = programAt(page(client));
                int number = client;
                runs.add(CompletableFuture.supplyAsync(() -> work(program, number), threads));
            }
            int deaths = runs.stream().mapToInt(CompletableFuture::join).sum();
            assertThat(deaths).as("seed %d", SEED).isGreaterThan(CLIENTS);
        }
    }

    /** A hundred calls in random order; the page must show exactly what this client did. */
    private static int work(OpsProgram program, int number) {
        Random random = new Random(SEED + number);
        String add = program.ref("button \"Add\"");
        String field = program.ref("textbox \"Field\"");
        String heading = program.ref("heading");
        int clicks = 0;
        int deaths = 0;
        for (int i = 0; i < CALLS; i++) {
            switch (random.nextInt(12)) {
                case 0 -> {
                    program.dieAndComeBack();
                    deaths++;
                }
                case 1, 2, 3 -> {
                    program.call("interact.click", Json.object().put("ref", add));
                    clicks++;
                }
                case 4, 5 -> {
                    String text = number + "-" + i;
                    ObjectNode typed = Json.object().put("ref", field).put("text", text);
                    JsonNode answer = program.call("interact.type", typed.put("clear", true));
                    assertThat(answer.path("value").asString()).isEqualTo(text);
                }
                case 6 ->
                        assertThat(program.call("session.status", Json.object()).path("title"))
                                .isEqualTo(Json.object().stringNode("Client " + number));
                case 7 ->
                        assertThat(
                                        program.call(
                                                        "dom.getText",
                                                        Json.object().put("ref", heading))
                                                .path("text")
                                                .asString())
                                .isEqualTo("Client " + number);
                case 8 -> {
                    JsonNode targets = program.call("targets.list", Json.object()).path("targets");
                    assertThat(targets.size()).isEqualTo(1);
                }
                default -> {
                    String seen = program.look();
                    assertThat(seen).contains("Client " + number, "text \"" + clicks + "\"");
                }
            }
        }
        return deaths;
    }

    // OPS-96 (a targetId is enough), OPS-97, OPS-98, OPS-100, OPS-118, OPS-L2, OPS-L5
    @Test
    @Order(2)
    void aSessionAndItsTabsBelongToOneClient() {
        OpsProgram owner = program();
        ObjectNode shared = Json.object().put("shareMode", "read").put("label", "the owner");
        owner.launch(shared.put("startUrl", page(7)));
        OpsProgram other = program();
        String ref = owner.ref("button \"Add\"");
        int tab = Integer.parseInt(owner.targetId().substring("tab-".length()));

        ObjectNode taken = other.refused("session.launch", Json.object().put("tabId", tab));
        assertThat(taken.path("code").asString()).isEqualTo("not_owner");
        assertThat(taken.path("details").path("reason").asString()).isEqualTo("tab_locked");
        assertThat(taken.toString()).contains("the owner");

        ObjectNode view = Json.object().put("opsSessionId", owner.id());
        ObjectNode join = Json.object().put("sessionId", owner.id()).put("shareMode", "read");
        assertThat(other.call("session.connect", join).path("leaseId").asString()).isEmpty();
        ObjectNode seen = other.ask("nav.snapshot", view, Json.object());
        assertThat(seen.path("payload").path("content").asString()).contains("Client 7");
        ObjectNode click = Json.object().put("ref", ref);
        assertThat(
                        other.refused("interact.click", view, click)
                                .path("details")
                                .path("reason")
                                .asString())
                .isEqualTo("read_only_share");
        ObjectNode stolen =
                view.deepCopy().put("leaseId", owner.session().path("leaseId").asString());
        assertThat(other.refused("interact.click", stolen, click).path("code").asString())
                .isEqualTo("not_owner");

        ObjectNode byTarget = Json.object().put("targetId", owner.targetId()).put("ref", ref);
        owner.call("interact.click", byTarget);
        assertThat(owner.look()).contains("text \"1\"");
    }

    // OPS-14: what can be repeated is, with the same answer and without a trace
    @Test
    @Order(3)
    void questionsCanBeAskedTwice() {
        OpsProgram program = programAt(page(8));
        ObjectNode add = Json.object().put("ref", program.ref("button \"Add\""));
        ObjectNode field = Json.object().put("ref", program.ref("textbox \"Field\""));
        String before = program.look();
        for (String command :
                List.of(
                        "session.status",
                        "targets.list",
                        "page.list",
                        "nav.snapshot",
                        "dom.getHtml",
                        "dom.getText",
                        "dom.isVisible",
                        "dom.isEnabled",
                        "dom.getValue")) {
            ObjectNode arguments =
                    command.equals("dom.getValue")
                            ? field
                            : command.startsWith("dom.") ? add : Json.object();
            ObjectNode first = program.call(command, arguments.deepCopy());
            ObjectNode second = program.call(command, arguments.deepCopy());
            for (ObjectNode answer : List.of(first, second)) {
                answer.remove(List.of("timingMs", "snapshotId"));
            }
            assertThat(second).as(command).isEqualTo(first);
        }
        assertThat(program.look()).isEqualTo(before);
    }

    // OPS-L3: the end of one session is nothing to the browser's line, nor to who is on it
    @Test
    @Order(3)
    void theEndOfASessionLeavesTheLineAlone() throws IOException {
        OpsProgram idle = program();
        OpsProgram one = programAt(page(8));
        long since = connectedAt();
        assertThat(since).isPositive();
        one.call("session.disconnect", closeTabs());
        idle.socket().wire().send(Json.object().put("type", "ops_ping").put("id", "still"));
        ObjectNode pong = idle.socket().answer();
        assertThat(pong.path("type").asString()).isEqualTo("ops_pong");
        assertThat(pong.path("id").asString()).isEqualTo("still");
        // what the browser says next comes by that line
        idle.launch(Json.object().put("startUrl", page(9)));
        assertThat(idle.look()).contains("Client 9");
        assertThat(connectedAt()).isEqualTo(since);
    }

    private long connectedAt() throws IOException {
        return hub.status().path("extensions").path(0).path("connectedAt").asLong();
    }

    // OPS-27 (the hub's set of owned tabs), OPS-105, OPS-145, OPS-159: what follows a closed tab
    @Test
    @Order(4)
    void aTabThatTheUserClosesEndsItsSessionOnly() throws IOException {
        OpsProgram other = programAt(page(1));
        OpsProgram program = programAt(page(2));
        assertThat(owned()).hasSize(2);
        own.chrome().close(own.chrome().awaitTarget("page", Pages.shared().url("/client-2")));
        JsonNode closed = program.socket().wire().next("ops_event");
        while (!closed.path("event").asString().equals("ops_tab_closed")) {
            closed = program.socket().wire().next("ops_event");
        }
        assertThat(closed.path("payload").path("targetId").asString())
                .isEqualTo(program.targetId());
        JsonNode ended = program.socket().wire().next("ops_event");
        assertThat(ended.path("event").asString()).isEqualTo("ops_session_closed");
        ObjectNode gone = program.refused("nav.snapshot", Json.object());
        assertThat(gone.path("code").asString()).isEqualTo("invalid_session");
        assertThat(owned()).hasSize(1);
        assertThat(other.look()).contains("Client 1");
        other.call("session.disconnect", closeTabs());
        assertThat(owned()).isEmpty();
    }

    private List<Integer> owned() throws IOException {
        List<Integer> tabs = new ArrayList<>();
        hub.status().path("opsOwnedTabIds").forEach(tab -> tabs.add(tab.asInt()));
        return tabs;
    }

    // OPS-L7, OPS-L10 (pop-ups): a window that a page opens belongs to its session at once
    @Test
    @Order(5)
    void aWindowThatAPageOpensIsUsedInTheNextCall() {
        String opener =
                Pages.shared()
                        .put(
                                "/opener",
                                "<!doctype html><title>Opener</title>"
                                        + "<button onclick=\"window.open('/client-3')\">Open</button>");
        page(3);
        OpsProgram program = programAt(opener);
        JsonNode clicked =
                program.call("interact.click", Json.object().put("ref", program.ref("\"Open\"")));
        String popup = clicked.path("newTargets").path(0).path("targetId").asString();
        program.call("nav.wait", Json.object().put("until", "load").put("targetId", popup));
        JsonNode seen = program.call("nav.snapshot", Json.object().put("targetId", popup));
        assertThat(seen.path("content").asString()).contains("Client 3");
        program.call("targets.close", Json.object().put("targetId", popup));
        assertThat(program.call("targets.list", Json.object()).path("targets").size()).isEqualTo(1);
    }

    // OPS-40, OPS-106, OPS-C7, OPS-L9, OPS-L10 (worker suspension): nobody has to do anything
    // ACP-9 (killed worker, no panel open): the link comes back before the next tool call
    @Test
    @Order(6)
    void aRestartedWorkerGoesOnForEveryClient() {
        List<OpsProgram> all = List.of(programAt(page(1)), programAt(page(2)), programAt(page(3)));
        List<String> refs = all.stream().map(program -> program.ref("button \"Add\"")).toList();
        own.chrome().restartWorker();
        for (int i = 0; i < all.size(); i++) {
            OpsProgram program = all.get(i);
            program.call("interact.click", Json.object().put("ref", refs.get(i)));
            assertThat(program.look()).contains("Client " + (i + 1), "text \"1\"");
        }
    }

    // OPS-12, OPS-168, OPS-L10 (wrong relay instance): a new hub starts clean
    @Test
    @Order(7)
    void afterARestartOfTheHubClientsLaunchAgainAndTabsAreFree() throws IOException {
        String token = hub.clientToken("all", Caller.Mode.ACT);
        OpsProgram before = new OpsProgram(hub, token);
        before.launch(Json.object().put("startUrl", page(4)));
        int port = hub.port();
        Path state = hub.stateDir();
        hub.close();
        assertThat(before.socket().wire().closed()).isNotEmpty();
        hub = Hub.start(Options.BrowserChoice.NONE, port, state);
        hub.awaitBrowsers(1);

        OpsProgram after = new OpsProgram(hub, token);
        programs.add(after);
        ObjectNode gone = after.refused("nav.snapshot", before.session(), Json.object());
        assertThat(gone.path("code").asString()).isEqualTo("invalid_session");
        int tab = Integer.parseInt(before.targetId().substring("tab-".length()));
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> after.launch(Json.object().put("tabId", tab)));
        assertThat(after.look()).contains("Client 4");
    }
}

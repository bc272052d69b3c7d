package dev.tandem.hub.permission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.Gate;
import dev.tandem.hub.browser.OpsClient;
import dev.tandem.hub.browser.PageElement;
import dev.tandem.hub.browser.Place;
import dev.tandem.hub.browser.Watch;
import dev.tandem.hub.store.Database;
import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Every door × every tool × every mode × session or program: one gate, one answer. */
class GateMatrixTest {
    private static final String SITE = "https://bank.test";

    private Database database;
    private DeskFixture fixture;
    private PermissionGate gate;
    private int callers;

    private enum Verdict {
        RUNS,
        ASKS,
        REFUSED
    }

    @BeforeEach
    void open(@TempDir Path folder) {
        database = Database.open("", folder.resolve("t.db"));
        fixture = new DeskFixture(database);
        gate =
                new PermissionGate(
                        fixture.desk,
                        id ->
                                Optional.of(
                                        new Ask.Who(
                                                "mcp",
                                                id,
                                                "Agent",
                                                "default",
                                                Caller.Mode.of(id.substring(id.indexOf(' ') + 1))
                                                        .orElseThrow(),
                                                "")),
                        Duration.ofMillis(1));
    }

    @AfterEach
    void close() {
        fixture.close();
        database.close();
    }

    private static ObjectNode arguments(Tool tool) {
        ObjectNode given = Json.object();
        for (String name : tool.arguments().required()) {
            JsonNode schema = tool.input().path("properties").path(name);
            switch (schema.path("type").asString("")) {
                case "number", "integer" -> given.put(name, 1);
                case "array" -> {
                    var list = given.putArray(name);
                    if (name.equals("steps")) {
                        list.addObject().put("action", "snapshot");
                    } else {
                        list.add("x");
                    }
                }
                default ->
                        given.put(
                                name,
                                schema.has("enum")
                                        ? schema.path("enum").path(0).asString()
                                        : name.equals("url") ? SITE + "/x" : "r1");
            }
        }
        return given;
    }

    private Verdict verdict(OpsClient.Door door, TokenKind kind, Tool tool, Caller.Mode mode)
            throws Exception {
        String id = "c" + callers++ + " " + mode.word();
        Optional<String> session = kind == TokenKind.SESSION ? Optional.of(id) : Optional.empty();
        Caller caller = new Caller(kind, id, "x", "all", mode, session);
        ObjectNode given = arguments(tool);
        OpsClient client = OpsClient.inHub(caller, door);
        Gate.Request request =
                new Gate.Request(
                        client,
                        tool,
                        given,
                        Catalogue.load().permissions(tool, given),
                        Optional.empty(),
                        () -> new Place("tab1", SITE + "/page"),
                        () -> new PageElement("button", "Send"),
                        Watch.nobody());
        String key = kind == TokenKind.SESSION ? id : client.key();
        CompletableFuture<Verdict> done = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                gate.check(request);
                done.complete(Verdict.RUNS);
            } catch (TandemException e) {
                done.complete(Verdict.REFUSED);
            }
        });
        while (!done.isDone() && fixture.desk.open(key).isEmpty()) {
            Thread.onSpinWait();
        }
        if (fixture.desk.open(key).isEmpty()) {
            return done.get(10, TimeUnit.SECONDS);
        }
        fixture.desk.answer(
                fixture.desk.open(key).getFirst().requestId(), "reject_once", Caller.USER);
        assertThat(done.get(10, TimeUnit.SECONDS)).isEqualTo(Verdict.REFUSED);
        return Verdict.ASKS;
    }

    /*
     * What each tool is, written down from TRUST and the contracts and not asked of the code: a
     * tool that is in none of these lists fails the test, and so does one that changes its list.
     */

    /** About the caller's own sessions, or asking a person by itself. */
    private static final Set<String> HARMLESS =
            Set.of(
                    "annotate",
                    "list",
                    "prompting_guide",
                    "skill_list",
                    "skill_load",
                    "status",
                    "targets_list");

    /** The same, but they change something of the caller's own; steps of a run ask themselves. */
    private static final Set<String> HARMLESS_WRITES = Set.of("disconnect", "run", "target_use");

    private static final Set<String> READS =
            Set.of(
                    "browser_read",
                    "browser_tabs",
                    "clone_component",
                    "clone_page",
                    "console_poll",
                    "dom_get_html",
                    "dom_get_text",
                    "get_attr",
                    "get_value",
                    "is_checked",
                    "is_enabled",
                    "is_visible",
                    "network_poll",
                    "perf",
                    "review",
                    "screenshot",
                    "snapshot",
                    "wait");

    private static final Set<String> ACTS =
            Set.of(
                    "check",
                    "click",
                    "close",
                    "connect",
                    "dialog",
                    "goto",
                    "hover",
                    "launch",
                    "page",
                    "pointer_down",
                    "pointer_drag",
                    "pointer_move",
                    "pointer_up",
                    "press",
                    "scroll",
                    "scroll_into_view",
                    "select",
                    "target_close",
                    "target_new",
                    "type",
                    "uncheck");

    /** SEC-5: before the mode is looked at. */
    private static final Set<String> SENSITIVE = Set.of("browser_execute", "upload");

    /** A site that nobody named or allowed yet, so that act mode asks as well. */
    private static Verdict expected(TokenKind kind, String tool, Caller.Mode mode) {
        boolean readOnly = mode == Caller.Mode.READ_ONLY;
        boolean program = kind == TokenKind.CLIENT;
        if (HARMLESS.contains(tool)) {
            return Verdict.RUNS;
        }
        if (HARMLESS_WRITES.contains(tool)) {
            return readOnly && program ? Verdict.REFUSED : Verdict.RUNS;
        }
        if (READS.contains(tool)) {
            return Verdict.ASKS;
        }
        if (SENSITIVE.contains(tool)) {
            return readOnly && program ? Verdict.REFUSED : Verdict.ASKS;
        }
        assertThat(ACTS).as("a tool that no list of this test has").contains(tool);
        return readOnly ? Verdict.REFUSED : Verdict.ASKS;
    }

    @Test
    @DisplayName("SEC-6, SEC-5 door × tool × mode × kind of caller")
    void everyExecutorStandsBehindTheSameGate() throws Exception {
        Map<String, String> wrong = new TreeMap<>();
        int looked = 0;
        int asked = 0;
        for (OpsClient.Door door : OpsClient.Door.values()) {
            for (TokenKind kind : new TokenKind[] {TokenKind.SESSION, TokenKind.CLIENT}) {
                for (Tool tool : Catalogue.load().tools()) {
                    for (Caller.Mode mode : Caller.Mode.values()) {
                        Verdict found = verdict(door, kind, tool, mode);
                        Verdict wanted = expected(kind, tool.name(), mode);
                        looked++;
                        asked += found == Verdict.ASKS ? 1 : 0;
                        if (found != wanted) {
                            wrong.put(
                                    door + " " + kind + " " + tool.name() + " " + mode,
                                    found + " instead of " + wanted);
                        }
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(OpsClient.Door.values())
                .extracting(OpsClient.Door::word)
                .containsExactly("ops", "mcp", "cli", "command");
        assertThat(Caller.Mode.values())
                .extracting(Caller.Mode::word)
                .containsExactlyInAnyOrder("read-only", "ask", "act");
        assertThat(looked).isGreaterThan(1000);
        assertThat(asked).isGreaterThan(200);
    }

    @Test
    @DisplayName("SEC-6 the user is never asked, a browser's or no token runs nothing")
    void otherTokens() {
        Tool click = Catalogue.load().byName("click").orElseThrow();
        for (OpsClient.Door door : OpsClient.Door.values()) {
            for (TokenKind kind : TokenKind.values()) {
                if (kind == TokenKind.SESSION || kind == TokenKind.CLIENT) {
                    continue;
                }
                Caller caller =
                        new Caller(kind, "k", "k", "all", Caller.Mode.ACT, Optional.empty());
                Gate.Request request =
                        new Gate.Request(
                                OpsClient.inHub(caller, door),
                                click,
                                arguments(click),
                                Catalogue.load().permissions(click, arguments(click)),
                                Optional.empty(),
                                () -> new Place("tab1", SITE),
                                () -> new PageElement("button", "Send"),
                                Watch.nobody());
                Verdict verdict;
                try {
                    gate.check(request);
                    verdict = Verdict.RUNS;
                } catch (TandemException e) {
                    verdict = Verdict.REFUSED;
                }
                assertThat(verdict)
                        .as(door + " " + kind)
                        .isEqualTo(kind == TokenKind.HUB ? Verdict.RUNS : Verdict.REFUSED);
            }
        }
        assertThat(fixture.desk.open()).isEmpty();
    }
}

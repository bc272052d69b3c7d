package dev.tandem.hub.permission;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.store.Database;
import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Permissions;
import dev.tandem.protocol.TandemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

class PermissionDeskTest {
    private static final Caller.Mode ASK = Caller.Mode.ASK;
    private static final Caller.Mode ACT = Caller.Mode.ACT;
    private static final String SITE = DeskFixture.SITE;

    private Database database;
    private DeskFixture fixture;
    private PermissionDesk desk;

    @BeforeEach
    void open(@TempDir Path folder) {
        database = Database.open("", folder.resolve("t.db"));
        fixture = new DeskFixture(database);
        desk = fixture.desk;
    }

    @AfterEach
    void close() {
        fixture.close();
        database.close();
    }

    @Test
    @DisplayName("PLG-87 PLG-88 once is for one call; nothing stays")
    void onceLeavesNoRule() throws Exception {
        CompletableFuture<Outcome> first = desk.ask(fixture.click(ASK, "r1")).outcome();
        fixture.answer("allow_once");
        assertThat(first.get(5, TimeUnit.SECONDS).allowed()).isTrue();
        assertThat(fixture.asks(fixture.click(ASK, "r1"))).isTrue();
        fixture.answer("deny_once");
        assertThat(fixture.rules.list("default")).isEmpty();
    }

    @Test
    @DisplayName("PLG-89 PLG-90 PLG-91 always stores one exact rule per name and origin")
    void alwaysIsARule() throws Exception {
        desk.ask(fixture.click(ASK, "r1"));
        fixture.answer("allow_always");
        assertThat(fixture.rules.list("default"))
                .singleElement()
                .satisfies(rule -> {
                    assertThat(rule.tool()).isEqualTo("tab_action:click");
                    assertThat(rule.origin()).isEqualTo(SITE);
                });
        assertThat(fixture.now(fixture.click(ASK, "r2")).by()).isEqualTo("rule");
        Ask elsewhere =
                fixture.browser(ASK, "click", Json.object().put("ref", "r1"), "https://b.example");
        assertThat(fixture.asks(elsewhere)).isTrue();
        fixture.answer("reject_always");
        desk.turnStarted("s1", List.of());
        fixture.time.pass(Duration.ofMinutes(11));
        assertThat(fixture.now(elsewhere).kind()).isEqualTo(Outcome.Kind.REFUSED);
    }

    @Test
    @DisplayName("PLG-94 a rule for a site and all below it, never for what stands beside it")
    void alwaysWithSubdomains() throws Exception {
        Ask asked = clickAt("https://www.mall.example");
        assertThat(fixture.asks(asked)).isTrue();
        fixture.answer("allow_domain");
        assertThat(fixture.rules.list("default"))
                .extracting(Rule::origin)
                .containsExactly("https://*.mall.example");
        assertThat(fixture.now(clickAt("https://cart.mall.example")).by()).isEqualTo("rule");
        assertThat(fixture.asks(clickAt("https://mall.example.evil.example"))).isTrue();
        fixture.answer("allow_once");
        assertThat(fixture.asks(clickAt("http://cart.mall.example"))).isTrue();
        fixture.answer("allow_once");
        assertThat(Patterns.domainOf("http://127.0.0.1:8080")).isEmpty();
        assertThat(Patterns.domainOf("http://localhost")).isEmpty();
        assertThat(Patterns.domainOf("")).isEmpty();
    }

    private Ask clickAt(String origin) {
        return fixture.browser(ASK, "click", Json.object().put("ref", "r1"), origin);
    }

    @Test
    @DisplayName("SEC-5 neither a rule for everything nor act mode covers a sensitive name")
    void sensitiveNamesAlwaysAsk() throws Exception {
        fixture.rules.put(new PermissionRules.Wish("default", "*", "*", true));
        fixture.rules.put(new PermissionRules.Wish("default", "tab_script:run", "*", true));
        desk.turnStarted("s1", List.of(SITE));
        for (Caller.Mode mode : List.of(ASK, ACT)) {
            ObjectNode script = Json.object().put("tabId", 1).put("script", "1+" + mode);
            Ask ask = fixture.browser(mode, "browser_execute", script, SITE);
            assertThat(Names.sensitive(ask.what().names())).isTrue();
            assertThat(ask.options())
                    .extracting(Ask.Option::optionId)
                    .containsExactly("allow_once", "reject_once", "reject_always");
            assertThat(fixture.asks(ask)).isTrue();
            fixture.answer("allow_once");
            assertThat(fixture.now(fixture.click(mode, "r1")).allowed()).isTrue();
        }
    }

    /** Written down from TRUST, and not asked of the code. */
    private static final Set<String> SENSITIVE =
            Set.of(
                    "tab_action:secret",
                    "tab_action:upload",
                    "tab_action:download",
                    "tab_action:payment",
                    "tab_data:cookies",
                    "tab_data:storage",
                    "tab_clipboard:read",
                    "tab_clipboard:write",
                    "tab_script:run",
                    "tab_cdp:raw");

    private static Ask asking(String name, Caller.Mode mode, int number) {
        Ask.What what =
                new Ask.What(Ask.Source.BROWSER, "x", Set.of(name), "X", "", name + mode + number);
        Ask.Where where = new Ask.Where(SITE, SITE + "/page", "tab1", "doc1");
        return new Ask(DeskFixture.who(mode), what, where, Options.of(what.names(), SITE));
    }

    // SEC-5: each of them by itself, under every rule and mode that lets all others through
    @Test
    @DisplayName("SEC-5 exactly the names of the list ask under every allow rule and mode")
    void everyNameIsSensitiveOrNot() throws Exception {
        assertThat(Permissions.all().keySet()).containsAll(SENSITIVE);
        for (String name : Permissions.all().keySet()) {
            for (String rule : List.of("*", name)) {
                for (String where : List.of("*", SITE)) {
                    fixture.rules.put(new PermissionRules.Wish("default", rule, where, true));
                }
                desk.turnStarted("s1", List.of(SITE));
                for (Caller.Mode mode : List.of(ASK, ACT)) {
                    Ask ask = asking(name, mode, rule.length());
                    if (!SENSITIVE.contains(name)) {
                        assertThat(fixture.now(ask).allowed()).as(name).isTrue();
                        continue;
                    }
                    assertThat(ask.options())
                            .as(name)
                            .extracting(Ask.Option::optionId)
                            .containsExactly("allow_once", "reject_once", "reject_always");
                    assertThat(fixture.asks(ask)).as("%s %s %s", name, rule, mode).isTrue();
                    fixture.answer("allow_once");
                }
            }
            fixture.rules.put(new PermissionRules.Wish("default", name, SITE, false));
            for (Caller.Mode mode : List.of(ASK, ACT)) {
                assertThat(fixture.now(asking(name, mode, 0)).kind())
                        .as("%s is refused without a card", name)
                        .isEqualTo(Outcome.Kind.REFUSED);
            }
        }
    }

    @Test
    @DisplayName("Every tool has a permission name or a reason for having none")
    void everyToolHasAName() {
        Catalogue.load()
                .tools()
                .forEach(tool ->
                        assertThat(
                                        tool.permission().names().isEmpty()
                                                && tool.permission().reason().isBlank())
                                .as(tool.name())
                                .isFalse());
    }

    @Test
    @DisplayName("SEC-4 read-only refuses what writes, and reads after the site was allowed")
    void readOnlyNeverWrites() throws Exception {
        Caller.Mode mode = Caller.Mode.READ_ONLY;
        assertThat(fixture.now(fixture.click(mode, "r1")).kind()).isEqualTo(Outcome.Kind.REFUSED);
        for (String name : List.of("file:write", "bash:git status")) {
            Outcome outcome = fixture.now(Asks.access(DeskFixture.who(mode), name, "x"));
            assertThat(outcome.kind()).isEqualTo(Outcome.Kind.REFUSED);
        }
        assertThat(fixture.asks(fixture.snapshot(mode, SITE))).isTrue();
        fixture.answer("allow_once");
        assertThat(fixture.now(fixture.snapshot(mode, SITE)).allowed()).isTrue();
    }

    @Test
    @DisplayName("SEC-17 a card tells reading a file from writing it and from running a command")
    void accessIsNamed() {
        assertThat(List.of("file:read", "file:write", "bash:git status"))
                .extracting(name -> Asks.access(DeskFixture.who(ASK), name, "x").what().title())
                .containsExactly("Read a file", "Write a file", "Run a command");
    }

    @Test
    @DisplayName("Twenty routine steps on one site show at most two cards")
    void routineIsQuiet() throws Exception {
        int cards = 0;
        for (int i = 0; i < 20; i++) {
            Ask ask = i % 2 == 0 ? fixture.snapshot(ASK, SITE) : fixture.click(ASK, "r" + i);
            if (fixture.asks(ask)) {
                cards++;
                fixture.answer("allow_session");
            }
        }
        assertThat(cards).isEqualTo(2);
    }

    @Test
    @DisplayName("ACP-53 first answer wins, the others are told; agents cannot answer")
    void firstAnswerWins() throws Exception {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        desk.watch(
                new PermissionDesk.Watcher() {
                    @Override
                    public void onCard(Card card) {
                        told.add("card");
                    }

                    @Override
                    public void onResolved(Card card, Outcome outcome) {
                        told.add("resolved " + outcome.optionId());
                    }
                });
        PermissionDesk.Asked asked = desk.ask(fixture.click(ASK, "r1"));
        Caller agent = new Caller(TokenKind.SESSION, "s1", "a", "core", ACT, Optional.of("s1"));
        Caller program = new Caller(TokenKind.CLIENT, "c1", "c", "all", ACT, Optional.empty());
        for (Caller other : List.of(agent, program, Caller.NOBODY)) {
            assertThatThrownBy(() -> desk.answer(asked.requestId(), "allow_once", other))
                    .hasMessageContaining("Only the user");
        }
        assertThatThrownBy(() -> desk.answer(asked.requestId(), "invented", Caller.USER))
                .hasMessageContaining("no option");
        desk.answer(asked.requestId(), "allow_once", Caller.USER);
        assertThatThrownBy(() -> desk.answer(asked.requestId(), "reject_once", Caller.USER))
                .isInstanceOfSatisfying(
                        TandemException.class,
                        e -> assertThat(e.reason()).contains("already_resolved"));
        await().until(() -> told.equals(List.of("card", "resolved allow_once")));
    }

    @Test
    @DisplayName("SEC-25 one card at a time, equal requests stay refused, three refusals pause")
    void nobodyTiresTheUser() throws Exception {
        List<String> paused = Collections.synchronizedList(new ArrayList<>());
        desk.watch(
                new PermissionDesk.Watcher() {
                    @Override
                    public void onCard(Card card) {}

                    @Override
                    public void onResolved(Card card, Outcome outcome) {}

                    @Override
                    public void onPause(String key) {
                        paused.add(key);
                    }
                });
        List<CompletableFuture<Outcome>> asks = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            asks.add(desk.ask(fixture.click(ASK, "r" + i)).outcome());
            assertThat(desk.open("s1")).hasSize(1);
        }
        fixture.answer("reject_once");
        assertThat(fixture.desk.ask(fixture.click(ASK, "r0")).outcome().get().by())
                .isEqualTo("refused_before");
        fixture.answer("reject_once");
        fixture.answer("reject_once");
        for (CompletableFuture<Outcome> ask : asks) {
            assertThat(ask.get(5, TimeUnit.SECONDS).kind()).isEqualTo(Outcome.Kind.REFUSED);
        }
        await().until(() -> paused.equals(List.of("s1")));
        desk.turnStarted("s1", List.of());
        assertThat(fixture.now(fixture.click(ASK, "r1")).by()).isEqualTo("refused_before");
        fixture.time.pass(Duration.ofMinutes(11));
        assertThat(fixture.asks(fixture.click(ASK, "r1"))).isTrue();
    }

    @Test
    @DisplayName("SEC-25 32 wait behind the open card; more are turned down and none below is lost")
    void theLineHasAnEnd() throws Exception {
        List<CompletableFuture<Outcome>> asks = new ArrayList<>();
        for (int i = 0; i < 33; i++) {
            asks.add(desk.ask(fixture.click(ASK, "r" + i)).outcome());
        }
        CompletableFuture<Outcome> more = desk.ask(fixture.click(ASK, "r33")).outcome();
        assertThatThrownBy(() -> more.get(5, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(TandemException.class)
                .hasMessageContaining("32 questions wait already");
        assertThat(desk.ask(fixture.click(ASK, "r7")).outcome())
                .as("one that waits is no new one")
                .isNotDone();
        for (int i = 0; i < 33; i++) {
            assertThat(asks.get(i)).isNotDone();
            fixture.answer("allow_once");
            assertThat(asks.get(i).get(5, TimeUnit.SECONDS).allowed()).isTrue();
        }
        assertThat(fixture.asks(fixture.click(ASK, "r33"))).as("there is room again").isTrue();
    }

    @Test
    @DisplayName("SEC-25 only a card that is put away with the turn is not a refusal")
    void aStopIsNoRefusal() throws Exception {
        desk.ask("a", fixture.click(ASK, "r1"));
        desk.dismiss("a", Caller.USER);
        fixture.time.pass(Duration.ofSeconds(5));
        desk.ask("b", fixture.click(ASK, "r2"));
        desk.answer("b", "reject_once", Caller.USER);
        desk.ask("c", fixture.click(ASK, "r3"));
        desk.dismiss("c", Caller.USER);
        desk.stopped("s1");
        desk.turnStarted("s1", List.of());
        assertThat(fixture.now(fixture.click(ASK, "r1")).by()).isEqualTo("refused_before");
        assertThat(fixture.now(fixture.click(ASK, "r2")).by()).isEqualTo("refused_before");
        assertThat(fixture.asks(fixture.click(ASK, "r3"))).isTrue();
    }

    @Test
    @DisplayName("ACP-94 a cancelled turn answers every pending request cancelled")
    void cancelAnswersAll() throws Exception {
        CompletableFuture<Outcome> open = desk.ask(fixture.click(ASK, "r1")).outcome();
        CompletableFuture<Outcome> behind = desk.ask(fixture.click(ASK, "r2")).outcome();
        desk.cancelAll("s1");
        assertThat(open.get(5, TimeUnit.SECONDS).kind()).isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(behind.get(5, TimeUnit.SECONDS).kind()).isEqualTo(Outcome.Kind.CANCELLED);
        assertThat(desk.open()).isEmpty();
    }

    @Test
    @DisplayName("SETTLED-4 a card that nobody answers ends as a timeout, not as a refusal")
    void timeoutIsItsOwnOutcome() throws Exception {
        try (DeskFixture quick = new DeskFixture(database, Duration.ofMillis(30))) {
            Outcome outcome =
                    quick.desk.ask(quick.click(ASK, "r1")).outcome().get(10, TimeUnit.SECONDS);
            assertThat(outcome.kind()).isEqualTo(Outcome.Kind.TIMED_OUT);
            assertThat(quick.desk.open()).isEmpty();
            assertThat(quick.asks(quick.snapshot(ASK, "https://c.example"))).isTrue();
        }
    }

    @Test
    @DisplayName("SETTLED-4 a yes that comes after the caller left is kept for the same call, once")
    void aLateYesWaits() throws Exception {
        PermissionDesk.Asked asked = desk.ask(fixture.click(ASK, "r1"));
        desk.leave(asked);
        fixture.answer("allow_once");
        assertThat(fixture.now(fixture.click(ASK, "r1")).by()).isEqualTo("grant");
        assertThat(fixture.asks(fixture.click(ASK, "r1"))).isTrue();
        desk.cancelAll("s1");

        PermissionDesk.Asked again = desk.ask(fixture.click(ASK, "r1"));
        desk.leave(again);
        PermissionDesk.Asked retry = desk.ask(fixture.click(ASK, "r1"));
        assertThat(retry.requestId()).isEqualTo(again.requestId());
        fixture.answer("allow_once");
        assertThat(retry.outcome().get(5, TimeUnit.SECONDS).allowed()).isTrue();
    }

    @Test
    @DisplayName("SEC-8 an agent's words neither name the card nor widen the grant")
    void anAgentsWordsAreOnlyQuoted() throws Exception {
        ObjectNode call = Json.object().put("toolCallId", "t1").put("name", "mcp__browser__click");
        call.put("title", "Harm\u202eless” “\u200b\u0007" + "x".repeat(200));
        call.putObject("rawInput").put("ref", "r1");
        Asks.Places places = (key, tool, args) -> new Ask.Where(SITE, SITE, "tab1", "doc1");
        var lying = Json.array();
        lying.addObject().put("optionId", "a").put("kind", "allow_once").put("name", "Reject");
        lying.addObject().put("optionId", "b").put("kind", "reject_once").put("name", "Allow");
        Ask ask = Asks.agent(DeskFixture.who(ASK), call, lying, places);
        assertThat(ask.what().tool()).isEqualTo("click");
        assertThat(ask.what().names()).containsExactly("tab_action:click");
        assertThat(ask.options())
                .extracting(Ask.Option::name)
                .containsExactly("Allow once", "Reject");
        assertThat(ask.what().title()).doesNotContain("\u202e", "\u200b", "\u0007").endsWith("…”");
        assertThat(ask.what().title().chars().filter(c -> c == '”')).hasSize(1);
        assertThat(ask.what().title().length()).isLessThan(100);

        desk.ask(ask);
        fixture.answer("a");
        Ask other = fixture.click(ASK, "r2");
        assertThat(fixture.asks(other)).isTrue();
        desk.withdraw(desk.open().getFirst().requestId());
        assertThat(fixture.now(fixture.click(ASK, "r1")).by()).isEqualTo("grant");

        desk.ask(ask);
        fixture.answer("a");
        fixture.time.pass(Duration.ofSeconds(61));
        assertThat(fixture.asks(fixture.click(ASK, "r1"))).isTrue();
    }

    @Test
    void withoutABrowserTheQuestionIsAskedAndItsYesFitsNoCall() throws Exception {
        ObjectNode call = Json.object().put("toolCallId", "t1").put("name", "mcp__browser__click");
        call.putObject("rawInput").put("ref", "r1");
        Asks.Places gone =
                (key, tool, args) -> {
                    throw TandemException.of(ErrorCode.OPS_UNAVAILABLE);
                };
        var options = DeskFixture.options("allow_once", "reject_once");
        Ask ask = Asks.agent(DeskFixture.who(ASK), call, options, gone);
        assertThat(ask.where()).isEqualTo(Ask.Where.NOWHERE);
        desk.ask(ask);
        fixture.answer("o-allow_once");
        assertThat(fixture.asks(fixture.click(ASK, "r1"))).isTrue();
    }

    @Test
    void aCallWithArgumentsThatAreNotOursIsTheAgentsOwn() {
        ObjectNode call = Json.object().put("toolCallId", "t1").put("name", "mcp__browser__click");
        call.putObject("rawInput").put("selector", "#pay");
        assertThat(Asks.ours(call)).isEmpty();
        ((ObjectNode) call.get("rawInput")).removeAll().put("ref", "r1");
        assertThat(Asks.ours(call)).isPresent();
    }

    @Test
    void whatWaitsBehindACardCanBeWithdrawnToo() throws Exception {
        desk.ask(fixture.click(ASK, "r1"));
        PermissionDesk.Asked behind = desk.ask(fixture.click(ASK, "r2"));
        desk.withdraw(behind.requestId());
        assertThat(behind.outcome().get(5, TimeUnit.SECONDS).kind())
                .isEqualTo(Outcome.Kind.CANCELLED);
        fixture.answer("allow_once");
        assertThat(desk.open()).as("nobody is asked about it any more").isEmpty();
    }

    @Test
    void aWatcherThatFailsDisturbsNobody() {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        for (boolean fails : new boolean[] {true, false}) {
            desk.watch(
                    new PermissionDesk.Watcher() {
                        @Override
                        public void onCard(Card card) {
                            if (fails) {
                                throw new IllegalStateException("not me");
                            }
                            seen.add(card.requestId());
                        }

                        @Override
                        public void onResolved(Card card, Outcome outcome) {}
                    });
        }
        String id = desk.ask(fixture.click(ASK, "r1")).requestId();
        await().until(() -> seen.equals(List.of(id)));
    }

    @Test
    void aYesToGoSomewhereHoldsForTheTabThatIsOpenedForIt() throws Exception {
        ObjectNode goal = Json.object().put("url", SITE + "/page");
        ObjectNode call = Json.object().put("toolCallId", "t1").put("name", "mcp__browser__goto");
        call.set("rawInput", goal);
        Ask announced =
                Asks.agent(
                        DeskFixture.who(ASK),
                        call,
                        DeskFixture.options("allow_once", "reject_once"),
                        (key, tool, args) -> new Ask.Where(SITE, SITE + "/page", "", ""));
        Ask meant = fixture.browser(ASK, "goto", goal, SITE);
        Ask blank =
                new Ask(
                        meant.who(),
                        meant.what(),
                        new Ask.Where(SITE, SITE + "/page", "tab7", "about:blank"),
                        meant.options());
        desk.ask(announced);
        fixture.answer("o-allow_once");
        assertThat(fixture.asks(meant)).as("from another page it is another call").isTrue();
        desk.withdraw(desk.open().getFirst().requestId());
        assertThat(fixture.now(blank).by()).isEqualTo("grant");
        assertThat(fixture.asks(blank)).as("once").isTrue();
    }

    @Test
    @DisplayName("SEC-14 act works inside the origins the user named, and asks elsewhere")
    void actHasAFence() throws Exception {
        String other = "https://evil.example";
        ObjectNode leak = Json.object().put("url", other + "/?stolen=1");
        desk.turnStarted("s1", List.of(SITE + "/start"));
        assertThat(fixture.now(fixture.click(ACT, "r1")).allowed()).isTrue();
        assertThat(fixture.now(fixture.snapshot(ACT, SITE)).allowed()).isTrue();
        assertThat(fixture.asks(fixture.browser(ACT, "goto", leak, other))).isTrue();
        assertThat(desk.open().getFirst().ask().where().url()).startsWith(other + "/");
        fixture.answer("reject_once");
        assertThat(fixture.asks(fixture.snapshot(ACT, other))).as("a redirect led there").isTrue();
        fixture.answer("allow_once");
        ObjectNode nowhere = Json.object().put("url", "weird:evil");
        assertThat(fixture.asks(fixture.browser(ACT, "goto", nowhere, "")))
                .as("an address without an origin")
                .isTrue();
    }

    @Test
    @DisplayName("SEC-14 what was read at one site goes to another only after a yes for the pair")
    void dataCrossesOnlyWithAYes() throws Exception {
        String other = "https://evil.example";
        String third = "https://third.example";
        desk.turnStarted("s1", List.of(SITE + "/start", other + "/x", third));
        ObjectNode leak = Json.object().put("url", other + "/?stolen=1");
        ObjectNode words = Json.object().put("ref", "r1").put("text", "stolen");
        assertThat(fixture.now(fixture.browser(ACT, "goto", leak, other)).allowed())
                .as("nothing was read yet")
                .isTrue();
        assertThat(fixture.now(fixture.snapshot(ACT, SITE)).allowed()).isTrue();
        ObjectNode reply = Json.object().put("action", "accept").put("promptText", "stolen");
        assertThat(fixture.asks(fixture.browser(ACT, "dialog", reply, other))).isTrue();
        fixture.answer("reject_once");
        assertThat(fixture.asks(fixture.browser(ACT, "type", words, other))).isTrue();
        fixture.answer("allow_once");
        assertThat(fixture.now(fixture.browser(ACT, "goto", leak, other)).allowed())
                .as("once per pair")
                .isTrue();
        assertThat(fixture.now(fixture.browser(ACT, "type", words, SITE)).allowed())
                .as("at home it is no secret")
                .isTrue();
        assertThat(fixture.now(fixture.snapshot(ACT, third)).allowed()).isTrue();
        assertThat(fixture.asks(fixture.browser(ACT, "goto", leak, other)))
                .as("another source, another question")
                .isTrue();
    }

    @Test
    @DisplayName("SEC-14 a yes to read a site is no yes to send it what was read elsewhere")
    void readingIsNotSending() throws Exception {
        String other = "https://evil.example";
        desk.turnStarted("s1", List.of(SITE));
        assertThat(fixture.now(fixture.snapshot(ACT, SITE)).allowed()).isTrue();
        assertThat(fixture.asks(fixture.snapshot(ACT, other))).isTrue();
        fixture.answer("allow_once");
        ObjectNode leak = Json.object().put("url", other + "/?stolen=1");
        assertThat(fixture.asks(fixture.browser(ACT, "goto", leak, other))).isTrue();
        fixture.answer("reject_once");

        desk.forget("s1");
        desk.turnStarted("s1", List.of(other));
        Ask tabs = fixture.browser(ACT, "browser_tabs", Json.object(), "");
        assertThat(fixture.now(tabs).allowed()).isTrue();
        ObjectNode list = Json.object().put("url", other + "/?tabs=all");
        assertThat(fixture.asks(fixture.browser(ACT, "goto", list, other)))
                .as("the list of all tabs tells about every site")
                .isTrue();
    }

    @Test
    @DisplayName("SEC-14 act mode asks where it is not known which page a client's tool would use")
    void actModeIsNotInsideAnUnknownFence() {
        for (String tool : List.of("tab_click", "tab_type", "tab_read_dom")) {
            assertThat(desk.asks(Asks.local(DeskFixture.who(ACT), tool, Json.object())))
                    .as(tool)
                    .isTrue();
        }
        assertThat(desk.asks(Asks.local(DeskFixture.who(ACT), "pick", Json.object()))).isFalse();
    }

    @Test
    @DisplayName("SEC-4 always for one command is a rule for that command, whatever it is called")
    void alwaysForACommandIsNoPattern() {
        String longArgument = "x".repeat(200);
        for (String name :
                List.of("git *", "* push", "git " + longArgument + "1", "git sta\u202etus")) {
            var asked = desk.ask(Asks.access(DeskFixture.who(ASK), "bash:" + name, name));
            desk.answer(asked.requestId(), "allow_always", Caller.USER);
            assertThat(asked.outcome().join().allowed()).as(name).isTrue();
            assertThat(desk.asks(Asks.access(DeskFixture.who(ASK), "bash:" + name, name)))
                    .as(name)
                    .isFalse();
        }
        for (String other :
                List.of("git push", "rm push", "git " + longArgument + "2", "git status")) {
            assertThat(desk.asks(Asks.access(DeskFixture.who(ASK), "bash:" + other, other)))
                    .as(other)
                    .isTrue();
        }
    }

    @Test
    @DisplayName("SEC-4 a command behind a shell is not covered by the rule of its first word")
    void shellCommandsHaveTheirOwnName() throws Exception {
        fixture.rules.put(new PermissionRules.Wish("default", "bash:git status", "*", true));
        for (String line : List.of("git status", "git status; rm -rf x", "git status $(x)")) {
            ObjectNode call = Json.object().put("kind", "execute").put("title", line);
            call.putObject("rawInput").put("command", line);
            Ask ask =
                    Asks.agent(
                            DeskFixture.who(ASK),
                            call,
                            DeskFixture.options("allow_once", "reject_once"),
                            (key, tool, args) -> Ask.Where.NOWHERE);
            boolean plain = line.equals("git status");
            assertThat(fixture.asks(ask)).as(line).isNotEqualTo(plain);
            desk.cancelAll("s1");
        }
    }

    @Test
    @DisplayName("PLG W17 every decision is one row, without typed text")
    void decisionsAreAudited() throws Exception {
        ObjectNode secret = Json.object().put("ref", "r1").put("text", "hunter2");
        desk.ask(fixture.browser(ASK, "type", secret, SITE));
        fixture.answer("reject_once");
        await().until(() -> !desk.decisions(10).isEmpty());
        PermissionDesk.Decision row = desk.decisions(10).getFirst();
        assertThat(row.tool()).isEqualTo("type");
        assertThat(row.kinds()).isEqualTo("tab_action:input");
        assertThat(row.decision()).isEqualTo("refused");
        assertThat(row.by()).isEqualTo(Caller.USER.name());
        assertThat(row.toString()).doesNotContain("hunter2");
    }

    /** A database whose next writes wait until they may go on. */
    private record Slow(Database real, AtomicReference<CountDownLatch> gate) implements Database {
        @Override
        public <T> T read(Work<T> work) {
            return real.read(work);
        }

        @Override
        public <T> T write(Work<T> work) {
            try {
                requireNonNull(gate.get()).await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return real.write(work);
        }

        @Override
        public String name() {
            return real.name();
        }

        @Override
        public void close() {}
    }

    @Test
    @DisplayName("PLG W17 nobody waits until the decision before is on the disk")
    void decisionsAreWrittenBehind() throws Exception {
        AtomicReference<CountDownLatch> gate = new AtomicReference<>(new CountDownLatch(0));
        try (DeskFixture slow = new DeskFixture(new Slow(database, gate))) {
            slow.rules.put(new PermissionRules.Wish("default", "tab_action:click", SITE, true));
            gate.set(new CountDownLatch(1));
            try {
                for (String ref : List.of("r1", "r2", "r3")) {
                    assertThat(slow.now(slow.click(ASK, ref)).allowed()).isTrue();
                }
            } finally {
                requireNonNull(gate.get()).countDown();
            }
            assertThat(slow.desk.decisions(10)).hasSize(3);
        }
    }
}

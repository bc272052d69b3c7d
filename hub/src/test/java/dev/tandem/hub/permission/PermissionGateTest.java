package dev.tandem.hub.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.Gate;
import dev.tandem.hub.browser.OpsClient;
import dev.tandem.hub.browser.PageElement;
import dev.tandem.hub.browser.Place;
import dev.tandem.hub.browser.Watch;
import dev.tandem.hub.store.Database;
import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

class PermissionGateTest {
    private Database database;
    private DeskFixture fixture;
    private PermissionGate gate;

    @BeforeEach
    void open(@TempDir Path folder) {
        database = Database.open("", folder.resolve("t.db"));
        fixture = new DeskFixture(database);
        gate =
                new PermissionGate(
                        fixture.desk,
                        id ->
                                Optional.of(DeskFixture.who(Caller.Mode.ASK))
                                        .filter(w -> id.equals("s1")),
                        Duration.ofMillis(500));
    }

    @AfterEach
    void close() {
        fixture.close();
        database.close();
    }

    private static Gate.Request request(TokenKind kind, OpsClient.Door door, String session) {
        return request(kind, door, session, "r1");
    }

    private static Gate.Request request(
            TokenKind kind, OpsClient.Door door, String session, String ref) {
        return request(kind, door, session, ref, Watch.nobody());
    }

    private static Gate.Request request(
            TokenKind kind, OpsClient.Door door, String session, String ref, Watch watch) {
        Caller caller =
                new Caller(kind, session, session, "all", Caller.Mode.ASK, Optional.of(session));
        Tool tool = Catalogue.load().byName("click").orElseThrow();
        ObjectNode arguments = tool.read(Json.object().put("ref", ref));
        return new Gate.Request(
                OpsClient.inHub(caller, door),
                tool,
                arguments,
                Catalogue.load().permissions(tool, arguments),
                Optional.empty(),
                () -> new Place("tab1", DeskFixture.SITE + "/page#part"),
                () -> new PageElement("button", "Send"),
                watch);
    }

    @Test
    @DisplayName("SETTLED-4 over MCP a waiting call is told to come back; its yes is kept for it")
    void pendingIsToldBeforeClientsGiveUp() {
        Gate.Request call = request(TokenKind.SESSION, OpsClient.Door.MCP, "s1");
        assertThatThrownBy(() -> gate.check(call))
                .isInstanceOfSatisfying(
                        TandemException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.PERMISSION_PENDING));
        assertThat(fixture.desk.open("s1")).hasSize(1);
        fixture.answer("allow_once");
        assertThatCode(() -> gate.check(call)).doesNotThrowAnyException();
        assertThatThrownBy(() -> gate.check(call)).isInstanceOf(TandemException.class);
    }

    @Test
    @DisplayName("SETTLED-4 other doors wait for the answer; a refusal says so")
    void otherDoorsWait() throws Exception {
        CompletableFuture<Void> checked =
                CompletableFuture.runAsync(
                        () -> gate.check(request(TokenKind.SESSION, OpsClient.Door.CLI, "s1")));
        org.awaitility.Awaitility.await().until(() -> !fixture.desk.open("s1").isEmpty());
        assertThat(checked.isDone()).isFalse();
        fixture.answer("reject_once");
        assertThatThrownBy(() -> checked.get(10, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(TandemException.class);
    }

    private static TandemException failure(CompletableFuture<Void> checked) {
        assertThatThrownBy(() -> checked.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(TandemException.class);
        return (TandemException) checked.exceptionNow();
    }

    private CompletableFuture<Void> asks(Gate.Request call) {
        CompletableFuture<Void> checked = CompletableFuture.runAsync(() -> gate.check(call));
        org.awaitility.Awaitility.await().until(() -> !fixture.desk.open("s1").isEmpty());
        return checked;
    }

    @Test
    @DisplayName("SETTLED-4 a card that nobody answers, and one that goes away, end the call")
    void cardsThatNobodyAnswers() {
        CompletableFuture<Void> withdrawn =
                asks(request(TokenKind.SESSION, OpsClient.Door.CLI, "s1"));
        fixture.desk.withdraw(fixture.desk.open("s1").getFirst().requestId());
        assertThat(failure(withdrawn).details().path("reason").asString()).isEqualTo("cancelled");
        assertThat(fixture.desk.open("s1")).isEmpty();
        try (DeskFixture brief = new DeskFixture(database, Duration.ofMillis(1))) {
            PermissionGate impatient =
                    new PermissionGate(
                            brief.desk,
                            id -> Optional.of(DeskFixture.who(Caller.Mode.ASK)),
                            Duration.ofSeconds(20));
            CompletableFuture<Void> late =
                    CompletableFuture.runAsync(() ->
                            impatient.check(request(TokenKind.SESSION, OpsClient.Door.CLI, "s1")));
            assertThat(failure(late).code()).isEqualTo(ErrorCode.PERMISSION_TIMEOUT);
        }
    }

    /** A call of the session, whose caller hears of cards and may cancel. */
    private CompletableFuture<Void> call(String ref, Watch watch) {
        Gate.Request call = request(TokenKind.SESSION, OpsClient.Door.OPS, "s1", ref, watch);
        return CompletableFuture.runAsync(
                () -> gate.check(call), task -> Thread.startVirtualThread(task));
    }

    private static Watch hearing(LinkedBlockingQueue<ObjectNode> cards) {
        return new Watch((step, text) -> {}, cards::add);
    }

    private static ObjectNode next(LinkedBlockingQueue<ObjectNode> cards) throws Exception {
        ObjectNode card = cards.poll(5, TimeUnit.SECONDS);
        assertThat(card).as("told of its card").isNotNull();
        return java.util.Objects.requireNonNull(card);
    }

    @Test
    @DisplayName("SETTLED-4 a call behind another's card is told when its own comes up")
    void aCallBehindACardHearsOfItsOwn() throws Exception {
        LinkedBlockingQueue<ObjectNode> ahead = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<ObjectNode> behind = new LinkedBlockingQueue<>();
        CompletableFuture<Void> first = call("r1", hearing(ahead));
        String shown = next(ahead).path("requestId").asString();
        CompletableFuture<Void> second = new CompletableFuture<>();
        Thread waits =
                Thread.startVirtualThread(() -> {
                    gate.check(
                            request(
                                    TokenKind.SESSION,
                                    OpsClient.Door.OPS,
                                    "s1",
                                    "r2",
                                    hearing(behind)));
                    second.complete(null);
                });
        org.awaitility.Awaitility.await()
                .until(() ->
                        waits.getState() == Thread.State.WAITING
                                || waits.getState() == Thread.State.TIMED_WAITING);
        // an equal call joins what waits, and hears of it, too
        LinkedBlockingQueue<ObjectNode> beside = new LinkedBlockingQueue<>();
        CompletableFuture<Void> third = call("r1", hearing(beside));
        assertThat(next(beside).path("requestId").asString()).isEqualTo(shown);
        assertThat(behind).isEmpty();
        fixture.answer("allow_once");
        first.get(5, TimeUnit.SECONDS);
        third.get(5, TimeUnit.SECONDS);
        String then = next(behind).path("requestId").asString();
        assertThat(then).isEqualTo(fixture.desk.open("s1").getFirst().requestId());
        fixture.answer("allow_once");
        second.get(5, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("SETTLED-4 who shares a card may leave it; the last one takes it away")
    void cancellingOneCallLeavesTheOtherItsCard() throws Exception {
        LinkedBlockingQueue<ObjectNode> cards = new LinkedBlockingQueue<>();
        Watch leaving = hearing(cards);
        Watch staying = hearing(cards);
        CompletableFuture<Void> one = call("r1", leaving);
        String shown = next(cards).path("requestId").asString();
        CompletableFuture<Void> other = call("r1", staying);
        assertThat(next(cards).path("requestId").asString()).isEqualTo(shown);
        leaving.cancel();
        assertThat(failure(one).details().path("reason").asString()).isEqualTo("cancelled");
        assertThat(fixture.desk.open("s1")).hasSize(1);
        fixture.answer("allow_once");
        other.get(5, TimeUnit.SECONDS);

        Watch alone = hearing(cards);
        CompletableFuture<Void> last = call("r1", alone);
        next(cards);
        alone.cancel();
        assertThat(failure(last).details().path("reason").asString()).isEqualTo("cancelled");
        assertThat(fixture.desk.open("s1")).isEmpty();
    }

    @Test
    @DisplayName("what a chat client runs itself is asked for under the names of the rules")
    void toolsOfChatClientsHaveTheNamesOfTheRules() {
        for (String line :
                new String[] {
                    "tab_read {} tab_read:info",
                    "tab_read {\"mode\":\"dom\"} tab_read:dom",
                    "tab_info {} tab_read:info",
                    "tab_read_dom {} tab_read:dom",
                    "tab_screenshot {} tab_read:screenshot",
                    "tab_click {} tab_action:click",
                    "tab_type {} tab_action:input",
                    "tab_scroll {} tab_action:scroll",
                    "tab_action {\"action\":\"type\"} tab_action:input",
                    "tab_action {\"actions\":[{\"type\":\"click\"}]} tab_action:click",
                    "Weather {} local:weather"
                }) {
            String[] words = line.split(" ", -1);
            Ask ask =
                    Asks.local(
                            DeskFixture.who(Caller.Mode.ASK), words[0], Json.parseObject(words[1]));
            assertThat(ask.what().names()).as(line).containsExactly(words[2]);
        }
    }

    private CompletableFuture<Void> program(String ref) {
        Gate.Request call = request(TokenKind.CLIENT, OpsClient.Door.CLI, "p1", ref);
        return CompletableFuture.runAsync(() -> gate.check(call));
    }

    private void programIsRefused(String ref) {
        CompletableFuture<Void> call = program(ref);
        org.awaitility.Awaitility.await().until(() -> !fixture.desk.open().isEmpty());
        fixture.answer("reject_once");
        assertThat(failure(call).message()).doesNotContain("paused");
    }

    @Test
    @DisplayName("SEC-25 a program that was refused three times may ask again after ten minutes")
    void aPausedProgramMayAskAgainHoweverOftenItCalls() {
        for (String ref : new String[] {"r1", "r2", "r3"}) {
            programIsRefused(ref);
            fixture.time.pass(Duration.ofMinutes(1));
        }
        assertThat(failure(program("r4")).message()).contains("paused", "in 7 minutes");
        for (int minute = 0; minute < 6; minute++) {
            fixture.time.pass(Duration.ofMinutes(1));
            assertThat(failure(program("r4")).message()).contains("paused");
        }
        assertThat(failure(program("r4")).message()).contains("in 1 minute.");
        fixture.time.pass(Duration.ofMinutes(1));
        programIsRefused("r4");
        assertThat(failure(program("r5")).message())
                .as("the later two still count")
                .contains("paused", "in 1 minute.");
    }

    @Test
    @DisplayName("SETTLED-5 the user asks nobody; a session that is gone gets nothing")
    void whoIsAsked() {
        gate.check(request(TokenKind.HUB, OpsClient.Door.CLI, "user"));
        assertThat(fixture.desk.open()).isEmpty();
        for (TokenKind kind : new TokenKind[] {TokenKind.EXTENSION, TokenKind.NONE}) {
            assertThatThrownBy(() -> gate.check(request(kind, OpsClient.Door.MCP, "x")))
                    .isInstanceOf(TandemException.class);
        }
        assertThatThrownBy(() -> gate.check(request(TokenKind.SESSION, OpsClient.Door.MCP, "gone")))
                .hasMessageContaining("gone");
    }
}

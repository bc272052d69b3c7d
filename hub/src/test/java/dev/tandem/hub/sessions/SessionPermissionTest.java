package dev.tandem.hub.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.agent.ElicitationAnswer;
import dev.tandem.hub.agent.ElicitationRequest;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.permission.Ask;
import dev.tandem.hub.permission.Asks;
import dev.tandem.hub.permission.Card;
import dev.tandem.hub.permission.Outcome;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionPermissionTest {
    private EngineFixture fixture;
    private SessionEngine engine;
    private String id;
    private Path work;

    @BeforeAll
    void open(@TempDir Path directory) throws Exception {
        fixture = new EngineFixture(directory);
        engine = fixture.engine;
        id = fixture.running();
        work = fixture.directory.resolve("state").resolve("work/default");
    }

    @AfterAll
    void close() {
        fixture.close();
    }

    private List<Entry> permissions() {
        return fixture.log.after(id, 0, 10_000).stream()
                .filter(entry -> entry.kind() == Entry.Kind.PERMISSION)
                .toList();
    }

    private String saidSince(long seq) {
        return EngineFixture.said(fixture.log.after(id, seq, 1000));
    }

    private void awaitSaid(long seq, String text) {
        await().atMost(Duration.ofSeconds(30)).until(() -> saidSince(seq).contains(text));
    }

    private void awaitIdle() {
        await().atMost(Duration.ofSeconds(30)).until(() -> !engine.turnRuns(id));
    }

    @Test
    @DisplayName(
            "ACP-50 ACP-53 ACP-54 ACP-97 the agent asks, a card shows, the answer is its option")
    void anAgentsQuestionIsACard() {
        long before = fixture.store.required(id).lastSeq();
        fixture.send(
                id,
                "ask allow_once,allow_always,reject_once"
                        + " {\"toolCallId\":\"c1\",\"title\":\"Edit a file\",\"kind\":\"edit\"}");
        Card card = fixture.card(id);
        assertThat(card.ask().options())
                .extracting("optionId")
                .containsExactly("choice-1", "choice-2", "choice-3");
        assertThat(card.expiresAt()).isZero();
        assertThat(engine.summary(fixture.store.required(id)).status())
                .isEqualTo(SessionSummary.Status.WAITING_INPUT);
        fixture.desk.answer(card.requestId(), "choice-3", Caller.USER);
        awaitSaid(before, "permission choice-3");
        awaitIdle();
        assertThat(permissions())
                .extracting(entry -> entry.text("state").orElse(""))
                .endsWith("requested", "resolved");
    }

    @Test
    @DisplayName("An interrupt answers the pending request cancelled and says so to viewers")
    void cancelAnswersThePendingCard() {
        long before = fixture.store.required(id).lastSeq();
        fixture.send(id, "ask allow_once {\"toolCallId\":\"c2\",\"title\":\"Two\"}", "wait");
        fixture.card(id);
        assertThat(engine.interrupt(id)).isTrue();
        awaitIdle();
        assertThat(saidSince(before)).contains("permission cancelled");
        assertThat(permissions().getLast().text("outcome")).contains("cancelled");
        assertThat(fixture.desk.open(id)).isEmpty();
    }

    @Test
    @DisplayName("SEC-4 files and commands ask; an allow writes, a refusal touches nothing")
    void theHubsHandsAsk() throws Exception {
        Path file = work.resolve("new.txt");
        long before = fixture.store.required(id).lastSeq();
        fixture.send(id, "write " + file + " hello");
        Card card = fixture.card(id);
        assertThat(Files.exists(file)).isFalse();
        assertThat(card.ask().what().names()).containsExactly("file:write");
        fixture.desk.answer(card.requestId(), "allow_once", Caller.USER);
        awaitIdle();
        assertThat(Files.readString(file)).isEqualTo("hello");

        fixture.send(id, "run touch " + work.resolve("touched"));
        Card command = fixture.card(id);
        assertThat(command.ask().what().names().iterator().next()).startsWith("bash:touch");
        fixture.desk.answer(command.requestId(), "reject_once", Caller.USER);
        awaitIdle();
        assertThat(saidSince(before)).contains("error");
        assertThat(Files.exists(work.resolve("touched"))).isFalse();
    }

    @Test
    @DisplayName("SEC-4 read-only: writing and running are refused without a card")
    void readOnlyAsksNobody() {
        String reader = fixture.running("tandem/mode", "read-only");
        Path file = work.resolve("never.txt");
        List<Entry> turn = fixture.play(reader, "write " + file + " x", "run touch " + file);
        assertThat(EngineFixture.said(turn)).contains("read-only");
        assertThat(EngineFixture.kinds(turn)).doesNotContain(Entry.Kind.PERMISSION);
        assertThat(Files.exists(file)).isFalse();
        engine.delete(reader);
    }

    @Test
    @DisplayName("SEC-25 three refusals in a turn pause the session until the user speaks again")
    void threeRefusalsPause() {
        String stubborn = fixture.running();
        String ask = "ask allow_once,reject_once {\"toolCallId\":\"%s\",\"title\":\"%s\"}";
        fixture.send(
                stubborn,
                ask.formatted("a", "one"),
                ask.formatted("b", "two"),
                ask.formatted("c", "three"),
                "wait");
        for (int i = 0; i < 3; i++) {
            Card card = fixture.card(stubborn);
            fixture.desk.answer(card.requestId(), "choice-2", Caller.USER);
        }
        fixture.awaitEvent(stubborn, "paused");
        fixture.awaitEvent(stubborn, "run_finished");
        assertThat(fixture.store.required(stubborn).phase()).isEqualTo(Phase.RUNNING);
        assertThat(EngineFixture.said(fixture.play(stubborn, "say back"))).isEqualTo("back");
        engine.delete(stubborn);
    }

    private static String form(String message) {
        return "\"mode\":\"form\",\"message\":\"" + message + "\",\"requestedSchema\":{}";
    }

    /** The one form that is open, when it is this one. */
    private String awaitForm(String session, String message) {
        return await().atMost(Duration.ofSeconds(30))
                .until(
                        () -> engine.openQuestions(session),
                        open ->
                                open.size() == 1
                                        && Json.text(open.getFirst().params(), "message")
                                                .orElse("")
                                                .equals(message))
                .getFirst()
                .requestId();
    }

    @Test
    @DisplayName("SEC-25 a session shows one question at a time, forms and cards in one line")
    void formsAndCardsStandInOneLine() {
        String busy = fixture.running();
        String agents = fixture.store.required(busy).field("sdk_session_id").orElseThrow();
        String raw = "raw {\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"%s\",\"params\":{%s,%s}}";
        String mine = "\"sessionId\":\"" + agents + "\"";
        String options =
                "\"toolCall\":{\"toolCallId\":\"q\",\"title\":\"Q\"},\"options\":[{\"optionId\":"
                        + "\"yes\",\"name\":\"Yes\",\"kind\":\"allow_once\"}]";
        fixture.send(
                busy,
                raw.formatted("q1", "elicitation/create", mine, form("One?")),
                raw.formatted("q2", "elicitation/create", mine, form("Two?")),
                raw.formatted("q3", "session/request_permission", mine, options),
                "say asked",
                "wait");
        String first = awaitForm(busy, "One?");
        await().until(() -> fixture.log.after(busy, 0, 100).toString().contains("asked"));
        assertThat(engine.openQuestions(busy)).hasSize(1);
        assertThat(fixture.desk.open(busy)).isEmpty();
        engine.answerQuestion(
                busy, first, new ElicitationAnswer.Accept(Json.object()), Caller.USER);
        engine.answerQuestion(
                busy, awaitForm(busy, "Two?"), new ElicitationAnswer.Cancel(), Caller.USER);
        Card card = fixture.card(busy);
        assertThat(engine.openQuestions(busy)).isEmpty();
        fixture.desk.answer(card.requestId(), "yes", Caller.USER);
        assertThat(fixture.desk.decisions(20))
                .extracting(PermissionDesk.Decision::kinds, PermissionDesk.Decision::decision)
                .contains(tuple("form", "allowed"), tuple("form", "cancelled"));
        engine.delete(busy);
    }

    @Test
    @DisplayName("SEC-25 questions of every kind above 32 are answered with an error that says so")
    void theLineHasAnEnd() throws Exception {
        Path heard = fixture.directory.resolve("heard.txt");
        fixture.agent("eager", "--record=" + heard);
        String eager = fixture.running("tandem/agent", "eager");
        String agents = fixture.store.required(eager).field("sdk_session_id").orElseThrow();
        String mine = "\"sessionId\":\"" + agents + "\"";
        String raw = "raw {\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"%s\",\"params\":{%s,%s}}";
        List<String> script = new ArrayList<>();
        for (int i = 0; i < 33; i++) {
            String form = form("Number " + i);
            script.add(raw.formatted("q" + i, "elicitation/create", mine, form));
        }
        script.add(raw.formatted("more1", "elicitation/create", mine, form("More?")));
        script.add(
                raw.formatted(
                        "more2",
                        "session/request_permission",
                        mine,
                        "\"toolCall\":{\"toolCallId\":\"q\",\"title\":\"Q\"},\"options\":[{\"optionId\":"
                                + "\"yes\",\"name\":\"Yes\",\"kind\":\"allow_once\"}]"));
        script.add(
                raw.formatted(
                        "more3",
                        "terminal/create",
                        mine,
                        "\"command\":\"touch\",\"args\":[\"x\"]"));
        script.add("wait");
        fixture.send(eager, script.toArray(String[]::new));
        for (String id : List.of("more1", "more2", "more3")) {
            String line =
                    await().atMost(Duration.ofSeconds(20))
                            .until(() -> answerTo(heard, id), answer -> !answer.isEmpty());
            assertThat(line).contains("\"error\"", "32 questions wait already");
        }
        for (int i = 0; i < 33; i++) {
            engine.answerQuestion(
                    eager,
                    awaitForm(eager, "Number " + i),
                    new ElicitationAnswer.Accept(Json.object()),
                    Caller.USER);
        }
        await().until(() -> answerTo(heard, "q32"), answer -> answer.contains("accept"));
        engine.delete(eager);
    }

    private static String answerTo(Path heard, String id) throws IOException {
        try (var lines = Files.lines(heard)) {
            return lines.filter(
                            line -> line.startsWith(">") && line.contains("\"id\":\"" + id + "\""))
                    .findFirst()
                    .orElse("");
        }
    }

    @Test
    @DisplayName("SEC-25 a form that was declined does not come back, and three noes pause")
    void declinedFormsDoNotComeBack() {
        String pushy = fixture.running();
        String ask = "request elicitation/create {\"elicitationId\":\"%s\",%s}";
        fixture.send(
                pushy,
                ask.formatted("a", form("Money?")),
                ask.formatted("b", form("Money?")),
                ask.formatted("c", form("Your name?")),
                ask.formatted("d", form("Your pet?")),
                ask.formatted("e", form("Your street?")),
                "wait");
        for (String message : List.of("Money?", "Your name?", "Your pet?")) {
            engine.answerQuestion(
                    pushy, awaitForm(pushy, message), new ElicitationAnswer.Decline(), Caller.USER);
        }
        fixture.awaitEvent(pushy, "paused");
        fixture.awaitEvent(pushy, "run_finished");
        assertThat(fixture.events(pushy, 0).stream().filter("elicitation_requested"::equals))
                .hasSize(3);
        assertThat(EngineFixture.said(fixture.log.after(pushy, 0, 1000)))
                .startsWith("{\"action\":\"decline\"}".repeat(2));
        assertThat(EngineFixture.said(fixture.play(pushy, "say back"))).isEqualTo("back");
        engine.delete(pushy);
    }

    @Test
    @DisplayName("SEC-25 whoever hears the third no is judged by a desk that knows it")
    void theDeskKnowsBeforeTheAgent() throws Exception {
        String third = fixture.session();
        Questions questions = new Questions(third, fixture.log, fixture.desk);
        Ask.Who who = new Ask.Who("acp", third, "Third", "default", Caller.Mode.ACT, "");
        CompletableFuture<Outcome> next = new CompletableFuture<>();
        for (int i = 1; i <= 3; i++) {
            ObjectNode params = Json.object().put("message", "Form " + i);
            var answer = questions.ask(who, new ElicitationRequest("f" + i, params));
            if (i == 3) {
                Ask read = Asks.access(who, "file:read", "/etc/hosts");
                var _ =
                        answer.thenCompose(said -> fixture.desk.ask("read", read).outcome())
                                .thenAccept(next::complete);
            }
            await().until(() -> !questions.open().isEmpty());
            questions.answer("f" + i, new ElicitationAnswer.Decline(), Caller.USER);
            assertThat(answer.join()).isInstanceOf(ElicitationAnswer.Decline.class);
        }
        assertThat(next.get(20, TimeUnit.SECONDS).by()).isEqualTo("paused");
        fixture.desk.forget(third);
    }

    @Test
    @DisplayName("SEC-2 a form is answered by a person, never by an agent or a program")
    void onlyAPersonAnswersForms() {
        String asking = fixture.running();
        fixture.send(asking, "request elicitation/create {" + form("Sure?") + "}");
        String requestId = awaitForm(asking, "Sure?");
        ElicitationAnswer yes = new ElicitationAnswer.Accept(Json.object());
        Caller agent = fixture.store.required(asking).caller();
        assertThatThrownBy(() -> engine.answerQuestion(asking, requestId, yes, agent))
                .hasMessageContaining("Only the user");
        assertThat(engine.openQuestions(asking)).hasSize(1);
        engine.delete(asking);
    }

    @Test
    @DisplayName("ACP-102 an answer that breaks the form is refused, and the form stays open")
    void anAnswerMustFitTheForm() {
        String asking = fixture.running();
        fixture.send(
                asking,
                "request elicitation/create {\"mode\":\"form\",\"message\":\"Age?\","
                        + "\"requestedSchema\":{\"type\":\"object\",\"required\":[\"age\"],"
                        + "\"properties\":{\"age\":{\"type\":\"integer\",\"minimum\":0}}}}");
        String requestId = awaitForm(asking, "Age?");
        assertThatThrownBy(() ->
                        engine.answerQuestion(
                                asking,
                                requestId,
                                new ElicitationAnswer.Accept(Json.object().put("age", -1)),
                                Caller.USER))
                .hasMessage("The field age must be at least 0.");
        assertThat(engine.openQuestions(asking)).hasSize(1);
        engine.answerQuestion(
                asking,
                requestId,
                new ElicitationAnswer.Accept(Json.object().put("age", 36)),
                Caller.USER);
        fixture.awaitEvent(asking, "run_finished");
        assertThat(EngineFixture.said(fixture.log.after(asking, 0, 1000))).contains("36");
        engine.delete(asking);
    }

    @Test
    @DisplayName("An elicitation waits for the user; the log never holds what was typed")
    void questionsAreAnswered() {
        long before = fixture.store.required(id).lastSeq();
        fixture.send(
                id,
                "request elicitation/create {\"mode\":\"form\",\"message\":\"Name?\","
                        + "\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}");
        fixture.awaitEvent(id, "elicitation_requested");
        String requestId =
                fixture.log.after(id, before, 100).stream()
                        .filter(e -> e.text("event").orElse("").equals("elicitation_requested"))
                        .map(e -> Json.text(e.body().path("value"), "requestId").orElse(""))
                        .findFirst()
                        .orElseThrow();
        engine.answerQuestion(
                id,
                requestId,
                new ElicitationAnswer.Accept(Json.object().put("name", "s3cret")),
                Caller.USER);
        awaitSaid(before, "s3cret");
        awaitIdle();
        List<Entry> resolved =
                fixture.log.after(id, before, 100).stream()
                        .filter(e -> e.kind() == Entry.Kind.SYSTEM)
                        .toList();
        assertThat(resolved.toString()).doesNotContain("s3cret").contains("accept");
    }
}

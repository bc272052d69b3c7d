package dev.tandem.hub.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionEngineTest {
    private EngineFixture fixture;
    private SessionEngine engine;

    @BeforeAll
    void open(@TempDir Path directory) throws Exception {
        fixture = new EngineFixture(directory);
        engine = fixture.engine;
    }

    @AfterAll
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("ACP-41 a turn streams, is stored in order, and stop ends it")
    void aTurnFromCreateToStop() {
        String id = fixture.running();
        long pid = fixture.engine.agentSession(id).orElseThrow().agent().pid();
        EngineFixture.Watching live = fixture.watch(id);
        List<Entry> turn =
                fixture.play(
                        id,
                        "thought hmm",
                        "say Hello ",
                        "say world",
                        "update {\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"t1\",\"title\":"
                                + "\"Read\",\"kind\":\"read\",\"rawInput\":{\"path\":\"a\"}}",
                        "update {\"sessionUpdate\":\"tool_call_update\",\"toolCallId\":\"t1\","
                                + "\"status\":\"completed\",\"content\":[{\"type\":\"content\","
                                + "\"content\":{\"type\":\"text\",\"text\":\"long result\"}}]}",
                        "update {\"sessionUpdate\":\"plan\",\"entries\":[]}",
                        "say done");
        assertThat(EngineFixture.kinds(turn))
                .containsExactly(
                        Entry.Kind.USER,
                        Entry.Kind.LIFECYCLE,
                        Entry.Kind.THOUGHT,
                        Entry.Kind.ASSISTANT,
                        Entry.Kind.TOOL_USE,
                        Entry.Kind.TOOL_RESULT,
                        Entry.Kind.PLAN,
                        Entry.Kind.ASSISTANT,
                        Entry.Kind.LIFECYCLE);
        assertThat(turn.get(3).text("text")).contains("Hello world");
        assertThat(turn.get(5).text("result")).contains("long result");
        assertThat(turn.getLast().text("stopReason")).contains("end_turn");
        assertThat(turn.getLast().body().path("usage").path("totalTokens").asInt()).isEqualTo(12);
        assertThat(
                        IntStream.range(1, turn.size())
                                .allMatch(i -> turn.get(i).seq() == turn.get(i - 1).seq() + 1))
                .isTrue();
        String block = turn.get(3).text("messageId").orElseThrow();
        assertThat(live.deltas.stream().filter(d -> d.block().equals(block)).count()).isEqualTo(2);
        assertThat(live.entries.stream().map(Entry::seq).toList())
                .isEqualTo(fixture.log.after(id, 0, 100).stream().map(Entry::seq).toList());

        assertThat(engine.stop(id).phase()).isEqualTo(Phase.STOPPING);
        fixture.awaitPhase(id, Phase.STOPPED);
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(fixture.store.required(id).field("conditions").orElse("")).contains("stopped");
    }

    @Test
    @DisplayName("AMB-L55 fifty starts at once: one succeeds, the others are told why not")
    void startsAreCompareAndSet() throws Exception {
        String id = fixture.session();
        int started = 0;
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Session>> all =
                    IntStream.range(0, 50)
                            .mapToObj(i -> executor.submit(() -> engine.start(id)))
                            .toList();
            for (Future<Session> one : all) {
                try {
                    assertThat(one.get().phase()).isEqualTo(Phase.PENDING);
                    started++;
                } catch (java.util.concurrent.ExecutionException refused) {
                    assertThat(refused.getCause())
                            .hasMessageContaining("must be empty, Stopped, Failed, or Completed");
                }
            }
        }
        assertThat(started).isEqualTo(1);
        engine.stop(id);
        fixture.awaitPhase(id, Phase.STOPPED);
        assertThatThrownBy(() -> engine.stop(id))
                .hasMessage(
                        "cannot stop session in phase \"Stopped\"; must be Running, Creating, or"
                                + " Pending");
    }

    @Test
    @DisplayName("ACP-C23 what waits is seen, edited, withdrawn, and survives an interrupt")
    void theQueueSurvivesAnInterrupt() {
        String id = fixture.running();
        fixture.send(id, "say begun", "wait");
        fixture.awaitTurn(id);
        Entry first = fixture.send(id, "say first");
        Entry second = fixture.send(id, "say second");
        assertThat(engine.queue().list(id))
                .extracting(Entry::seq)
                .containsExactly(first.seq(), second.seq());
        engine.queue().edit(id, first.seq(), "say changed");
        engine.queue().withdraw(id, second.seq());

        assertThat(engine.interrupt(id)).isTrue();
        fixture.awaitEvent(id, "run_finished");
        assertThat(fixture.log.last(id, Entry.Kind.LIFECYCLE).orElseThrow().text("stopReason"))
                .contains("cancelled");
        assertThat(engine.queue().list(id))
                .extracting(e -> e.text("text").orElse(""))
                .containsExactly("say changed");
        assertThat(fixture.store.required(id).phase()).isEqualTo(Phase.RUNNING);

        engine.continueQueue(id);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> EngineFixture.said(fixture.log.after(id, 0, 100)).endsWith("changed"));
        assertThatThrownBy(() -> engine.queue().edit(id, first.seq(), "too late"))
                .isInstanceOf(TandemException.class);
        engine.delete(id);
    }

    @Test
    @DisplayName("ACP-95 a stop that comes with the very beginning of a turn is not lost")
    void aStopAtTheBeginning() throws Exception {
        String id = fixture.running();
        // Whatever is looked up in a long prompt is time before the agent has it.
        String prompt =
                IntStream.range(0, 5000)
                        .mapToObj("https://a%d.test/ "::formatted)
                        .toList()
                        .toString();
        for (int i = 0; i < 5; i++) {
            Thread user =
                    Thread.ofPlatform()
                            .start(() -> {
                                while (!engine.turnRuns(id)) {
                                    Thread.onSpinWait();
                                }
                                engine.interrupt(id);
                            });
            fixture.send(id, "wait", prompt);
            user.join();
            await().atMost(Duration.ofSeconds(5)).until(() -> !engine.turnRuns(id));
        }
        engine.delete(id);
    }

    @Test
    @DisplayName("ACP-C23 new words for a message that waits leave its attachments alone")
    void anEditedMessageKeepsItsAttachments() {
        String id = fixture.session();
        var content = Json.array();
        content.addObject().put("type", "text").put("text", "say before");
        content.addObject()
                .put("type", "resource_link")
                .put("uri", "https://a.test/")
                .put("name", "A");
        long seq = engine.send(id, Prompt.of(content, Optional.empty(), "")).entry().seq();
        Entry edited = engine.queue().edit(id, seq, "blocks");
        assertThat(edited.text("text")).contains("blocks");
        engine.start(id);
        fixture.awaitEvent(id, "run_finished");
        assertThat(EngineFixture.said(fixture.log.after(id, 0, 100)))
                .contains("\"text\":\"blocks\"", "https://a.test/")
                .doesNotContain("say before");
        engine.delete(id);
    }

    @Test
    @DisplayName("A message that was taken back is no preview")
    void whatWasWithdrawnIsNoPreview() {
        String id = fixture.running();
        fixture.play(id, "say the answer");
        engine.stop(id);
        fixture.awaitPhase(id, Phase.STOPPED);
        Entry waits = fixture.send(id, "never mind");
        engine.queue().withdraw(id, waits.seq());
        assertThat(engine.summary(fixture.store.required(id)).preview()).isEqualTo("the answer");
        engine.delete(id);
    }

    @Test
    @DisplayName("The same client message id is stored and delivered once")
    void aRepeatedMessageIsTakenOnce() {
        String id = fixture.session();
        Prompt prompt = new Prompt("say once", Json.array(), Optional.of("c-1"), "");
        assertThat(engine.send(id, prompt).stored()).isTrue();
        assertThat(engine.send(id, prompt).stored()).isFalse();
        assertThat(engine.queue().list(id)).hasSize(1);
    }

    @Test
    @DisplayName("AMB-L66 a message to a stopped session waits, says so, and is delivered")
    void messagesWaitForTheStart() {
        String id = fixture.session();
        fixture.send(id, "say late answer");
        assertThat(fixture.events(id, 0)).contains("message_waits");
        engine.start(id);
        fixture.awaitEvent(id, "run_finished");
        assertThat(EngineFixture.said(fixture.log.after(id, 0, 100))).isEqualTo("late answer");
        engine.delete(id);
    }

    @Test
    @DisplayName("ACP-116 AMB-L66 an agent that dies mid-turn: Failed with its last words")
    void aCrashIsToldWithItsReason() {
        String id = fixture.running();
        fixture.play(id, "say half", "die 3");
        fixture.awaitPhase(id, Phase.FAILED);
        List<Entry> log = fixture.log.after(id, 0, 100);
        assertThat(EngineFixture.said(log)).isEqualTo("half");
        assertThat(EngineFixture.kinds(log)).contains(Entry.Kind.ERROR);
        assertThat(fixture.store.required(id).field("conditions").orElse(""))
                .contains("agent_exited")
                .contains("something terrible happened");
        engine.start(id);
        fixture.awaitPhase(id, Phase.RUNNING);
        assertThat(EngineFixture.said(fixture.play(id, "say again"))).isEqualTo("again");
        engine.delete(id);
    }

    @Test
    @DisplayName("ACP-89 ACP-L36 resume is preferred, then load, then the past is told again")
    void startsGoOnWithTheConversation() {
        fixture.agent("loader", "--caps={\"loadSession\":true}", "--replay=4");
        fixture.agent("forgetful", "--caps={}");
        for (String agent : List.of("scripted", "loader", "forgetful")) {
            String id = fixture.running("tandem/agent", agent);
            fixture.play(id, "say the first answer");
            engine.stop(id);
            fixture.awaitPhase(id, Phase.STOPPED);
            String before = fixture.store.required(id).field("sdk_session_id").orElseThrow();
            long last = fixture.store.required(id).lastSeq();
            engine.start(id);
            fixture.awaitPhase(id, Phase.RUNNING);
            assertThat(fixture.log.after(id, last, 100)).isEmpty();
            String after = fixture.store.required(id).field("sdk_session_id").orElseThrow();
            String said = EngineFixture.said(fixture.play(id, "blocks"));
            assertThat(after.equals(before)).isEqualTo(!agent.equals("forgetful"));
            assertThat(said.contains("the first answer")).isEqualTo(agent.equals("forgetful"));
            assertThat(said.contains("\"audience\":[\"assistant\"]"))
                    .as("told apart from the user's words")
                    .isEqualTo(agent.equals("forgetful"));
            engine.delete(id);
        }
    }

    @Test
    @DisplayName("AMB-198 delete ends the process; then it is gone")
    void deleteEndsTheProcess() {
        String id = fixture.running();
        long pid = engine.agentSession(id).orElseThrow().agent().pid();
        fixture.send(id, "hang");
        fixture.awaitTurn(id);
        assertThat(engine.delete(id)).isTrue();
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(fixture.store.session(id)).isEmpty();
        assertThat(engine.delete(id)).isFalse();
    }

    @Test
    @DisplayName("ACP-91 a stop closes the agent's session; only a delete lets it forget")
    void onlyADeleteIsForgotten() throws Exception {
        Path heard = fixture.directory.resolve("heard");
        fixture.agent("keeper", "--record=" + heard);
        String live = fixture.running("tandem/agent", "keeper");
        String stopped = fixture.running("tandem/agent", "keeper");
        String known = fixture.store.required(stopped).field("sdk_session_id").orElseThrow();
        engine.stop(stopped);
        await().until(() -> fixture.store.required(stopped).phase() == Phase.STOPPED);
        assertThat(Files.readString(heard)).contains("session/close", known);
        assertThat(Files.readString(heard)).doesNotContain("session/delete");
        engine.delete(live);
        assertThat(Files.readString(heard)).containsOnlyOnce("\"session/delete\"");
        engine.delete(stopped);
        await().atMost(Duration.ofSeconds(40))
                .until(() -> Files.readString(heard).split("\"session/delete\"", -1).length == 3);
        assertThat(Files.readString(heard).lines().filter(line -> line.contains("session/delete")))
                .anyMatch(line -> line.contains(known));
    }

    @Test
    @DisplayName("ACP-118 the agent's environment holds no token of the hub or the session")
    void theEnvironmentHoldsNoToken() {
        String id = fixture.running();
        assertThat(EngineFixture.said(fixture.play(id, "env")))
                .contains("PATH=")
                .doesNotContain("tds_", "tdh_", "TANDEM_MCP_TOKEN");
        engine.delete(id);
    }

    @Test
    @DisplayName("AMB-L63 clone, export, search, rename, unread and preview")
    void whatListsNeed() {
        String id = fixture.running();
        fixture.play(id, "say The xylophone is blue");
        // counted right after the turn's end
        await().until(() -> fixture.store.required(id).fields().has("usage"));
        engine.rename(id, "Concert");
        Session session = fixture.store.required(id);
        SessionSummary summary = engine.summary(session);
        assertThat(summary.preview()).isEqualTo("The xylophone is blue");
        assertThat(summary.unread()).as("one answer; what was done for it is none").isEqualTo(1);
        assertThat(summary.status()).isEqualTo(SessionSummary.Status.IDLE);
        fixture.store.read(id, session.lastSeq());
        assertThat(engine.summary(fixture.store.required(id)).unread()).isZero();
        assertThat(engine.search("XYLOPHONE")).extracting(Session::id).containsExactly(id);
        assertThat(engine.search("concert")).extracting(Session::id).containsExactly(id);
        assertThat(engine.search("100%_")).isEmpty();
        assertThat(engine.export(id).path("messages").size()).isEqualTo((int) session.lastSeq());
        assertThat(session.fields().path("usage").path("totalTokens").asInt()).isEqualTo(12);

        Session clone = engine.cloneOf(id);
        assertThat(clone.name()).isEqualTo("Concert-clone");
        assertThat(clone.field("parent_session_id")).contains(id);
        assertThat(clone.lastSeq()).isZero();
        assertThat(clone.phase()).isEqualTo(Phase.NONE);
        engine.delete(id);
    }

    @Test
    @DisplayName("SETTLED-26 the first start makes project default with one session")
    void theFirstStartMakesADefault() {
        assertThat(fixture.store.project("default")).isPresent();
        assertThat(fixture.store.sessions()).anyMatch(s -> s.name().equals("First session"));
    }
}

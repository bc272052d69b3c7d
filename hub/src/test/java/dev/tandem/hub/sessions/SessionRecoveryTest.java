package dev.tandem.hub.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionRecoveryTest {
    private static List<Entry> log(EngineFixture fixture, String id) {
        return fixture.log.after(id, 0, 10_000);
    }

    @Test
    @DisplayName("AMB-L66 SETTLED-12 what an ended hub left: Stopped with a reason, text kept")
    void aRestartBringsSessionsBackAsStopped(@TempDir Path directory) throws Exception {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            String id = fixture.session();
            for (Phase phase : List.of(Phase.PENDING, Phase.CREATING, Phase.RUNNING)) {
                fixture.store.move(id, phase);
            }
            fixture.send(id, "never answered");
            MessageQueue queue = new MessageQueue(fixture.database, fixture.log);
            assertThat(queue.start(queue.next(id).orElseThrow(), "run1")).isTrue();
            fixture.log.append(
                    id,
                    Entry.Kind.TOOL_USE,
                    Json.object().put("toolCallId", "t1").put("tool", "x"));
            fixture.log.append(
                    id,
                    Entry.Kind.PERMISSION,
                    Json.object().put("requestId", "p1").put("state", "requested"));
            new Unfinished(fixture.database, fixture.log)
                    .keep(id, "m1", Entry.Kind.ASSISTANT, Json.object().put("text", "half a sen"));
            fixture.engine.open();

            Session session = fixture.store.required(id);
            assertThat(session.phase()).isEqualTo(Phase.STOPPED);
            assertThat(session.field("conditions").orElse("")).contains("hub_restarted");
            List<Entry> log = log(fixture, id);
            Entry text =
                    log.stream().filter(e -> e.kind() == Entry.Kind.ASSISTANT).findFirst().get();
            assertThat(text.text("text")).contains("half a sen");
            assertThat(text.body().path("partial").asBoolean()).isTrue();
            assertThat(log.toString())
                    .contains("interrupted")
                    .contains("\"outcome\":\"cancelled\"");
            assertThat(log)
                    .anyMatch(e ->
                            e.kind() == Entry.Kind.TOOL_RESULT
                                    && e.text("status").orElse("").equals("cancelled"));
            long last = session.lastSeq();
            fixture.engine.open();
            assertThat(fixture.store.required(id).lastSeq()).isEqualTo(last);
        }
    }

    @Test
    @DisplayName("SETTLED-12 unfinished text is stored while the agent still speaks")
    void unfinishedTextIsKept(@TempDir Path directory) throws Exception {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            String id = fixture.running();
            fixture.send(id, "say the beginning of", "wait");
            await().atMost(Duration.ofSeconds(20))
                    .until(() ->
                            fixture
                                    .database
                                    .read(sql ->
                                            sql.query(
                                                    "SELECT body FROM unfinished",
                                                    row -> row.getString(1)))
                                    .stream()
                                    .anyMatch(body -> body.contains("the beginning of")));
            fixture.engine.stop(id);
            fixture.awaitPhase(id, Phase.STOPPED);
            Entry text = fixture.log.last(id, Entry.Kind.ASSISTANT).orElseThrow();
            assertThat(text.text("text")).contains("the beginning of");
            assertThat(text.body().path("partial").asBoolean()).isTrue();
            Integer left =
                    fixture.database
                            .read(sql ->
                                    sql.first(
                                            "SELECT COUNT(*) FROM unfinished",
                                            row -> row.getInt(1)))
                            .orElseThrow();
            assertThat(left).isZero();
        }
    }

    @Test
    @DisplayName("AMB phases: Pending until a slot is free; a stop while waiting ends it")
    void sessionsWaitForASlot(@TempDir Path directory) throws Exception {
        try (EngineFixture fixture = new EngineFixture(directory, 1)) {
            String first = fixture.running();
            String second = fixture.session();
            String third = fixture.session();
            fixture.engine.start(second);
            fixture.engine.start(third);
            assertThat(fixture.store.required(second).phase()).isEqualTo(Phase.PENDING);
            await().untilAsserted(() ->
                    assertThat(log(fixture, second))
                            .as("whoever waits there is told what for")
                            .anyMatch(one -> one.text("event").orElse("").equals("place_waits")));
            fixture.engine.stop(second);
            fixture.awaitPhase(second, Phase.STOPPED);
            assertThat(fixture.store.required(third).phase()).isEqualTo(Phase.PENDING);
            fixture.engine.stop(first);
            fixture.awaitPhase(third, Phase.RUNNING);
        }
    }

    @Test
    @DisplayName("Bad input: a missing agent, one that exits, and one that is no program")
    void failedStartsSayWhy(@TempDir Path directory) throws Exception {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            fixture.agent("broken", "--exit=7");
            fixture.agent("future", "--protocol=2");
            String missing = fixture.session("tandem/agent", "nobody");
            String broken = fixture.session("tandem/agent", "broken");
            String future = fixture.session("tandem/agent", "future");
            for (String id : List.of(missing, broken, future)) {
                fixture.engine.start(id);
                fixture.awaitPhase(id, Phase.FAILED);
                assertThat(EngineFixture.kinds(log(fixture, id))).contains(Entry.Kind.ERROR);
            }
            assertThat(fixture.store.required(missing).field("conditions").orElse(""))
                    .contains("There is no agent");
            assertThat(fixture.store.required(broken).field("conditions").orElse(""))
                    .contains("the configuration is broken");
            assertThat(fixture.store.required(future).field("conditions").orElse(""))
                    .contains("agent_version_unsupported");
            assertThat(fixture.engine.running()).isZero();
        }
    }

    @Test
    @DisplayName("SEC-28 a local tool's result needs the lease of the one who claimed it")
    void localToolsHaveOneExecutor(@TempDir Path directory) throws Exception {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            String id = fixture.session();
            LocalTools tools = fixture.engine.localTools();
            tools.declare(
                    id,
                    "overlay",
                    List.of(
                            new LocalTools.Definition(
                                    "tab_read", "", LocalTools.Definition.noParameters())));
            assertThat(tools.of(id).getFirst().description()).isEqualTo("Local tool tab_read");
            var answer = tools.call(id, "tab_read", Json.object().put("mode", "info"));
            String call = tools.waiting(id).getFirst().toolCallId();
            assertThat(fixture.events(id, 0)).contains("awaiting_local_tool_results");

            assertThatThrownBy(() -> tools.claim(id, call, "stranger", "me"))
                    .isInstanceOf(TandemException.class);
            LocalTools.Lease lease = tools.claim(id, call, "overlay", "me");
            assertThatThrownBy(() -> tools.claim(id, call, "overlay", "another token"))
                    .as("the executor's name, which everybody hears, is no lease")
                    .hasMessageContaining("Another client");
            for (Optional<String> forged : List.of(Optional.<String>empty(), Optional.of("x"))) {
                assertThatThrownBy(() -> tools.result(id, call, Json.object(), forged))
                        .hasMessageContaining("claimed");
            }
            tools.result(id, call, Json.object().put("title", "T"), Optional.of(lease.leaseId()));
            assertThat(answer.join().path("status").asString()).isEqualTo("completed");
            LocalTools.Receipt again =
                    tools.result(id, call, Json.object(), Optional.of(lease.leaseId()));
            assertThat(again.duplicate()).isTrue();
            assertThat(answer.join().toString()).contains("\"title\":\"T\"");
        }
    }
}

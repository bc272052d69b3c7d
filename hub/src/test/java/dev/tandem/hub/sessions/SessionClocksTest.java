package dev.tandem.hub.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.protocol.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

class SessionClocksTest {
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private static Turn turn(String run, long startedAt) {
        Entry prompt = new Entry("s", 1, "id", Entry.Kind.USER, Json.object(), Optional.empty(), 0);
        return new Turn(run, prompt, startedAt);
    }

    @Test
    @DisplayName("W24: ten minutes without a word are told once per turn, with a way to stop it")
    void silenceIsToldOnce() {
        SilenceWatch watch = new SilenceWatch(LIMIT);
        long minute = 60_000;
        Turn first = turn("r1", 100 * minute);
        Duration old = Duration.ofMinutes(90);
        assertThat(watch.look(first, old, false, 105 * minute))
                .as("silence before the turn does not count")
                .isEmpty();
        assertThat(watch.look(first, Duration.ofMinutes(1), false, 120 * minute)).isEmpty();
        assertThat(watch.look(first, old, true, 125 * minute)).as("it waits for a card").isEmpty();
        assertThat(watch.look(first, old, false, 130 * minute)).isEmpty();
        Optional<ObjectNode> notice = watch.look(first, old, false, 136 * minute);
        assertThat(notice.orElseThrow().path("action").asString()).isEqualTo("cancel");
        assertThat(notice.get().path("title").asString()).contains("silent for 10 min");
        assertThat(watch.look(first, old, false, 200 * minute)).as("once").isEmpty();
        assertThat(watch.look(turn("r2", 300 * minute), old, false, 311 * minute)).isPresent();
    }

    @Test
    @DisplayName("W24: the notice reaches those who watch; the turn goes on")
    void theNoticeIsSeen(@TempDir Path directory) throws Exception {
        Duration silence = Duration.ofMillis(700);
        try (EngineFixture fixture = new EngineFixture(directory, 50, silence)) {
            String id = fixture.running();
            EngineFixture.Watching live = fixture.watch(id);
            fixture.send(id, "say working", "wait");
            await().atMost(Duration.ofSeconds(20))
                    .until(() ->
                            live.deltas.stream()
                                    .anyMatch(d ->
                                            d.update()
                                                    .path("action")
                                                    .asString("")
                                                    .equals("cancel")));
            assertThat(fixture.engine.turnRuns(id)).isTrue();
            fixture.engine.interrupt(id);
            fixture.awaitEvent(id, "run_finished");
        }
    }

    @Test
    @DisplayName("Idle timer: the session's value wins over its project's, 0 is for ever")
    void idleSessionsAreStopped(@TempDir Path directory) throws Exception {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            ObjectNode project = Json.object();
            project.put("annotations", "{\"tandem/inactivity-timeout\":\"1\"}");
            fixture.store.createProject("quick", project);
            ObjectNode fields = Json.object().put("name", "idle");
            String byProject = fixture.engine.create("quick", fields.deepCopy()).id();
            fields.put("inactivity_timeout", 0);
            String forEver = fixture.engine.create("quick", fields.deepCopy()).id();
            fields.put("inactivity_timeout", 1);
            String own = fixture.engine.create("default", fields.deepCopy()).id();
            String usual = fixture.session();
            for (String id : List.of(byProject, forEver, own, usual)) {
                fixture.engine.start(id);
            }
            for (String id : List.of(byProject, own)) {
                fixture.awaitPhase(id, Phase.STOPPED);
                assertThat(fixture.store.required(id).field("conditions").orElse(""))
                        .contains("\"reason\":\"idle\"", "Nothing happened for 1 s");
            }
            assertThat(fixture.store.required(forEver).phase()).isEqualTo(Phase.RUNNING);
            assertThat(fixture.store.required(usual).phase()).isEqualTo(Phase.RUNNING);
        }
    }

    @Test
    @DisplayName("A session that runs longer than its timeout is Failed, and says so")
    void theTimeoutEndsASession(@TempDir Path directory) throws Exception {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            String id = fixture.running();
            EngineFixture.Watching live = fixture.watch(id);
            fixture.send(id, "say begun", "wait");
            await().atMost(Duration.ofSeconds(20)).until(() -> !live.deltas.isEmpty());
            fixture.engine.update(id, fields -> fields.put("timeout", 1));
            fixture.awaitPhase(id, Phase.FAILED);
            assertThat(fixture.store.required(id).field("conditions").orElse(""))
                    .contains("\"reason\":\"timeout\"", "longer than its 1 s");
            assertThat(EngineFixture.said(fixture.log.after(id, 0, 100))).isEqualTo("begun");
        }
    }

    @Test
    @DisplayName("ACP-116 W7: a crash with messages waiting starts again once; two in a row do not")
    void crashesInARow(@TempDir Path directory) throws Exception {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            String id = fixture.running();
            fixture.send(id, "wait", "die 3");
            fixture.awaitTurn(id);
            fixture.send(id, "say once more");
            fixture.send(id, "die 4");
            fixture.send(id, "say never");
            fixture.engine.agentSession(id).orElseThrow().cancel();
            fixture.awaitEvent(id, "not_restarted");
            assertThat(fixture.events(id, 0)).containsOnlyOnce("restarting");
            List<Entry> log = fixture.log.after(id, 0, 1000);
            assertThat(EngineFixture.said(log)).as("what waited was said").isEqualTo("once more");
            assertThat(fixture.store.required(id).phase()).isEqualTo(Phase.FAILED);
            assertThat(fixture.engine.queue().list(id))
                    .extracting(entry -> entry.text("text").orElse(""))
                    .containsExactly("say never");
            assertThat(log.toString()).contains("crashed twice within 30 s");
            assertThat(log)
                    .filteredOn(e -> e.text("event").orElse("").equals("session_stopped"))
                    .extracting(e -> e.body().path("again").asBoolean(false))
                    .as("who waits for an answer knows whether one can come")
                    .containsExactly(true, false);

            fixture.engine.start(id);
            await().atMost(Duration.ofSeconds(40))
                    .until(() ->
                            EngineFixture.said(fixture.log.after(id, 0, 1000)).endsWith("never"));
        }
    }
}

package dev.tandem.hub.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.store.FullDisk;
import dev.tandem.protocol.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nobody waits for an agent that does not come back. */
class RestartsTest {
    private EngineFixture fixture;

    @BeforeEach
    void open(@TempDir Path directory) throws Exception {
        fixture = new EngineFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** Its agent is about to crash with a message behind it. */
    private String crashing(String... lines) {
        String id = fixture.running();
        fixture.send(id, lines);
        fixture.awaitTurn(id);
        fixture.send(id, "say next");
        return id;
    }

    private List<Entry> stops(String id) {
        return fixture.log.after(id, 0, 1000).stream()
                .filter(entry -> entry.text("event").orElse("").equals("session_stopped"))
                .toList();
    }

    private static boolean again(Entry stopped) {
        return stopped.body().path("again").asBoolean(false);
    }

    private void awaitStops(String id, int count) {
        await().atMost(Duration.ofSeconds(20)).until(() -> stops(id).size() >= count);
    }

    @Test
    @DisplayName("ACP-116 a restart that was promised and fails is taken back, with the reason")
    void aRestartThatFails() {
        String id = crashing("wait", "die 3");
        fixture.database.write(sql ->
                sql.update(
                        "CREATE TRIGGER refuse BEFORE UPDATE ON sessions WHEN NEW.phase = 'Pending'"
                                + " BEGIN SELECT RAISE(ABORT, 'no starts today'); END"));
        fixture.engine.agentSession(id).orElseThrow().cancel();
        awaitStops(id, 2);
        assertThat(stops(id)).extracting(RestartsTest::again).containsExactly(true, false);
        Entry last = stops(id).getLast();
        assertThat(last.text("phase")).contains("Failed");
        assertThat(last.text("reason")).contains("not_restarted");
        assertThat(last.text("message").orElse(""))
                .contains("no starts today", "Start the session to go on");
        assertThat(fixture.events(id, 0)).doesNotContain("restarting");
        assertThat(fixture.engine.queue().list(id)).as("what waits is kept").hasSize(1);
    }

    @Test
    @DisplayName("ACP-116 a restart that nothing waits for any more is taken back")
    void aRestartThatNobodyNeeds() throws Exception {
        String id = crashing("wait", "die 3");
        long waiting = fixture.engine.queue().list(id).getFirst().seq();
        try (AutoCloseable _ =
                fixture.store.watch((change, session) -> {
                    if (session.id().equals(id) && session.phase() == Phase.FAILED) {
                        fixture.engine.queue().withdraw(id, waiting);
                    }
                })) {
            fixture.engine.agentSession(id).orElseThrow().cancel();
            awaitStops(id, 2);
        }
        assertThat(stops(id)).extracting(RestartsTest::again).containsExactly(true, false);
        assertThat(fixture.store.required(id).phase()).isEqualTo(Phase.FAILED);
    }

    @Test
    @DisplayName("ACP-116 what the user stopped while it crashed stays stopped")
    void aStopDuringACrash() {
        String id = crashing("huge 300000", "wait", "die 3");
        FullDisk.fill(fixture.database);
        fixture.engine.agentSession(id).orElseThrow().cancel();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> fixture.engine.agentSession(id).isPresent() && !runs(id));
        fixture.engine.stop(id);
        FullDisk.free(fixture.database);
        awaitStops(id, 1);
        await().during(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(10))
                .until(() -> !fixture.events(id, 0).contains("restarting"));
        assertThat(stops(id)).extracting(RestartsTest::again).containsExactly(false);
        assertThat(fixture.store.required(id).phase()).isEqualTo(Phase.STOPPED);
    }

    private boolean runs(String id) {
        return fixture.engine.agentSession(id).orElseThrow().agent().isRunning();
    }

    @Test
    @DisplayName("ACP-116 a hub that ended before the restart takes it back when it comes up")
    void aHubThatEndedInBetween() {
        String id = fixture.session();
        for (Phase phase : List.of(Phase.PENDING, Phase.CREATING, Phase.RUNNING, Phase.FAILED)) {
            fixture.store.move(id, phase);
        }
        fixture.log.append(
                id,
                Entry.Kind.LIFECYCLE,
                Json.object().put("event", "session_stopped").put("again", true));
        fixture.engine.open();
        fixture.engine.open();
        assertThat(stops(id)).extracting(RestartsTest::again).containsExactly(true, false);
        assertThat(stops(id).getLast().text("message").orElse("")).contains("hub was restarted");
    }
}

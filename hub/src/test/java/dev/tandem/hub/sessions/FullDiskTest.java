package dev.tandem.hub.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.store.FullDisk;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullDiskTest {
    private static final int LONG = 300_000;

    @Test
    @DisplayName(
            "Bad input: on a full disk a message is refused whole, and taken when there is room")
    void aMessageIsRefusedWhole(@TempDir Path directory) throws Exception {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            String id = fixture.session();
            int sessions = fixture.store.sessions().size();
            FullDisk.fill(fixture.database);
            assertThatThrownBy(() -> fixture.send(id, "say " + "x".repeat(LONG)))
                    .isInstanceOfSatisfying(
                            TandemException.class,
                            e -> {
                                assertThat(e.code()).isEqualTo(ErrorCode.STORE_FULL);
                                assertThat(e.message()).contains("tandem.db", "free some space");
                            });
            assertThat(fixture.log.after(id, 0, 10)).isEmpty();
            assertThat(fixture.engine.queue().list(id)).isEmpty();
            assertThatThrownBy(() ->
                            fixture.engine.create(
                                    "default",
                                    Json.object()
                                            .put("name", "half")
                                            .put("prompt", "x".repeat(LONG))))
                    .isInstanceOf(TandemException.class);
            assertThat(fixture.store.sessions()).as("no half a session").hasSize(sessions);

            FullDisk.free(fixture.database);
            assertThat(fixture.send(id, "say " + "x".repeat(LONG)).seq()).isEqualTo(1);
            assertThat(fixture.engine.queue().list(id)).hasSize(1);
        }
    }

    @Test
    @DisplayName("Bad input: what an agent says while the disk is full waits, is told, and is kept")
    void whatTheAgentSaysWaits(@TempDir Path directory) throws Exception {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            String id = fixture.running();
            EngineFixture.Watching live = fixture.watch(id);
            Entry prompt = fixture.send(id, "wait", "huge " + LONG, "say  and its end");
            fixture.awaitTurn(id);
            FullDisk.fill(fixture.database);
            fixture.engine.interrupt(id);
            await().atMost(Duration.ofSeconds(30))
                    .until(() ->
                            live.deltas.stream()
                                    .anyMatch(d ->
                                            d.update()
                                                    .path("title")
                                                    .asString("")
                                                    .contains("disk is full")));
            assertThat(fixture.engine.turnRuns(id)).as("its end is not stored yet").isTrue();
            assertThat(EngineFixture.said(fixture.log.after(id, 0, 100))).isEmpty();
            assertThat(fixture.store.required(id).phase()).isEqualTo(Phase.RUNNING);

            FullDisk.free(fixture.database);
            fixture.awaitEvent(id, "run_finished");
            List<Entry> log = fixture.log.after(id, 0, 100);
            assertThat(EngineFixture.said(log)).hasSize(LONG + 12).endsWith(" and its end");
            assertThat(log.stream().map(Entry::seq).toList())
                    .as("no hole, nothing twice")
                    .isEqualTo(LongStream.rangeClosed(1, log.size()).boxed().toList());
            assertThat(fixture.events(id, prompt.seq())).containsOnlyOnce("run_finished");
            assertThat(EngineFixture.said(fixture.play(id, "say next"))).isEqualTo("next");
        }
    }

    @Test
    @DisplayName("Bad input: a crash on a full disk ends as Failed once there is room")
    void aCrashIsNotHalfTold(@TempDir Path directory) throws Exception {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            String id = fixture.running();
            fixture.send(id, "huge " + LONG, "wait", "die 3");
            fixture.awaitTurn(id);
            FullDisk.fill(fixture.database);
            fixture.engine.agentSession(id).orElseThrow().cancel();
            await().during(Duration.ofMillis(600))
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> fixture.store.required(id).phase() == Phase.RUNNING);
            FullDisk.free(fixture.database);
            fixture.awaitPhase(id, Phase.FAILED);
            assertThat(EngineFixture.said(fixture.log.after(id, 0, 100))).hasSize(LONG);
            assertThat(fixture.engine.running()).isZero();
        }
    }
}

package dev.tandem.hub.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Processes;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One process for several sessions, where the user allows it for an agent. */
class SharedProcessTest {
    private EngineFixture fixture;
    private SessionEngine engine;

    @BeforeEach
    void open(@TempDir Path directory) throws Exception {
        fixture = new EngineFixture(directory);
        engine = fixture.engine;
        fixture.sharedAgent("team");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private String member(String... annotations) {
        List<String> all = new ArrayList<>(List.of(annotations));
        all.addAll(List.of("tandem/agent", "team"));
        return fixture.running(all.toArray(String[]::new));
    }

    private long pid(String id) {
        return engine.agentSession(id).orElseThrow().agent().pid();
    }

    private static boolean alive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    private void mode(String id, String mode) {
        engine.update(
                id,
                fields -> {
                    var all = Json.parseObject(fields.get("annotations").asString());
                    return fields.put("annotations", Json.write(all.put("tandem/mode", mode)));
                });
    }

    @Test
    @DisplayName("ACP-115 two sessions prompt in one process at once, and nothing mixes")
    void twoInOneProcess() {
        String one = member();
        String two = member();
        assertThat(pid(two)).isEqualTo(pid(one));
        fixture.send(one, "say one: ", "chunks 2000");
        fixture.send(two, "say two: ", "chunks 2000");
        fixture.awaitEvent(one, "run_finished");
        fixture.awaitEvent(two, "run_finished");
        String numbers =
                IntStream.range(0, 2000).mapToObj(i -> i + " ").collect(Collectors.joining());
        assertThat(EngineFixture.said(fixture.log.after(one, 0, 100))).isEqualTo("one: " + numbers);
        assertThat(EngineFixture.said(fixture.log.after(two, 0, 100))).isEqualTo("two: " + numbers);
    }

    @Test
    @DisplayName("ACP-115 SEC-11 never across mode, project or folder, nor unless it is allowed")
    void neverAcross() {
        long own = pid(member());
        assertThat(pid(member("tandem/mode", "act"))).isNotEqualTo(own);
        assertThat(pid(member("tandem/profile", "all"))).isNotEqualTo(own);
        fixture.store.createProject("other", Json.object());
        String elsewhere =
                engine.create(
                                "other",
                                Json.object().put("annotations", "{\"tandem/agent\":\"team\"}"))
                        .id();
        engine.start(elsewhere);
        fixture.awaitPhase(elsewhere, Phase.RUNNING);
        assertThat(pid(elsewhere)).isNotEqualTo(own);
        assertThat(pid(fixture.running())).isNotEqualTo(pid(fixture.running()));
        fixture.sharedAgent("team", "--caps={}");
        assertThat(pid(member()))
                .as("an agent that cannot end one of its sessions")
                .isNotEqualTo(pid(member()));
    }

    @Test
    @DisplayName("ACP-115 AMB-198 one stops and the other goes on; the last ends the process")
    void theLastEndsIt() {
        String one = member();
        String two = member();
        long process = pid(one);
        fixture.send(two, "wait", "say still here");
        fixture.awaitTurn(two);
        engine.stop(one);
        fixture.awaitPhase(one, Phase.STOPPED);
        engine.agentSession(two).orElseThrow().cancel();
        fixture.awaitEvent(two, "run_finished");
        assertThat(EngineFixture.said(fixture.log.after(two, 0, 100))).isEqualTo("still here");

        // ACP-L36: not in the process that has had this conversation
        engine.start(one);
        fixture.awaitPhase(one, Phase.RUNNING);
        assertThat(pid(one)).isNotEqualTo(process);
        engine.delete(two);
        assertThat(alive(process)).isFalse();
        assertThat(EngineFixture.said(fixture.play(one, "say again"))).isEqualTo("again");
    }

    private static List<String> states(EngineFixture.Watching watching) {
        return List.copyOf(watching.deltas).stream()
                .map(SessionFeed.Delta::update)
                .filter(update -> update.path("sessionUpdate").asString("").equals(AgentNews.KIND))
                .map(update -> update.path("state").asString(""))
                .toList();
    }

    @Test
    @DisplayName("ACP-115 W7 a process that others work in is not told as ended")
    void whatGoesOnIsNotToldAsEnded() {
        String one = member();
        String two = member();
        EngineFixture.Watching first = fixture.watch(one);
        EngineFixture.Watching second = fixture.watch(two);
        engine.stop(one);
        fixture.awaitPhase(one, Phase.STOPPED);
        assertThat(states(first)).isEmpty();
        engine.stop(two);
        fixture.awaitPhase(two, Phase.STOPPED);
        assertThat(states(second)).containsExactly("stopping", "exited");
    }

    @Test
    @DisplayName("AMB-L66 a stop that the agent does not confirm ends the process")
    void aStopIsAStop() {
        fixture.sharedAgent("team", "--mute=session/close");
        String one = member();
        String two = member();
        long process = pid(one);
        assertThat(pid(two)).isEqualTo(process);
        engine.stop(one);
        fixture.awaitPhase(one, Phase.STOPPED);
        assertThat(alive(process)).isFalse();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> !fixture.store.required(two).phase().live());
    }

    @Test
    @DisplayName("ACP-115 ACP-116 a killed process fails all its sessions, and all can start again")
    void aCrashIsEverybodys() {
        String one = member();
        String two = member();
        ProcessHandle.of(pid(one)).orElseThrow().destroyForcibly();
        for (String id : List.of(one, two)) {
            fixture.awaitPhase(id, Phase.FAILED);
            engine.start(id);
        }
        for (String id : List.of(one, two)) {
            fixture.awaitPhase(id, Phase.RUNNING);
            assertThat(EngineFixture.said(fixture.play(id, "say back"))).isEqualTo("back");
        }
        assertThat(pid(two)).isEqualTo(pid(one));
    }

    @Test
    @DisplayName("SEC-1 a process of a shared agent is that session's which works, or nobody's")
    void whoseProcessItIs() {
        String one = member("tandem/mode", "act");
        String two = member("tandem/mode", "act");
        long process = pid(one);
        fixture.send(two, "wait");
        fixture.awaitTurn(two);
        assertThat(
                        engine.door()
                                .actor(Processes.ancestry(process).orElseThrow())
                                .flatMap(Caller::session))
                .contains(two);
        fixture.send(one, "open sleep 603", "wait");
        await().until(() -> !engine.agentSession(one).orElseThrow().commands().isEmpty());
        assertThat(
                        engine.door()
                                .actor(Processes.ancestry(process).orElseThrow())
                                .orElseThrow()
                                .session())
                .isEmpty();
        assertThat(
                        engine.door()
                                .actor(Processes.ancestry(process).orElseThrow())
                                .orElseThrow()
                                .mode())
                .isEqualTo(Caller.Mode.READ_ONLY);
        long command =
                ProcessHandle.current()
                        .descendants()
                        .filter(p -> p.info().commandLine().orElse("").contains("sleep 603"))
                        .findFirst()
                        .orElseThrow()
                        .pid();
        assertThat(
                        engine.door()
                                .actor(Processes.ancestry(command).orElseThrow())
                                .flatMap(Caller::session))
                .as("what the hub runs for a session is that session's")
                .contains(one);
    }

    @Test
    @DisplayName("SEC-11 another mode is had in another process only")
    void anotherModeIsAnotherProcess() {
        String one = member();
        long alone = pid(one);
        mode(one, "act");
        assertThat(pid(one)).as("nobody else is there").isEqualTo(alone);
        mode(one, "ask");
        String two = member();
        assertThat(pid(two)).isEqualTo(alone);
        fixture.send(two, "wait");
        fixture.awaitTurn(two);
        assertThatThrownBy(() -> mode(two, "act"))
                .isInstanceOf(TandemException.class)
                .hasMessageContaining("Stop the turn");
        assertThat(fixture.store.required(two).mode()).isEqualTo(Caller.Mode.ASK);

        mode(two, "read-only");
        await().atMost(Duration.ofSeconds(30))
                .until(() ->
                        engine.agentSession(two)
                                .filter(session -> session.agent().pid() != alone)
                                .isPresent());
        fixture.awaitPhase(two, Phase.RUNNING);
        assertThat(engine.turnRuns(two)).isFalse();
        assertThat(pid(one)).isEqualTo(alone);
    }
}

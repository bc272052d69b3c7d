package dev.tandem.hub.agent;

import static dev.tandem.hub.agent.AgentFixture.play;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PromptTurnTest {
    private AgentFixture fixture;
    private Agent agent;
    private RecordingHost host;
    private AgentSession session;

    @BeforeAll
    void startAgent(@TempDir Path directory) {
        fixture = new AgentFixture(directory);
        agent = fixture.start();
    }

    @AfterAll
    void stopAgent() {
        fixture.close();
    }

    @BeforeEach
    void openSession() {
        host = new RecordingHost();
        session = agent.newSession(fixture.setup(), host);
    }

    @Test
    @DisplayName("ACP-2 ACP-3 line ends, separators and emoji survive the pipe")
    void oddCharactersSurvive() throws Exception {
        String odd = "a\u2028b\u2029c\ud83d\ude80d\te\"f\\g";
        TurnEnd end = play(session, "say " + odd + "\rh");
        assertThat(host.text()).isEqualTo(odd + "\rh");
        assertThat(end.stopReason()).isEqualTo("end_turn");
        assertThat(ProcessHandle.of(agent.pid()).orElseThrow().parent().orElseThrow().pid())
                .isEqualTo(ProcessHandle.current().pid());
    }

    @Test
    @DisplayName("ACP-4 ACP-41 ten thousand chunks arrive complete and in order")
    void manyChunksInOrder() throws Exception {
        play(session, "chunks 10000");
        assertThat(host.text())
                .isEqualTo(
                        IntStream.range(0, 10_000)
                                .mapToObj(i -> i + " ")
                                .collect(Collectors.joining()));
    }

    @Test
    @DisplayName("ACP-114 ACP-115 three sessions of one process stream side by side, none mixes")
    void sessionsDoNotMix() throws Exception {
        List<RecordingHost> hosts =
                IntStream.range(0, 3).mapToObj(i -> new RecordingHost()).toList();
        List<AgentSession> sessions =
                hosts.stream().map(h -> agent.newSession(fixture.setup(), h)).toList();
        List<CompletableFuture<TurnEnd>> turns =
                IntStream.range(0, 3)
                        .mapToObj(i ->
                                sessions.get(i)
                                        .prompt(AgentFixture.text("say " + i + "!\nchunks 2000")))
                        .toList();
        CompletableFuture.allOf(turns.toArray(CompletableFuture<?>[]::new)).join();
        String numbers =
                IntStream.range(0, 2000).mapToObj(i -> i + " ").collect(Collectors.joining());
        for (int i = 0; i < 3; i++) {
            assertThat(hosts.get(i).text()).isEqualTo(i + "!" + numbers);
        }
    }

    @Test
    @DisplayName("ACP-93 every stop reason is told, unknown ones as they are")
    void stopReasons() throws Exception {
        for (String reason :
                List.of(
                        "end_turn",
                        "max_tokens",
                        "max_turn_requests",
                        "refusal",
                        "cancelled",
                        "tired")) {
            assertThat(play(session, "stop " + reason).stopReason()).isEqualTo(reason);
        }
    }
}

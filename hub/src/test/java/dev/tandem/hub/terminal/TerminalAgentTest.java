package dev.tandem.hub.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The hub keeps its terminal agent alive, but not over and over; with real processes. */
@Timeout(90)
class TerminalAgentTest {
    private static final String ORIGIN = "chrome-extension://somebody";
    private static final int STARTS = 4;

    @TempDir Path folder;
    private Path state;

    @BeforeEach
    void state() throws IOException {
        state =
                Files.createDirectory(
                        folder.resolve("state"),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
    }

    private TerminalAgent agent(String classPath) {
        return new TerminalAgent(
                state, ORIGIN, Optional.of(new AgentCommand(classPath, List.of())));
    }

    // The agent watchdog's guard: three respawns within a minute, then a person decides.
    @Test
    void agentThatKeepsDyingStaysOffUntilAPersonWantsIt() throws Exception {
        long last;
        try (TerminalAgent agent = agent(System.getProperty("java.class.path"))) {
            agent.start();
            Set<Long> seen = new HashSet<>();
            while (!agent.off()) {
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> agent.off() || agent.port().isPresent());
                if (agent.port().isPresent()) {
                    long pid = AgentLink.read(state).pid();
                    seen.add(pid);
                    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
                    process.destroyForcibly();
                    process.onExit().join();
                    await().until(() -> agent.off() || agent.port().isEmpty());
                }
            }
            assertThat(seen).hasSize(STARTS);
            assertThat(ProcessHandle.current().children().map(ProcessHandle::pid))
                    .doesNotContainAnyElementsOf(seen);

            agent.revive();
            await().atMost(Duration.ofSeconds(30)).until(() -> agent.port().isPresent());
            last = AgentLink.read(state).pid();
            assertThat(seen).doesNotContain(last);
        }
        // nobody starts another one now; while it runs, it writes into the folder that goes next
        ProcessHandle.of(last).ifPresent(ProcessHandle::destroy);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> ProcessHandle.of(last).map(one -> !one.isAlive()).orElse(true));
    }

    @Test
    void agentThatNeverBecomesReadyIsGivenUpToo() {
        try (TerminalAgent agent = agent(folder.toString())) {
            agent.start();
            await().atMost(Duration.ofSeconds(30)).until(agent::off);
            assertThat(agent.port()).isEmpty();
            assertThat(folder.resolve("state/logs/terminal.log"))
                    .content()
                    .containsPattern("(?s)(Could not find or load main class.*){4}")
                    .doesNotContainPattern("(?s)(Could not find or load main class.*){5}");
        }
    }
}

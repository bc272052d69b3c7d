package dev.tandem.hub.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.protocol.Json;
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
            assertThat(agent.facts()).isEqualTo(Json.object().put("state", "off"));
            assertThat(ProcessHandle.current().children().map(ProcessHandle::pid))
                    .doesNotContainAnyElementsOf(seen);

            agent.revive();
            await().atMost(Duration.ofSeconds(30)).until(() -> agent.port().isPresent());
            last = AgentLink.read(state).pid();
            assertThat(seen).doesNotContain(last);
            assertThat(agent.facts())
                    .isEqualTo(
                            Json.object()
                                    .put("state", "ready")
                                    .put("pid", last)
                                    .put("port", agent.port().orElseThrow()));
        }
        // nobody starts another one now
        end(last);
    }

    /** While it runs, it writes into the folder that goes next. */
    private static void end(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> ProcessHandle.of(pid).map(one -> !one.isAlive()).orElse(true));
    }

    // TRM-L02: the watchdog asks healthz; one that runs but does not answer makes way
    @Test
    void agentThatHangsIsReplaced() throws Exception {
        long last;
        try (TerminalAgent agent = agent(System.getProperty("java.class.path"))) {
            agent.start();
            await().atMost(Duration.ofSeconds(30)).until(() -> agent.port().isPresent());
            AgentLink first = AgentLink.read(state);
            AgentWatch watch = new AgentWatch(agent);
            watch.look();
            assertThat(ProcessHandle.of(first.pid())).isPresent();
            new ProcessBuilder("kill", "-STOP", Long.toString(first.pid())).start().waitFor();
            watch.look();
            assertThat(ProcessHandle.of(first.pid())).as("one silence is no proof").isPresent();
            watch.look();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> agent.port().filter(port -> port != first.port()).isPresent());
            last = AgentLink.read(state).pid();
        }
        end(last);
    }

    // TRM-L02: what answers "stale generation" is another agent, and its record says how to ask it
    @Test
    void staleGenerationLeadsToTheRecord() throws Exception {
        long pid;
        try (TerminalAgent agent = agent(System.getProperty("java.class.path"))) {
            agent.start();
            await().atMost(Duration.ofSeconds(30)).until(() -> agent.port().isPresent());
            AgentLink now = AgentLink.read(state);
            pid = now.pid();
            agent.link(new AgentLink(now.port(), now.token(), "of another time", now.pid()));
            assertThat(agent.get("healthz").path("gen").asString()).isEqualTo(now.generation());
            agent.link(new AgentLink(now.port(), "of another time", "x", now.pid()));
            assertThat(agent.post("owner-of", Json.object().put("pid", 1)).has("descendant"))
                    .isTrue();
        }
        end(pid);
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

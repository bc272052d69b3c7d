package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.protocol.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tool command without a hub: it starts one, works, and leaves it running. */
class AutoStartTest {
    @TempDir Path folder;

    private Launcher cold() {
        return new Launcher(Launcher.freshState(folder))
                .with("TANDEM_NO_START", "")
                .with("TANDEM_UP_OPTIONS", "--browser=none --port 0");
    }

    private static void stop(Launcher launcher) {
        Launcher.Run stop = launcher.run("stop");
        assertThat(stop.exit()).as(stop.all()).isZero();
        assertThat(launcher.state().resolve("browse.json")).doesNotExist();
    }

    // TRM-012: also where a hub that was killed left its browse.json
    @Test
    void aCommandStartsAHubAndTheNextOneUsesIt() throws Exception {
        Launcher launcher = cold();
        try {
            Launcher.Run first = launcher.run("sessions", "--json");
            assertThat(first.exit()).as(first.all()).isZero();
            assertThat(first.err()).contains("starting one", "tandem stop");
            assertThat(first.out()).contains("\"success\":true");
            Launcher.Run second = launcher.run("skill-list", "--json");
            assertThat(second.exit()).isZero();
            assertThat(second.err()).isEmpty();
            var browse = Json.parse(Files.readString(launcher.state().resolve("browse.json")));
            ProcessHandle hub = ProcessHandle.of(browse.path("pid").asLong()).orElseThrow();
            hub.destroyForcibly();
            hub.onExit().get(10, TimeUnit.SECONDS);
            Launcher.Run third = launcher.run("sessions", "--json");
            assertThat(third.exit()).as(third.all()).isZero();
        } finally {
            stop(launcher);
        }
    }

    // TRM-012: one hub comes of it, and no command is told off because another was sooner
    @Test
    void commandsThatStartAHubAtOnceShareIt() {
        Launcher launcher = cold();
        try {
            List<CompletableFuture<Launcher.Run>> runs =
                    IntStream.range(0, 3)
                            .mapToObj(i ->
                                    CompletableFuture.supplyAsync(
                                            () -> launcher.run("sessions", "--json"),
                                            Thread::startVirtualThread))
                            .toList();
            for (CompletableFuture<Launcher.Run> run : runs) {
                assertThat(run.join().exit()).as(run.join().all()).isZero();
            }
        } finally {
            stop(launcher);
        }
    }

    // SEC-2: a hub would end with the agent's session, and know nothing of whose agent that is
    @Test
    void anAgentStartsNone() {
        Launcher launcher = cold().with("TANDEM_TREE", "an agent's");
        Launcher.Run run = launcher.run("sessions", "--json");
        assertThat(run.exit()).as(run.all()).isEqualTo(10);
        assertThat(run.out()).contains("hub_unreachable", "agents start none", "TANDEM_STATE_DIR");
        assertThat(launcher.state().resolve("browse.json")).doesNotExist();
    }

    // TRM-012, TRM-016, TRM-C14: the hub of a cold connect starts the terminal agent
    @Test
    void connectStartsHubAndTerminalAgent() throws Exception {
        Launcher launcher = cold();
        try {
            launcher.run("connect");
            Path port = launcher.state().resolve("terminal-port");
            await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(port));
            var browse = Json.parse(Files.readString(launcher.state().resolve("browse.json")));
            var record =
                    Json.parse(Files.readString(launcher.state().resolve("terminal-agent-pid")));
            ProcessHandle agent = ProcessHandle.of(record.path("pid").asLong()).orElseThrow();
            assertThat(agent.parent().map(ProcessHandle::pid))
                    .hasValue(browse.path("pid").asLong());
            String health = "http://127.0.0.1:" + browse.path("port").asInt() + "/health";
            await().untilAsserted(() ->
                    assertThat(Http.get(health).json().path("terminalPort").asString(""))
                            .isEqualTo(Files.readString(port)));
        } finally {
            stop(launcher);
        }
    }
}

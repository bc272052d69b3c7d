package dev.tandem.hub.agent;

import static dev.tandem.hub.agent.AgentFixture.play;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.auth.Processes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything that an agent starts: whose it is, and that it ends. */
class ProcessTreesTest {
    private AgentFixture fixture;
    private Path directory;

    @BeforeEach
    void prepare(@TempDir Path temporary) throws Exception {
        directory = temporary.toRealPath();
        fixture = new AgentFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("ACP-117 ACP-L35 stopping leaves no child and no double fork behind")
    void wholeTreeEnds() throws Exception {
        Path childFile = directory.resolve("child.pid");
        Agent agent = fixture.start("--deaf", "--child=" + childFile);
        RecordingHost host = new RecordingHost();
        play(agent.newSession(fixture.setup(), host), "fork", "say !", "open sleep 601");
        long child = Long.parseLong(Files.readString(childFile));
        long forked = Long.parseLong(host.text().replaceAll("(?s).*forked (\\d+).*", "$1"));
        assertThat(ProcessHandle.of(child)).isPresent();
        assertThat(ProcessHandle.of(forked)).isPresent();
        agent.close();
        await().until(() -> gone(child) && gone(forked) && gone(agent.pid()));
        assertThat(ProcessHandle.current().descendants())
                .noneMatch(
                        p -> p.info().arguments().map(List::of).orElse(List.of()).contains("601"));
    }

    @Test
    @DisplayName("ACP-117 ACP-L35 fifty wrappers around a child that outlives them leave no orphan")
    void wrappersLeaveNoOrphan() throws Exception {
        Path children = directory.resolve("children");
        AgentEntry wrapper =
                AgentLifecycleTest.program(
                        "sh",
                        "-c",
                        "sleep 602 & echo $! >>\"$0\"; setsid sleep 602 & echo $! >>\"$0\";"
                                + " read hello; echo '{\"jsonrpc\":\"2.0\",\"id\":1,"
                                + "\"result\":{\"protocolVersion\":1}}'; cat >/dev/null",
                        children.toString());
        AgentRuntime runtime = new AgentRuntime(fixture.trees, AgentFixture.QUICK, "0.1.0");
        // Each waits longer than it works.
        try (var executor = Executors.newFixedThreadPool(8)) {
            List<Future<?>> cycles = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                boolean wrapperDiesFirst = i % 2 == 0;
                cycles.add(executor.submit(() -> cycle(wrapper, runtime, wrapperDiesFirst)));
            }
            for (Future<?> cycle : cycles) {
                cycle.get();
            }
        }
        List<String> all = Files.readAllLines(children);
        assertThat(all).hasSize(100);
        await().until(() -> all.stream().allMatch(child -> gone(Long.parseLong(child))));
    }

    private void cycle(AgentEntry wrapper, AgentRuntime runtime, boolean wrapperDiesFirst) {
        Agent agent = Agent.start(wrapper, wrapper.launch("owner-1", directory, Map.of()), runtime);
        if (wrapperDiesFirst) {
            // Its children hold its output open, and it is noticed all the same (ACP-116).
            ProcessHandle.of(agent.pid()).orElseThrow().destroyForcibly();
            await().atMost(Duration.ofSeconds(60)).until(() -> !agent.isRunning());
        }
        agent.close();
    }

    private static boolean gone(long pid) {
        return ProcStat.of(pid).isEmpty();
    }

    @Test
    @DisplayName("SEC-1 whoever descends from an agent is known as its owner's, double forks too")
    void ownersAreKnown() throws Exception {
        Agent agent = fixture.start();
        RecordingHost host = new RecordingHost();
        play(agent.newSession(fixture.setup(), host), "fork");
        long forked = Long.parseLong(host.text().replaceAll("(?s).*forked (\\d+).*", "$1"));
        assertThat(fixture.trees.ownerOf(line(agent.pid()))).contains("owner-1");
        assertThat(fixture.trees.ownerOf(line(forked))).contains("owner-1");
        assertThat(
                        fixture.trees.ownerOf(
                                line(ProcessHandle.current().parent().orElseThrow().pid())))
                .isEmpty();
        Process unmarked = new ProcessBuilder("sleep", "600").start();
        try {
            assertThat(fixture.trees.ownerOf(line(unmarked.pid())))
                    .contains(ProcessTrees.UNKNOWN_OWNER);
        } finally {
            unmarked.destroyForcibly();
        }
    }

    @Test
    @DisplayName("SEC-1 what the hub did not start itself is a stray, however long its line is")
    void straysAreKnown() throws Exception {
        long hub = ProcessHandle.current().pid();
        Process own = new ProcessBuilder("sleep", "600").start();
        Process apart = new ProcessBuilder("setsid", "sleep", "600").start();
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        try {
            await().until(() -> fixture.trees.stray(line(apart.pid())));
            assertThat(fixture.trees.stray(line(own.pid()))).isFalse();
            assertThat(fixture.trees.stray(line(hub))).isFalse();
            assertThat(fixture.trees.stray(List.of(ended.pid(), hub))).isTrue();
            List<Long> deep = new ArrayList<>(Collections.nCopies(5000, ended.pid()));
            deep.addAll(line(apart.pid()));
            assertThat(fixture.trees.stray(deep)).isTrue();
            assertThat(fixture.trees.ownerOf(deep)).contains(ProcessTrees.UNKNOWN_OWNER);
        } finally {
            own.destroyForcibly();
            apart.destroyForcibly();
        }
    }

    private static List<Long> line(long pid) {
        return Processes.ancestry(pid).orElseThrow();
    }
}

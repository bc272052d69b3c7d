package dev.tandem.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The agent process: how it starts, whom it belongs to, how it ends. */
@Timeout(30)
class LifecycleTest {
    private static final String START = "{\"type\":\"start\"}";
    private static final Map<String, String> QUICK =
            Map.of(
                    "GSTACK_TERMINAL_OWNER_WATCHDOG_MS",
                    "50",
                    "TANDEM_TERMINAL_OWNER_GRACE_MS",
                    "1500");

    @TempDir Path dir;

    private static Process sleeper() throws IOException {
        return new ProcessBuilder("sleep", "100").start();
    }

    private static Client running(AgentProcess agent, Map<String, Object> fields) throws Exception {
        Client client = Client.started(agent, agent.grant(Secrets.make(16), fields), START);
        client.untilText("ready");
        return client;
    }

    private static int pid(Client client) {
        return client.message("hello").path("pid").asInt();
    }

    @Test
    void withoutTerminalsItEndsWithItsOwnerAndTakesItsFilesAlong() throws Exception {
        Process owner = sleeper();
        try (AgentProcess agent = new AgentProcess(dir, "cat", QUICK, owner.pid())) {
            owner.destroyForcibly();
            assertThat(agent.process().waitFor()).isZero();
            assertThat(agent.state().resolve("terminal-port")).doesNotExist();
            assertThat(agent.state().resolve("terminal-internal-token")).doesNotExist();
            assertThat(agent.state().resolve("terminal-agent-pid")).doesNotExist();
        }
    }

    // TRM-L08
    @Test
    void withTerminalsItWaitsForANewOwnerAndGoesOnUnderIt() throws Exception {
        Process owner = sleeper();
        try (AgentProcess agent = new AgentProcess(dir, "echo ready; cat", QUICK, owner.pid());
                Client client = running(agent, AgentProcess.resumable())) {
            owner.destroyForcibly().waitFor();
            agent.internal("POST", "adopt", "{\"ownerPid\":" + ProcessHandle.current().pid() + "}");
            await().during(java.time.Duration.ofMillis(1700))
                    .atMost(java.time.Duration.ofSeconds(4))
                    .until(() -> agent.process().isAlive());
            client.socket().keys("go on\n");
            client.untilText("go on\r\ngo on");
        }
    }

    @Test
    void unadoptedItEndsItsTerminalsAndItself() throws Exception {
        Process owner = sleeper();
        try (AgentProcess agent = new AgentProcess(dir, "echo ready; cat", QUICK, owner.pid());
                Client client = running(agent, AgentProcess.resumable())) {
            owner.destroyForcibly();
            assertThat(client.untilClose()).isEqualTo(1001);
            assertThat(agent.process().waitFor()).isZero();
            assertThat(ProcessTree.entry(pid(client))).isEmpty();
        }
    }

    // SEC-1: what left its terminal by a double fork does not outlive the agent either
    @Test
    void nothingOutlivesAStoppedAgent() throws Exception {
        String daemon =
                "(setsid sh -c 'echo $$ > \"$HOME/daemon\"; exec sleep 100' </dev/null >/dev/null 2>&1 &);"
                        + " echo ready; cat";
        try (AgentProcess agent = new AgentProcess(dir, daemon, Map.of());
                Client client = running(agent, Map.of())) {
            Path file = dir.resolve("daemon");
            await().until(() -> Files.exists(file) && !Files.readString(file).isBlank());
            int forked = Integer.parseInt(Files.readString(file).strip());
            assertThat(ProcessTree.entry(forked)).isPresent();
            agent.process().destroy();
            assertThat(client.untilClose()).isEqualTo(1001);
            agent.process().waitFor();
            await().until(() -> ProcessTree.entry(forked).isEmpty());
            assertThat(ProcessTree.entry(pid(client))).isEmpty();
        }
    }

    // TRM-046, TRM-011
    @Test
    void newAgentHasNewSecretsAndSweepsWhatAKilledOneLeft() throws Exception {
        String deaf = "trap '' HUP INT TERM; echo ready; while :; do sleep 0.1; done";
        String oldToken;
        String granted;
        int left;
        AgentProcess first = new AgentProcess(dir, deaf, Map.of());
        try (Client client = running(first, Map.of())) {
            left = pid(client);
            oldToken = first.internalToken();
            granted = first.grant("s", Map.of());
            first.process().destroyForcibly().waitFor();
        }
        assertThat(ProcessTree.entry(left)).as("it ignores the hang-up").isPresent();
        try (AgentProcess second = new AgentProcess(dir, deaf, Map.of())) {
            await().until(() -> ProcessTree.entry(left).isEmpty());
            assertThat(second.internalToken()).isNotEqualTo(oldToken);
            assertThat(
                            second.send(
                                            "GET",
                                            "/internal/healthz",
                                            "",
                                            "Authorization",
                                            "Bearer " + oldToken)
                                    .statusCode())
                    .isEqualTo(403);
            assertThatThrownBy(() -> second.open(granted)).hasMessageContaining("401");
        }
    }

    // TRM-018
    @Test
    void absentClaudeIsSaidInTheFileAndOnTheSocket() throws Exception {
        Map<String, String> nowhere =
                Map.of("TANDEM_TERMINAL_BINARY", "/nowhere", "PATH", "/nowhere");
        try (AgentProcess agent = new AgentProcess(dir, "", nowhere)) {
            Path file = agent.state().resolve("claude-available.json");
            await().until(() -> Files.exists(file));
            assertThat(Files.readString(file)).contains("\"available\":false");
            try (Client client = Client.started(agent, agent.grant("s", Map.of()), START)) {
                assertThat(client.untilMessage("error").path("code").asString())
                        .isEqualTo("CLAUDE_NOT_FOUND");
                assertThat(client.untilClose()).isEqualTo(4404);
            }
        }
    }

    // SEC-26
    @Test
    void stateDirectoryThatOthersMayReadIsRefused() throws Exception {
        Path state = Files.createDirectory(dir.resolve("state"));
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThatThrownBy(() -> new AgentProcess(dir, "cat", Map.of()))
                .hasMessageContaining("open to other users");
        Files.delete(state);
        Path real = Files.createDirectory(dir.resolve("real"));
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwx------"));
        Files.createSymbolicLink(state, real);
        assertThatThrownBy(() -> StateFiles.open(state)).hasMessageContaining("not a directory");
    }

    // a container's user has a number and no name
    @Test
    void aUserWithoutANameHasAStateDirectoryToo() throws Exception {
        Path state = Files.createDirectory(dir.resolve("state"));
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwx------"));
        String me = System.getProperty("user.name");
        System.setProperty("user.name", "?");
        try {
            assertThat(StateFiles.open(state).path("x")).isEqualTo(state.resolve("x"));
        } finally {
            System.setProperty("user.name", me);
        }
    }
}

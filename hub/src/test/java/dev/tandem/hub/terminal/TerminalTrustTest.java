package dev.tandem.hub.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.hub.HeldByACall;
import dev.tandem.hub.RawHttp;
import dev.tandem.hub.auth.Processes;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Hub and agent as two processes that need each other: starts, deaths, and who is who. */
@Timeout(60)
class TerminalTrustTest {
    @TempDir static Path folder;
    private static TerminalHub hub;

    @BeforeAll
    static void start() throws IOException {
        hub = new TerminalHub(folder);
    }

    @AfterAll
    static void stop() throws IOException {
        hub.close();
    }

    // TRM-013: both processes start at once; the bench holds the time itself against its bar
    @Test
    void agentIsStartedBeforeTheHubOpensItsDoor(TestReporter reporter) throws Exception {
        String log = Files.readString(hub.app().stateDir().resolve("logs/hub.log"));
        assertThat(log.indexOf("Started the terminal agent"))
                .isNotNegative()
                .isLessThan(log.indexOf("Ready on port"));
        long millis = hub.readyMillis();
        reporter.publishEntry("TRM-013 terminal agent ready after the hub, ms", "" + millis);
        assertThat(millis).isLessThan(10_000);
    }

    // SEC-1: while no terminal runs, what comes through ssh's forwarding is the user's
    @Test
    void theAgentItselfIsNoTerminal() throws Exception {
        Path python = Path.of("/usr/bin/python3");
        assumeTrue(Files.isExecutable(python));
        ProcessHandle agent =
                ProcessHandle.of(AgentLink.read(hub.app().stateDir()).pid()).orElseThrow();
        await().until(() -> agent.descendants().findAny().isEmpty());
        Path browse = hub.app().stateDir().resolve("browse.json");
        String token = Json.parse(Files.readString(browse)).path("token").asString();
        String forward = HeldByACall.FORWARDING + HeldByACall.asking(hub.app().port(), token);
        Process ssh = new ProcessBuilder(python.toString(), "-c", forward).start();
        assertThat(ssh.inputReader().readLine()).startsWith("HTTP/1.1 200");
    }

    // TRM-001, TRM-061: claude refuses to start where it finds the mark of another claude
    @Test
    void programsDoNotLearnWhereTheHubWasStarted() throws Exception {
        JsonNode opened = hub.open("{\"profile\":\"shell\"}");
        try (Socket socket = hub.socket(opened.get("ptySessionToken").asString())) {
            TerminalHub.type(socket);
            String session = opened.get("sessionId").asString();
            await().until(() -> hub.listed(session).isPresent());
            long pid = hub.listed(session).orElseThrow().get("pid").asLong();
            await().until(() -> !TerminalHub.environment(pid, "TANDEM_TERMINAL_ID").isEmpty());
            for (String mark : List.of("CLAUDECODE", "TMUX", "VSCODE_PID")) {
                assertThat(System.getenv()).containsKey(mark);
                assertThat(TerminalHub.environment(pid, mark)).as(mark).isEmpty();
            }
        }
    }

    // TRM-L08, SEC-1
    @Test
    void nextHubTakesOverTheAgentWithItsTerminals() throws Exception {
        JsonNode opened = hub.open("{\"resume\":true,\"profile\":\"shell\"}");
        String session = opened.get("sessionId").asString();
        try (Socket socket = hub.socket(opened.get("ptySessionToken").asString())) {
            TerminalHub.type(socket);
            await().until(() -> hub.listed(session).isPresent());
            long pid = hub.listed(session).orElseThrow().get("pid").asLong();
            String inside = TerminalHub.environment(pid, "TANDEM_TOKEN");
            long agent = AgentLink.read(hub.app().stateDir()).pid();
            hub.next();
            assertThat(AgentLink.read(hub.app().stateDir()).pid()).isEqualTo(agent);
            assertThat(hub.listed(session).orElseThrow().get("pid").asLong()).isEqualTo(pid);
            TerminalHub.type(socket, "echo go''es on\n");
            TerminalHub.until(socket, "goes on");
            try (TerminalAgent other =
                    new TerminalAgent(
                            hub.app().stateDir(), TerminalHub.ORIGIN, AgentCommand.installed())) {
                other.start();
                await().until(() -> other.port().isPresent());
                assertThat(other.terminalOf(Processes.ancestry(pid).orElseThrow()))
                        .contains(session);
                assertThat(
                                other.terminalOf(
                                        Processes.ancestry(ProcessHandle.current().pid())
                                                .orElseThrow()))
                        .isEmpty();
            }

            // The program inside is still known by its token, the panel by its secret; and a
            // terminal that has ended is not known to any later hub.
            assertThat(hub.send("POST /command", inside, "{}").status()).isEqualTo(400);
            assertThat(hub.dispose(session, opened.get("disposeSecret").asString()).status())
                    .isEqualTo(200);
            await().until(() -> hub.listed(session).isEmpty());
            assertThat(hub.send("POST /command", inside, "{}").status()).isEqualTo(401);
            hub.next();
            assertThat(hub.send("POST /command", inside, "{}").status()).isEqualTo(401);
        }
    }

    // SEC-2: what a program was given is worth nothing once it has ended, whoever kept it
    @Test
    void tokenEndsWithTheProgram() throws Exception {
        JsonNode opened = hub.open("{\"resume\":true,\"profile\":\"shell\"}");
        String session = opened.get("sessionId").asString();
        try (Socket socket = hub.socket(opened.get("ptySessionToken").asString())) {
            TerminalHub.type(socket);
            await().until(() -> hub.listed(session).isPresent());
            String inside =
                    TerminalHub.environment(
                            hub.listed(session).orElseThrow().get("pid").asLong(), "TANDEM_TOKEN");
            assertThat(hub.send("POST /command", inside, "{}").status()).isEqualTo(400);
            TerminalHub.type(socket, "exit\n");
            await().until(() -> hub.send("POST /command", inside, "{}").status() == 401);
            assertThat(hub.listed(session)).as("its end is kept for who comes back").isPresent();
        }
    }

    // SEC-1, SEC-2, TRM-L26: the user's token, read from its file inside a terminal, opens nothing
    @Test
    void usersTokenIsWorthNothingInATerminal() throws Exception {
        Path thief = folder.resolve("thief");
        Files.writeString(
                thief,
                """
                token=$(grep -o '"token"[^,]*' "$BROWSE_STATE_FILE" | cut -d'"' -f4)
                exec 3<>"/dev/tcp/127.0.0.1/$BROWSE_PORT"
                printf '%s HTTP/1.1\\r\\nHost: 127.0.0.1:%s\\r\\nAuthorization: Bearer %s\\r\\n' \
                    "$2" "$BROWSE_PORT" "$token" >&3
                printf 'Content-Length: 0\\r\\nConnection: close\\r\\n\\r\\n' >&3
                head -c 12 <&3 >"$1.part"
                mv "$1.part" "$1"
                """);
        JsonNode opened = hub.open("{\"profile\":\"shell\"}");
        try (Socket socket = hub.socket(opened.get("ptySessionToken").asString())) {
            for (String what :
                    List.of(
                            "POST /pty-session",
                            "POST /pty-session/reattach",
                            "POST /pty-restart",
                            "POST /pty-dispose",
                            "POST /pty-inject-scan",
                            "GET /terminals",
                            "GET /claude-available")) {
                for (String line : List.of("bash %s %s '%s'\n", "(setsid bash %s %s '%s' &)\n")) {
                    Path result = Files.createTempFile(folder, "answer", "");
                    Files.delete(result);
                    TerminalHub.type(socket, line.formatted(thief, result, what));
                    await().until(() -> Files.exists(result));
                    assertThat(result).as(what).hasContent("HTTP/1.1 403");
                }
            }
        }
        assertThat(hub.send("GET /terminals", hub.user(), "").status()).isEqualTo(200);
    }

    // SEC-1, SEC-2: nor after its program has killed the agent above it and shed every mark
    @Test
    void killingTheAgentMakesNoProgramTheUser() throws Exception {
        Path thief = folder.resolve("orphan");
        Path result = folder.resolve("orphan-answer");
        Files.writeString(
                thief,
                """
                kill -9 "$1"
                while kill -0 "$1" 2>/dev/null; do :; done
                exec 3<>"/dev/tcp/127.0.0.1/$2"
                printf 'GET /api/v1/auth/session/list HTTP/1.1\\r\\nHost: 127.0.0.1:%s\\r\\n' "$2" >&3
                printf 'Authorization: Bearer %s\\r\\nConnection: close\\r\\n\\r\\n' "$3" >&3
                head -c 12 <&3 >"$4.part"
                mv "$4.part" "$4"
                """);
        long agent = AgentLink.read(hub.app().stateDir()).pid();
        JsonNode opened = hub.open("{\"profile\":\"shell\"}");
        try (Socket socket = hub.socket(opened.get("ptySessionToken").asString())) {
            TerminalHub.type(
                    socket,
                    "(trap '' HUP; setsid env -i PATH=\"$PATH\" bash %s %d %d %s %s </dev/null &)\n"
                            .formatted(thief, agent, hub.app().port(), hub.user(), result));
            await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(result));
        }
        awaitAgentAfter(agent);
        assertThat(result).hasContent("HTTP/1.1 403");
        assertThat(hub.send("GET /api/v1/auth/session/list", hub.user(), "").status())
                .isEqualTo(200);
    }

    // TRM-007, TRM-016
    @Test
    void killedAgentComesBackAndTheHubAnswersMeanwhile() throws Exception {
        long before = AgentLink.read(hub.app().stateDir()).pid();
        new ProcessBuilder("kill", "-STOP", Long.toString(before)).start().waitFor();
        RawHttp.Answer silent = hub.send("GET /terminals", hub.user(), "");
        assertThat(silent.status()).isEqualTo(503);
        assertThat(silent.body()).contains("terminal-agent not ready");
        ProcessHandle.of(before).orElseThrow().destroyForcibly();
        assertThat(hub.send("GET /health", "", "").status()).isEqualTo(200);
        awaitAgentAfter(before);
        assertThat(hub.open("").get("terminalPort").asInt()).isEqualTo(hub.terminalPort());
    }

    private static void awaitAgentAfter(long before) {
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() ->
                        AgentLink.read(hub.app().stateDir()).pid() != before
                                && hub.terminalPort()
                                        == AgentLink.read(hub.app().stateDir()).port());
    }
}

package dev.tandem.hub.agent;

import static dev.tandem.hub.agent.AgentFixture.play;
import static dev.tandem.hub.agent.AgentFixture.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How agents start, fail and end. */
class AgentLifecycleTest {
    private AgentFixture fixture;
    private Path directory;

    @BeforeEach
    void prepare(@TempDir Path temporary) throws Exception {
        directory = temporary.toRealPath();
        fixture = new AgentFixture(directory);
    }

    @AfterEach
    void endAll() {
        fixture.close();
    }

    private AgentException failure(AgentEntry entry) {
        return catchThrowableOfType(
                AgentException.class, () -> fixture.start(entry, AgentFixture.QUICK));
    }

    static AgentEntry program(String... argv) {
        return new AgentEntry("x", "X", List.of(argv), Map.of(), AgentEntry.Offers.all(), true);
    }

    @Test
    @DisplayName("a missing and a not executable program are named")
    void cannotStart() throws Exception {
        assertThat(failure(program("no-such-agent-anywhere")))
                .hasMessageContaining("no-such-agent-anywhere")
                .extracting(AgentException::code)
                .isEqualTo("agent_not_found");
        Path plain = Files.writeString(directory.resolve("plain.txt"), "hello");
        assertThat(failure(program(plain.toString())).code()).isEqualTo("agent_start_failed");
    }

    @Test
    @DisplayName("ACP-116 an agent that ends at its start says why by its error output")
    void endsAtStart() {
        AgentException failed = failure(fixture.entry("--exit=7"));
        assertThat(failed.code()).isEqualTo("agent_exited");
        assertThat(failed).hasMessageContaining("exit code 7").hasMessageContaining("broken");
        assertThat(failed.details().path("exitCode").asInt()).isEqualTo(7);
    }

    @Test
    @DisplayName("a silent agent fails after the limit, and is gone")
    void silentAgent() {
        AgentTimings brief =
                new AgentTimings(
                        Duration.ofMillis(900),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5),
                        Duration.ofMillis(300));
        AgentException failed =
                catchThrowableOfType(
                        AgentException.class,
                        () -> fixture.start(fixture.entry("--silent", "--deaf"), brief));
        assertThat(failed.code()).isEqualTo("agent_timeout");
        assertThat(ProcessHandle.current().descendants())
                .noneMatch(p ->
                        p.info().arguments().map(List::of).orElse(List.of()).contains("--silent"));
    }

    @Test
    @DisplayName("ACP-81 ACP-L40 version 1 is asked for, any other answer is refused")
    void versions() {
        assertThat(fixture.start().capabilities().image()).isTrue();
        for (int version : new int[] {2, 7}) {
            AgentException refused = failure(fixture.entry("--protocol=" + version));
            assertThat(refused.code()).isEqualTo("agent_version_unsupported");
            assertThat(refused).hasMessageContaining("version " + version);
            assertThat(ProcessHandle.current().descendants())
                    .as("it was stopped")
                    .noneMatch(p ->
                            p.info()
                                    .arguments()
                                    .map(List::of)
                                    .orElse(List.of())
                                    .contains("--protocol=" + version));
        }
        assertThat(fixture.sent("initialize"))
                .allMatch(m -> m.path("params").path("protocolVersion").asInt() == 1);
    }

    @Test
    @DisplayName("ACP-82 ACP-L11 ACP-L33 initialize comes first, with our name and what is offered")
    void greeting() {
        fixture.start(fixture.entry(new AgentEntry.Offers(false, true, false)), AgentFixture.QUICK);
        var first = AcpJudge.received(fixture.wire(0)).getFirst();
        assertThat(first.path("method").asString()).isEqualTo("initialize");
        var params = first.path("params");
        assertThat(params.path("clientInfo").toString())
                .isEqualTo("{\"name\":\"tandem\",\"title\":\"Tandem\",\"version\":\"0.1.0\"}");
        assertThat(params.path("clientCapabilities").toString()).isEqualTo(can(false, true, false));
        for (AgentEntry.Offers offers :
                List.of(
                        AgentEntry.Offers.all(),
                        new AgentEntry.Offers(false, true, true),
                        new AgentEntry.Offers(true, false, true),
                        new AgentEntry.Offers(true, true, false))) {
            assertThat(Greeting.of(offers, "1").path("clientCapabilities").toString())
                    .isEqualTo(can(offers.fs(), offers.terminal(), offers.elicitation()));
        }
    }

    /** All that is offered, and nothing that does not work. */
    private static String can(boolean fs, boolean terminal, boolean elicitation) {
        return ("{\"fs\":{\"readTextFile\":%1$s,\"writeTextFile\":%1$s},\"terminal\":%2$s,"
                        + "\"session\":{\"configOptions\":{\"boolean\":{}},\"compaction\":{},"
                        + "\"notices\":{}},\"auth\":{\"terminal\":true}%3$s}")
                .formatted(
                        fs,
                        terminal,
                        elicitation ? ",\"elicitation\":{\"form\":{},\"url\":{}}" : "");
    }

    @Test
    @DisplayName("ACP-95 a turn that ignores cancel is reminded after 5 s and ended after 10 s")
    void patienceWithACancelledTurn() {
        assertThat(AgentTimings.defaults().cancelRequestAfter()).isEqualTo(Duration.ofSeconds(5));
        assertThat(AgentTimings.defaults().forcedEndAfter()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    @DisplayName("ACP-112 ACP-113 ACP-L37 noise on stdout and stderr is no error")
    void noiseIsNoError() throws Exception {
        Agent agent = fixture.start("--banner");
        RecordingHost host = new RecordingHost();
        AgentSession session = agent.newSession(fixture.setup(), host);
        play(session, "stderr timing: 12 ms", "say fine");
        assertThat(host.text()).isEqualTo("fine");
        await().until(() -> agent.stderrLines().contains("timing: 12 ms"));
        assertThat(host.ended).isNotDone();
    }

    @Test
    @DisplayName("ACP-116 a crash in a turn ends it with the exit code and the last words")
    void crash() {
        Agent agent = fixture.start();
        RecordingHost host = new RecordingHost();
        AgentSession session = agent.newSession(fixture.setup(), host);
        CompletableFuture<TurnEnd> turn = session.prompt(text("say before\ndie 42"));
        assertThatThrownBy(turn::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("exit code 42")
                .hasMessageContaining("something terrible happened");
        assertThat(host.text()).isEqualTo("before");
        await().until(host.ended::isDone);
        assertThat(agent.isRunning()).isFalse();
        assertThatThrownBy(() -> agent.newSession(fixture.setup(), host))
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.code()).isEqualTo("agent_exited"));
    }

    @Test
    @DisplayName("ACP-118 ACP-L24 the agent's environment holds nothing of the hub's")
    void environmentIsClean() {
        Map<String, String> clean =
                Environments.forAgent(
                        Map.of(
                                "TANDEM_TOKEN",
                                "secret",
                                "HOME",
                                "/h",
                                "TANDEM_STORE",
                                "postgresql://",
                                "KITTY_LISTEN_ON",
                                "unix:/k",
                                "COLUMNS",
                                "80"));
        assertThat(clean).containsExactly(Map.entry("HOME", "/h"));
    }

    @Test
    @DisplayName("ACP-118 what an agent sees of its environment: the user's, and our mark")
    void realEnvironment() throws Exception {
        RecordingHost host = new RecordingHost();
        play(fixture.start().newSession(fixture.setup(), host), "env");
        assertThat(System.getenv()).containsKeys("CLAUDECODE", "TMUX", "VSCODE_PID");
        assertThat(host.text().lines())
                .anyMatch(line -> line.startsWith("PATH="))
                .noneMatch(line -> line.matches("(CLAUDECODE|TMUX|VSCODE_PID)=.*"))
                .allMatch(line -> !line.startsWith("TANDEM_") || line.startsWith("TANDEM_TREE="));
    }

    @Test
    @DisplayName("an agent that never opens the session is given up after its silence")
    void muteAtNewSession() {
        AgentTimings brief =
                new AgentTimings(
                        Duration.ofSeconds(30),
                        Duration.ofMillis(600),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5),
                        Duration.ofMillis(300));
        Agent agent = fixture.start(fixture.entry("--mute=session/new"), brief);
        assertThatThrownBy(() -> agent.newSession(fixture.setup(), new RecordingHost()))
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.code()).isEqualTo("agent_timeout"));
        assertThat(agent.isRunning()).isTrue();
    }

    @Test
    @DisplayName("ACP-83 ACP-92 what an agent did not declare is never used")
    void undeclaredIsUnsupported() {
        Agent agent = fixture.start("--caps={}");
        AgentSession session =
                agent.newSession(fixture.setup(List.of(directory)), new RecordingHost());
        List<Runnable> refused =
                List.of(
                        () -> agent.list("", ""),
                        () -> agent.delete("x"),
                        agent::logout,
                        () ->
                                agent.load(
                                        "x",
                                        fixture.setup(),
                                        new RecordingHost(),
                                        AcpJson.object()),
                        () ->
                                agent.resume(
                                        "x",
                                        fixture.setup(),
                                        new RecordingHost(),
                                        AcpJson.object()),
                        () -> prompt(session, "image"),
                        () -> prompt(session, "audio"),
                        () -> prompt(session, "resource"));
        for (Runnable call : refused) {
            assertThatThrownBy(call::run)
                    .isInstanceOfSatisfying(
                            AgentException.class,
                            e -> assertThat(e.code()).isEqualTo("unsupported"));
        }
        session.close();
        agent.close();
        assertThat(AcpJudge.received(fixture.wire(0)))
                .extracting(m -> m.path("method").asString(""))
                .containsExactly("initialize", "session/new");
        var params = fixture.sent("session/new").getFirst().path("params");
        assertThat(params.has("additionalDirectories")).isFalse();
        assertThat(params.path("mcpServers").path(0).path("command").asString())
                .isEqualTo("tandem");
    }

    private static void prompt(AgentSession session, String type) {
        var content = AcpJson.array();
        content.addObject().put("type", type);
        var _ = session.prompt(content);
    }

    @Test
    @DisplayName("ACP-84 ACP-85 sign-in is demanded, done by the agent, and the call repeated")
    void agentSignIn() {
        Agent agent = fixture.start("--auth=0");
        assertThatThrownBy(() -> agent.newSession(fixture.setup(), new RecordingHost()))
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.code()).isEqualTo("auth_required"));
        assertThat(agent.authMethods().size()).isEqualTo(2);
        agent.authenticate("key");
        assertThat(agent.newSession(fixture.setup(), new RecordingHost()).agentSessionId())
                .isNotEmpty();
    }

    @Test
    @DisplayName("ACP-84 a terminal method is the same command with its additions, never a call")
    void terminalSignIn() throws Exception {
        Agent agent = fixture.start("--auth=0");
        assertThat(agent.loginCommand("key")).isEmpty();
        Launch login = agent.loginCommand("tty").orElseThrow();
        assertThat(login.argv())
                .startsWith(agent.entry().argv().toArray(String[]::new))
                .endsWith("--login=0");
        assertThat(login.env()).containsEntry("LOGIN_STYLE", "tty");
        assertThatThrownBy(() -> agent.authenticate("tty")).hasMessageContaining("terminal");
        assertThat(fixture.sent("authenticate")).isEmpty();
    }
}

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

    private static AgentEntry program(String... argv) {
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
        assertThat(params.path("clientCapabilities").path("fs").path("readTextFile").asBoolean())
                .isFalse();
        assertThat(params.path("clientCapabilities").has("elicitation")).isFalse();
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
        assertThat(fixture.trees.ownerOf(agent.pid())).contains("owner-1");
        assertThat(fixture.trees.ownerOf(forked)).contains("owner-1");
        assertThat(fixture.trees.ownerOf(ProcessHandle.current().parent().orElseThrow().pid()))
                .isEmpty();
        Process unmarked = new ProcessBuilder("sleep", "600").start();
        try {
            assertThat(fixture.trees.ownerOf(unmarked.pid())).contains(ProcessTrees.UNKNOWN_OWNER);
        } finally {
            unmarked.destroyForcibly();
        }
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
                                "postgresql://"));
        assertThat(clean).containsExactly(Map.entry("HOME", "/h"));
    }

    @Test
    @DisplayName("ACP-118 what an agent sees of its environment: the user's, and our mark")
    void realEnvironment() throws Exception {
        RecordingHost host = new RecordingHost();
        play(fixture.start().newSession(fixture.setup(), host), "env");
        assertThat(host.text().lines())
                .anyMatch(line -> line.startsWith("PATH="))
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
        assertThat(agent.authenticate("key", login -> 1)).isSameAs(agent);
        assertThat(agent.newSession(fixture.setup(), new RecordingHost()).agentSessionId())
                .isNotEmpty();
    }

    @Test
    @DisplayName("ACP-84 a terminal method runs the same command and greets the agent again")
    void terminalSignIn() throws Exception {
        Agent agent = fixture.start("--auth=0");
        Path signedIn = directory.resolve("signed-in");
        Agent.LoginTerminal terminal =
                login -> {
                    try {
                        ProcessBuilder builder = new ProcessBuilder(login.argv());
                        builder.environment().putAll(login.env());
                        builder.environment().put("LOGIN_FILE", signedIn.toString());
                        assertThat(login.env()).containsEntry("LOGIN_STYLE", "tty");
                        return builder.inheritIO().start().waitFor();
                    } catch (java.io.IOException | InterruptedException failed) {
                        throw new IllegalStateException(failed);
                    }
                };
        try (Agent again = agent.authenticate("tty", terminal)) {
            assertThat(again).isNotSameAs(agent);
            assertThat(again.isRunning()).isTrue();
        }
        assertThat(signedIn).hasContent("signed in");
        assertThat(fixture.sent("authenticate")).isEmpty();
        Agent other = fixture.start("--auth=3");
        assertThatThrownBy(() -> other.authenticate("tty", terminal)).hasMessageContaining("3");
    }
}

package dev.tandem.hub.agent;

import static dev.tandem.hub.agent.AgentFixture.play;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Commands that an agent runs through the hub. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandRequestsTest {
    private AgentFixture fixture;
    private Agent agent;
    private Path directory;
    private RecordingHost host;
    private AgentSession session;

    @BeforeAll
    void startAgent(@TempDir Path temporary) throws Exception {
        directory = temporary.toRealPath();
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
    @DisplayName("ACP-100 a command runs, tells its output and its exit code")
    void runsCommand() throws Exception {
        play(session, "run sh -c echo${IFS}out;echo${IFS}err>&2;exit${IFS}3");
        assertThat(host.text())
                .contains("{\"exitCode\":3}")
                .contains("\"output\":\"out\\nerr\\n\"")
                .contains("\"truncated\":false")
                .endsWith("{}");
        assertThat(host.accesses.getFirst().permission()).isEqualTo("bash:sh -c");
    }

    @Test
    @DisplayName("SEC-4 a command's name has its variables, and where an unusual program lies")
    void commandsAreNamedByWhatTheyAre() throws Exception {
        Path own = Files.writeString(directory.resolve("git"), "#!/bin/sh\n");
        assertThat(own.toFile().setExecutable(true)).isTrue();
        play(
                session,
                "request terminal/create {\"command\":\"" + own + "\",\"args\":[\"status\"]}",
                "request terminal/create {\"command\":\"/bin/sh\",\"args\":[\"-c\",\":\"],"
                        + "\"env\":[{\"name\":\"GIT_PAGER\",\"value\":\"x\"}]}");
        assertThat(host.accesses)
                .extracting(AccessRequest::permission)
                .containsExactly("bash:" + own + " status", "bash:GIT_PAGER=x sh -c");
        assertThat(host.accesses.getLast().target()).isEqualTo("GIT_PAGER=x /bin/sh -c :");
    }

    @Test
    @DisplayName("SEC-4 commands get no loader variables and nothing of the hub's")
    void commandEnvironmentIsClean() throws Exception {
        play(session, "run env");
        assertThat(host.text()).contains("PATH=").doesNotContain("LD_PRELOAD", "CLAUDECODE");
        assertThat(host.text().replace("TANDEM_TREE", "")).doesNotContain("TANDEM_");
    }

    @Test
    @DisplayName("ACP-100 ACP-101 kill keeps the id, release ends it, the card keeps the output")
    void killAndRelease() throws Exception {
        play(
                session,
                "open sh -c echo${IFS}shown;sleep${IFS}600",
                "update {\"sessionUpdate\":\"marker\"}");
        String id = "";
        for (var request : AcpJudge.received(fixture.wire(0))) {
            id = request.path("result").path("terminalId").asString(id);
        }
        String terminal = id;
        await().until(() ->
                session.terminalOutput(terminal)
                        .orElseThrow()
                        .path("output")
                        .asString("")
                        .equals("shown\n"));
        String named = "{\"terminalId\":\"" + terminal + "\"}";
        play(
                session,
                "request terminal/kill " + named,
                "request terminal/wait_for_exit " + named,
                "request terminal/release " + named,
                "request terminal/output " + named);
        assertThat(host.text()).contains("\"signal\":\"SIGTERM\"").contains("error -32602");
        assertThat(session.terminalOutput(terminal).orElseThrow().path("output").asString())
                .isEqualTo("shown\n");
    }

    @Test
    @DisplayName("ACP-100 a command starts in the session's folder; its output says how it ended")
    void whereItStartsAndHowItEnds() throws Exception {
        play(
                session,
                "create {\"command\":\"sh\",\"args\":[\"-c\",\"pwd; exit 4\"]}",
                "await",
                "output");
        assertThat(host.text())
                .contains("\"output\":\"" + directory + "\\n\"")
                .contains("\"exitStatus\":{\"exitCode\":4}");
    }

    @Test
    @DisplayName("ACP-100 output is kept from the end, to the asked limit or to 1 MiB")
    void outputIsCutFromTheFront() throws Exception {
        play(
                session,
                "create {\"command\":\"printf\",\"args\":[\"x🚀yzw\"],\"outputByteLimit\":6}",
                "await",
                "output");
        assertThat(host.text())
                .as("the first character of the kept bytes is not whole")
                .contains("\"output\":\"yzw\"")
                .contains("\"truncated\":true");

        String half = "head -c 1048576 /dev/zero | tr '\\\\0' ";
        play(
                session,
                "create {\"command\":\"sh\",\"args\":[\"-c\",\"" + half + "a; " + half + "b\"]}",
                "await",
                "say |",
                "output");
        String last = host.text().substring(host.text().lastIndexOf('|') + 1);
        assertThat(AcpJson.parse(last.getBytes(StandardCharsets.UTF_8)).path("output").asString())
                .hasSize(1024 * 1024)
                .matches("b+");
        assertThat(last).contains("\"truncated\":true");
    }
}

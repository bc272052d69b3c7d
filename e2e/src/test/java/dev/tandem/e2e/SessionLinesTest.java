package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Sessions, agents and permission cards through the launcher, with a scripted agent. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionLinesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir static Path folder;
    private RunningHub hub;

    @BeforeAll
    void start() throws IOException {
        Path state = Launcher.freshState(folder);
        Path config = Files.createDirectories(folder.resolve("home/.config/tandem"));
        ObjectNode settings = Json.object();
        var agents = settings.putArray("agents");
        List<String> argv = ScriptedAgentCommand.argv();
        agent(agents.addObject(), "scripted", argv);
        agent(agents.addObject(), "spy", List.of("sh", spy(state).toString()));
        Files.writeString(config.resolve("config.json"), Json.write(settings));
        hub =
                new RunningHub(
                        new Launcher(state)
                                .with("HOME", folder.resolve("home").toString())
                                .as(withoutTracing()));
    }

    /** Root sees into every process unless it gives that right away; for others nothing changes. */
    private static Path withoutTracing() throws IOException {
        Path script = folder.resolve("tandem");
        Files.writeString(
                script,
                """
                #!/bin/sh
                [ "$(id -u)" = 0 ] && set -- setpriv --bounding-set -sys_ptrace '%1$s' "$@" ||
                    set -- '%1$s' "$@"
                exec "$@"
                """
                        .formatted(Launcher.ROOT.resolve("tandem")));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private static void agent(ObjectNode entry, String id, List<String> argv) {
        entry.put("id", id).put("name", id).put("command", argv.getFirst());
        var args = entry.putArray("args");
        argv.stream().skip(1).forEach(args::add);
    }

    /** The scripted agent in whose process tree command lines are typed. */
    private static Path spy(Path state) throws IOException {
        String quoted = String.join(" ", ScriptedAgentCommand.argv());
        Path script = folder.resolve("spy.sh");
        Files.writeString(
                script,
                """
                (
                  export TANDEM_STATE_DIR='%s' TANDEM_NO_START=1
                  n=0
                  while read -r line; do
                    n=$((n + 1))
                    '%s' $line >'%s/spied-'$n 2>&1 </dev/null
                    echo "exit $?" >>'%s/spied-'$n
                  done <'%s/lines'
                  touch '%s/spied'
                ) &
                exec %s
                """
                        .formatted(
                                state,
                                Launcher.ROOT.resolve("tandem"),
                                folder,
                                folder,
                                folder,
                                folder,
                                quoted));
        return script;
    }

    // SEC-1: what an agent left behind without a trace does not wait for the next hub
    @AfterAll
    void stop() {
        fresh("Left");
        String leave = "shell setsid env -i sh -c 'sleep 600 >/dev/null & echo $!'";
        long left;
        try {
            String said = good("session", "send", "--session", "Left", leave).out();
            left = Long.parseLong(said.strip());
            assertThat(ProcessHandle.of(left)).isPresent();
        } finally {
            hub.close();
        }
        await().atMost(PATIENCE).until(() -> !runs(left));
    }

    /** One that has ended stays listed until whoever adopted it has looked. */
    private static boolean runs(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return !stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException gone) {
            return false;
        }
    }

    private Launcher.Run good(String... words) {
        Launcher.Run run = hub.run(words);
        assertThat(run.exit()).as(run.all()).isZero();
        return run;
    }

    private JsonNode data(String... words) {
        String[] all = java.util.Arrays.copyOf(words, words.length + 1);
        all[words.length] = "--json";
        return Json.parse(good(all).out()).path("data");
    }

    private String fresh(String name) {
        return data("session", "new", name, "--agent", "scripted").path("sessionId").asString();
    }

    private String waitingCard() {
        await().atMost(PATIENCE).until(() -> !data("permissions").isEmpty());
        return data("permissions").path(0).path("requestId").asString();
    }

    @Test
    void aSentenceGetsItsAnswer() {
        fresh("Talk");
        Launcher.Run run = good("session", "send", "--session", "Talk", "say", "hello you");
        assertThat(run.out()).isEqualTo("hello you\n");
        assertThat(run.err()).startsWith("→ Talk");
        // without a name, the one used last
        assertThat(good("session", "send", "say again").out()).isEqualTo("again\n");
        assertThat(good("sessions").out()).contains("RUNNING", "Talk", "idle", "scripted", "again");
        JsonNode answer = data("session", "send", "say once more");
        assertThat(answer.path("text").asString()).isEqualTo("once more");
        assertThat(answer.path("stopReason").asString()).isEqualTo("end_turn");
        assertThat(hub.launcher().feed("say from a pipe\n", "session", "send", "-").out())
                .isEqualTo("from a pipe\n");
        assertThat(good("session", "export", "Talk").out()).contains("\"from a pipe\"");
        assertThat(good("session", "export", "Talk", "--markdown").out())
                .contains("# Talk", "## You", "from a pipe");
        good("session", "rename", "Talk", "Tale");
        assertThat(good("session", "watch", "Tale").out()).contains("> say from a pipe");
        good("session", "stop", "Tale");
        assertThat(good("sessions", "--state", "stopped").out()).contains("Tale");
        good("session", "start", "Tale");
        good("session", "stop", "Tale");
        assertThat(good("projects").out()).contains("default");
    }

    // ACP-33: an oversized prompt, a failing agent and unknown names, on the command line
    @Test
    void whatCannotBeDoneIsSaid() {
        fresh("Trouble");
        String much = "x".repeat(13 * 1024 * 1024);
        Launcher.Run large =
                hub.launcher().feed(much, "session", "send", "-", "--session", "Trouble");
        assertThat(large.exit()).as(large.all()).isEqualTo(2);
        assertThat(large.err()).contains("[payload_too_large]", "at most");
        Launcher.Run failed =
                hub.run("session", "send", "--session", "Trouble", "fail -32603 it broke");
        assertThat(failed.exit()).isEqualTo(2);
        assertThat(failed.err()).contains("[agent_failed] it broke", "--test");
        Launcher.Run agent = hub.run("session", "new", "x", "--agent", "nobody");
        assertThat(agent.err()).contains("\"nobody\"", "tandem agents").doesNotContain("routes");
        Launcher.Run project = hub.run("session", "new", "x", "--project", "nowhere");
        assertThat(project.err()).contains("\"nowhere\"", "tandem projects");
    }

    @Test
    void watchingShowsTheTurnWhileItRuns() throws Exception {
        fresh("Long");
        good("session", "send", "--session", "Long", "--no-wait", "say first\nwait");
        Process watch = hub.launcher().start("session", "watch", "Long");
        try (Reader out = new InputStreamReader(watch.getInputStream(), StandardCharsets.UTF_8)) {
            StringBuilder seen = new StringBuilder();
            while (!seen.toString().contains("\nfirst")) {
                int c = out.read();
                assertThat(c).as("it ended after %s", seen).isNotNegative();
                seen.append((char) c);
            }
            assertThat(watch.isAlive()).isTrue();
            assertThat(good("session", "interrupt", "Long").out()).contains("Interrupted");
            assertThat(watch.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(watch.exitValue()).isEqualTo(2);
        }
        assertThat(good("session", "interrupt", "Long").out()).contains("Nothing ran");
    }

    @Test
    void requestsAreAnsweredByCommand() {
        fresh("Asker");
        good("session", "send", "--session", "Asker", "--no-wait", "ask allow_once,reject_once");
        String id = waitingCard();
        assertThat(good("sessions").out()).startsWith("NEEDS YOU").contains("Asker", "Allow?");
        assertThat(good("permissions").out()).contains(id.substring(0, 8), "[1]", "[2]");
        good("permissions", "allow", id.substring(0, 8));
        await().atMost(PATIENCE)
                .until(() ->
                        good("session", "watch", "Asker").out().contains("permission choice-1"));
        assertThat(hub.run("permissions", "allow", id).exit()).isEqualTo(1);
        assertThat(good("permissions").out()).isEqualTo("Nobody asks.\n");
    }

    @Test
    void requestsAreAnsweredByKeyInATerminal() throws Exception {
        fresh("Keys");
        Process terminal =
                hub.launcher()
                        .inTerminal(
                                "session",
                                "send",
                                "--session",
                                "Keys",
                                "ask allow_once,reject_once");
        StringBuilder seen = new StringBuilder();
        Thread.startVirtualThread(() -> read(terminal, seen));
        await().atMost(PATIENCE).until(() -> text(seen).contains("[1]"));
        // what comes before a person can have read the card is ignored, so a person tries again
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(300))
                .until(() -> {
                    if (terminal.isAlive()) {
                        terminal.getOutputStream().write('1');
                        terminal.getOutputStream().flush();
                    }
                    return !terminal.isAlive();
                });
        assertThat(terminal.exitValue()).as(text(seen)).isZero();
        await().atMost(PATIENCE).until(() -> text(seen).contains("permission choice-1"));
        assertThat(text(seen)).contains("Allowed.");
    }

    private static void read(Process process, StringBuilder into) {
        try (Reader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (int c = out.read(); c >= 0; c = out.read()) {
                synchronized (into) {
                    into.append((char) c);
                }
            }
        } catch (IOException e) {
            // the terminal is closed
        }
    }

    private static String text(StringBuilder seen) {
        synchronized (seen) {
            return seen.toString();
        }
    }

    @Test
    void agentsAreListedAndTried() {
        assertThat(good("agents").out()).contains("scripted", "ready", "tandem", "built in");
        JsonNode report = data("agents", "scripted", "--test");
        assertThat(report.path("answer").asString()).isEqualTo("Say hello in one word.");
        assertThat(report.path("problem").asString()).isEmpty();
        assertThat(hub.run("agents", "nobody").exit()).isEqualTo(1);
        // ACP-86: one of them declares it, the built-in one does not
        assertThat(good("agents", "scripted").out()).contains("tandem agents scripted --sign-out");
        assertThat(good("agents", "scripted", "--sign-out").out())
                .contains("signed out of scripted");
        assertThat(good("agents", "tandem").out()).doesNotContain("--sign-out");
        assertThat(hub.run("agents", "tandem", "--sign-out"))
                .satisfies(refused -> assertThat(refused.exit()).isEqualTo(2))
                .satisfies(refused -> assertThat(refused.all()).contains("not supported by this"));
        assertThat(hub.run("session", "new", "X", "--agent", "nobody").exit()).isEqualTo(2);
        assertThat(data("agents", "scripted", "--sessions"))
                .extracting(one -> one.path("agentSessionId").asString())
                .contains("old0", "old1", "old2");
        // its folder is the root of the disk, which nobody registers
        String[] go = {"session", "new", "--agent", "scripted", "--continue", "old1"};
        assertThat(hub.run(go).all()).contains("--folder /");
        Path place = folder.resolve("earlier").toAbsolutePath();
        String[] there = java.util.Arrays.copyOf(go, go.length + 4);
        there[go.length] = "--folder";
        there[go.length + 1] = place.toString();
        there[go.length + 2] = "--name";
        there[go.length + 3] = "Earlier";
        assertThat(place.toFile().mkdir()).isTrue();
        good(there);
        assertThat(good("session", "export", "Earlier").out()).contains("old 0", "old 1");
        assertThat(good("session", "send", "--session", "Earlier", "say more").out())
                .isEqualTo("more\n");
    }

    // SEC-1, SEC-2: a process that lets nobody look at it is not the user either
    @Test
    void whoHidesItsDescriptorsIsNotTheUser() throws IOException {
        Path python = Path.of("/usr/bin/python3");
        assumeTrue(Files.isExecutable(python));
        Path hide =
                Files.writeString(
                        folder.resolve("hide.py"),
                        """
                        import ctypes, socket
                        ctypes.CDLL(None).prctl(4, 0)
                        s = socket.create_connection(("127.0.0.1", %1$d))
                        s.sendall(b"GET /api/v1/chat/sessions HTTP/1.1\\r\\nHost: 127.0.0.1:%1$d\\r\\n"
                            b"Authorization: Bearer %2$s\\r\\nConnection: close\\r\\n\\r\\n")
                        while data := s.recv(4096):
                            print(data.decode(), end="")
                        """
                                .formatted(hub.port(), hub.token()));
        fresh("Hidden");
        String said =
                good("session", "send", "--session", "Hidden", "shell " + python + " " + hide)
                        .out();
        assertThat(said).startsWith("HTTP/1.1 403").contains("hides its connections");
    }

    // SEC-1, SEC-2
    @Test
    void anAgentsProcessWidensNothing() throws IOException {
        fresh("Other");
        good("session", "send", "--session", "Other", "say secret words");
        List<String> refused =
                List.of(
                        "session new Mine --mode act",
                        "session send --session Spied hello",
                        "session interrupt Spied",
                        "session stop Spied",
                        "session rename Spied Free",
                        "agents scripted --test",
                        "permissions allow 00000000",
                        "token",
                        "pair");
        List<String> lines = new java.util.ArrayList<>(refused);
        lines.add("sessions --json");
        lines.add("session export Other");
        Files.write(folder.resolve("lines"), lines);
        good("session", "new", "Spied", "--agent", "spy");
        good("session", "start", "Spied");
        await().atMost(PATIENCE).until(() -> Files.exists(folder.resolve("spied")));
        for (int i = 1; i <= lines.size(); i++) {
            String said = Files.readString(folder.resolve("spied-" + i));
            assertThat(said).as(lines.get(i - 1)).doesNotContain("secret words");
            if (i <= refused.size()) {
                assertThat(said).as(lines.get(i - 1)).doesNotContain("exit 0");
            }
        }
        JsonNode own =
                Json.parse(
                        Files.readString(folder.resolve("spied-" + (refused.size() + 1)))
                                .lines()
                                .findFirst()
                                .orElse(""));
        assertThat(own.path("data")).hasSize(1);
        assertThat(own.path("data").path(0).path("name").asString()).isEqualTo("Spied");
        assertThat(good("sessions").out()).doesNotContain("Mine", "Free");
    }
}

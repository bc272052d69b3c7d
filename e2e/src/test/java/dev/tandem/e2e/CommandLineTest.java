package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Command lines through the launcher and the /cli door of a hub without a browser. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandLineTest {
    @TempDir static Path folder;
    private final Path script = script();
    private RunningHub hub;

    Path script() {
        return Launcher.ROOT.resolve("tandem");
    }

    @BeforeAll
    void start() throws IOException {
        hub = new RunningHub(launcher(Launcher.freshState(folder)));
    }

    @AfterAll
    void stop() {
        hub.close();
    }

    private Launcher launcher(Path state) {
        return new Launcher(state).as(script);
    }

    @Test
    void outputAndErrorsComeApartWithTheExitCode() {
        Launcher.Run good = hub.run("status");
        assertThat(good.exit()).isZero();
        assertThat(good.out()).contains("version");
        assertThat(good.err()).isEmpty();

        Launcher.Run bad = hub.run("click", "r1");
        assertThat(bad.exit()).isEqualTo(2);
        assertThat(bad.out()).isEmpty();
        assertThat(bad.err()).startsWith("[ops_unavailable]");

        Launcher.Run unknown = hub.run("snapshto");
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(unknown.err()).contains("Did you mean snapshot?");
    }

    @Test
    void jsonIsOneObject() {
        Launcher.Run run = hub.run("status", "--json");
        assertThat(Json.parse(run.out()).path("success").asBoolean()).isTrue();
        Launcher.Run failed = hub.run("click", "r1", "--json");
        assertThat(failed.exit()).isEqualTo(2);
        assertThat(Json.parse(failed.out()).path("exitCode").asInt()).isEqualTo(2);
    }

    private Launcher through(String name, String line) throws IOException {
        Path through = Files.writeString(folder.resolve(name), "#!/bin/bash\n" + line + "\n");
        through.toFile().setExecutable(true);
        return new Launcher(hub.launcher().state()).as(through);
    }

    // no shell exports COLUMNS, so the launcher has to find it out
    @Test
    void linesAreAsWideAsTheTerminal() throws IOException {
        Launcher wide =
                through(
                        "wide",
                        "unset COLUMNS; exec script -qec \"stty rows 40 cols 132; "
                                + script
                                + " $*\" /dev/null </dev/null");
        String line = "let other clients read it; none | read; default none";
        assertThat(wide.run("launch", "--help").out()).contains("auto | keep; default auto", line);
        assertThat(hub.run("launch", "--help").out()).doesNotContain("auto | keep; default auto");
    }

    @Test
    void whatCannotBeWrittenIsAFailure() throws IOException {
        Launcher.Run run = through("full", "exec " + script + " \"$@\" >/dev/full").run("status");
        assertThat(run.exit()).as(run.err()).isEqualTo(2);
    }

    @Test
    void wordsArriveAsTheyWereTyped() {
        String odd = "http://é\n\u202e\"'$(x)`%s\\0 .test:1";
        Launcher.Run run = hub.run("origin", "add", odd);
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err()).contains("é\\n", "\\u202e", "\"'$(x)`%s\\0 .test:1");
    }

    @Test
    void originsAreAddedListedAndRemoved() {
        assertThat(hub.run("origin", "add", "http://localhost:5173").exit()).isZero();
        assertThat(hub.run("origin", "list").out()).isEqualTo("http://localhost:5173\n");
        assertThat(hub.run("origin", "remove", "http://localhost:5173").exit()).isZero();
        assertThat(hub.run("origin", "list").out()).isEqualTo("No origins were added.\n");
    }

    @Test
    void tokensWorkUntilTheyAreRevoked() throws IOException {
        assertThat(hub.run("token").out().strip()).isEqualTo(hub.token());
        String token = hub.run("token", "add", "editor", "--profile", "all").out().strip();
        assertThat(token).startsWith("tdc_");
        assertThat(hub.run("token", "add", "editor").err()).contains("already");
        assertThat(hub.run("token", "list").out()).contains("editor", "ask").doesNotContain(token);
        assertThat(hub.run("token", "revoke", "editor").exit()).isZero();
        assertThat(hub.run("token", "list").out()).doesNotContain("editor");
    }

    @Test
    void standardInputIsForwardedWhole() {
        String steps = "[{\"action\":\"snapshot\",\"args\":{}}" + " ".repeat(200_000) + "]";
        Launcher.Run run = hub.launcher().feed(steps, "run", "-", "--extension-ops");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).startsWith("[extension_not_connected]");
        Launcher.Run cut = hub.launcher().feed(steps.substring(0, 150_000), "run", "-");
        assertThat(cut.exit()).isEqualTo(1);
        assertThat(cut.err()).contains("Invalid --steps");
    }

    @Test
    void longOutputArrivesWhole() {
        Launcher.Run run = hub.run("completion", "fish");
        assertThat(run.exit()).isZero();
        assertThat(run.out().length()).isGreaterThan(10_000);
        assertThat(run.out()).endsWith("\n").contains("scroll-into-view");
    }

    // SEC-1: the process that calls must hold the connection
    @Test
    void nobodyCallsInTheNameOfAnotherProcess() throws IOException {
        long self = ProcessHandle.current().pid();
        assertThat(ask(hub.token(), self)).startsWith("HTTP/1.1 200");
        assertThat(ask(hub.token(), hub.process().pid())).startsWith("HTTP/1.1 403");
        assertThat(ask(hub.token(), 1)).startsWith("HTTP/1.1 403");
        assertThat(ask("tdh_wrong", self)).startsWith("HTTP/1.1 401");
    }

    // SEC-1: what the hub adopts may be an agent's, so the user's browser is opened by the launcher
    @Test
    void pagesAreOpenedOutsideOfTheHub() throws Exception {
        Path programs = Files.createTempDirectory(folder, "programs");
        Path opened = programs.resolve("opened");
        Path opener = programs.resolve("xdg-open");
        Files.writeString(
                opener,
                """
                #!/bin/sh
                readlink /proc/self/fd/* >%1$s.held
                echo "$(umask) $LC_ALL" >%1$s.found
                echo $$ $1 >>%1$s
                exec sleep 60
                """
                        .formatted(opened));
        Files.setPosixFilePermissions(opener, PosixFilePermissions.fromString("rwx------"));
        Process command =
                launcher(hub.launcher().state())
                        .with("PATH", programs + ":" + System.getenv("PATH"))
                        .with("DISPLAY", ":9")
                        .with("LC_ALL", "C.UTF-8")
                        .start("connect", "chrome");
        List<ProcessHandle> browsers = new ArrayList<>();
        try {
            String said = command.errorReader().readLine();
            // Chrome takes no chrome:// address from another program
            assertThat(said).isEqualTo("1. In Chrome's address bar type chrome://extensions");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> Files.exists(opened) && Files.size(opened) > 0);
            for (String line : Files.readAllLines(opened)) {
                browsers.add(ProcessHandle.of(Long.parseLong(line.split(" ")[0])).orElseThrow());
            }
            assertThat(opened).content().contains("/app/pair#code=").hasLineCount(1);
            assertThat(browsers)
                    .allMatch(browser -> !hub.process().descendants().toList().contains(browser));
            assertThat(opened.resolveSibling("opened.held")).content().doesNotContain("socket:");
            assertThat(opened.resolveSibling("opened.found"))
                    .as("a browser's files and language are the user's choice")
                    .hasContent(umask() + " C.UTF-8");
            command.destroy();
            assertThat(command.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(browsers).as("a browser stays").allMatch(ProcessHandle::isAlive);
        } finally {
            command.destroyForcibly();
            browsers.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static String umask() throws IOException {
        Process shell = new ProcessBuilder("sh", "-c", "umask").start();
        return shell.inputReader().readLine();
    }

    @Test
    void wrongTokenIsSaid() throws IOException {
        Path other = Launcher.freshState(folder);
        Files.createDirectory(other);
        Files.writeString(
                other.resolve("browse.json"),
                Json.write(
                        Json.object()
                                .put("pid", ProcessHandle.current().pid())
                                .put("port", hub.port())
                                .put("token", "tdh_wrong")));
        Launcher.Run run = launcher(other).run("status");
        assertThat(run.exit()).isEqualTo(10);
        assertThat(run.err())
                .contains("token", other.resolve("browse.json").toString(), "tandem stop")
                .hasLineCount(1);
    }

    @Test
    void doctorSaysWhatItFound() {
        // the hub does not wait for the terminal agent, which starts beside it
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() ->
                        assertThat(hub.run("doctor").out())
                                .contains("State dir", "Hub", "Token", "accepted")
                                .contains("none is connected")
                                .containsPattern("ok +Terminals +process \\d+, port \\d+")
                                .doesNotContain("start-up cache"));
        Launcher.Run json = hub.run("doctor", "--json");
        assertThat(Json.parse(json.out()).path("data").size()).isGreaterThan(4);
    }

    private String ask(String token, long pid) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), hub.port())) {
            socket.setSoTimeout(10_000);
            String fields = String.join("\0", "5", "/", "0", "0", "0", "status", "");
            String request =
                    "POST /cli HTTP/1.1\r\nHost: 127.0.0.1:"
                            + hub.port()
                            + "\r\nAuthorization: Bearer "
                            + token
                            + "\r\nTandem-Pid: "
                            + pid
                            + "\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + Integer.toHexString(fields.length())
                            + "\r\n"
                            + fields
                            + "\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

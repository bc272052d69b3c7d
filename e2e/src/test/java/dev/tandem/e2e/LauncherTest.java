package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Starting, ending, and every way in which a start can go wrong. */
class LauncherTest {
    private static final Duration QUICK = Duration.ofSeconds(3);

    @TempDir Path folder;
    private Launcher launcher = new Launcher(Path.of("unset"));

    @BeforeEach
    void freshState() {
        launcher = new Launcher(Launcher.freshState(folder));
    }

    @Test
    void stateLivesInTheHomeThatTheVariableNames() throws Exception {
        launcher.with("TANDEM_STATE_DIR", "").with("HOME", folder.toString());
        try (RunningHub hub = new RunningHub(launcher)) {
            assertThat(hub.ready().path("stateDir").asString())
                    .isEqualTo(folder.resolve(".local/state/tandem").toString());
            assertThat(launcher.run("browsers").exit()).isZero();
        }
    }

    @Test
    void readyLineSaysWhereAndStopEndsTheProcess() throws Exception {
        assertThat(Quickest.of(QUICK, this::stops)).isLessThan(QUICK);
    }

    private Duration stops() throws Exception {
        try (RunningHub hub = new RunningHub(launcher)) {
            assertThat(hub.ready().propertyNames())
                    .containsExactlyInAnyOrder("url", "stateDir", "pid");
            assertThat(hub.ready().path("pid").asLong()).isEqualTo(hub.process().pid());
            assertThat(hub.ready().path("stateDir").asString())
                    .isEqualTo(launcher.state().toString());

            // the answer comes when the process is gone
            long began = System.nanoTime();
            Launcher.Run stop = launcher.run("stop");
            assertThat(stop.exit()).as(stop.all()).isZero();
            Duration took = Quickest.since(began);
            assertThat(RunningHub.runs(hub.process().toHandle())).isFalse();
            assertThat(launcher.run("stop").out()).contains("No hub runs");
            assertThat(Launcher.exists(launcher.state().resolve("browse.json"))).isFalse();
            return took;
        }
    }

    @Test
    void stopFindsTheHubWhateverTheWidthOfTheTerminal() throws Exception {
        try (RunningHub hub = new RunningHub(launcher)) {
            assertThat(launcher.with("COLUMNS", "40").run("stop").out())
                    .isEqualTo("The hub is stopped.\n");
            assertThat(RunningHub.runs(hub.process().toHandle())).isFalse();
        }
    }

    // a small container has no ps
    @Test
    void stopNeedsNoOtherProgramToFindTheHub() throws Exception {
        try (RunningHub hub = new RunningHub(launcher)) {
            launcher.with("PATH", fewPrograms().toString());
            assertThat(launcher.run("stop").all()).isEqualTo("The hub is stopped.\n");
            assertThat(RunningHub.runs(hub.process().toHandle())).isFalse();
        }
    }

    @Test
    void termEndsItInThreeSecondsAndLeavesNoChild() throws Exception {
        assertThat(Quickest.of(QUICK, this::ends)).isLessThan(QUICK);
    }

    private Duration ends() throws Exception {
        try (RunningHub hub = new RunningHub(launcher)) {
            List<ProcessHandle> family = hub.process().descendants().toList();
            long began = System.nanoTime();
            hub.process().destroy();
            assertThat(hub.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
            Duration took = Quickest.since(began);
            await().untilAsserted(() -> assertThat(family).noneMatch(RunningHub::runs));
            return took;
        }
    }

    // the command on the PATH
    @Test
    void linksTheCommandAndTakesItAway() throws Exception {
        Path bin = folder.resolve("bin");
        Path command = bin.resolve("tandem");
        Launcher.Run told = launcher.in(folder).run("link", "--json", "bin");
        assertThat(Json.parse(told.out()).at("/data/link").asString())
                .isEqualTo(command.toString());
        assertThat(launcher.run("link", "--quiet", "bin").all()).isEmpty();
        Launcher.Run linked = launcher.run("link", "bin");
        assertThat(linked.all()).contains(command + " leads to", "export PATH=\"" + bin + ":");
        for (String name : List.of("version", "no-such-command")) {
            assertThat(launcher.as(command).run(name))
                    .isEqualTo(launcher.as(Launcher.ROOT.resolve("tandem")).run(name));
        }
        launcher.with("PATH", bin + ":" + System.getenv("PATH"));
        assertThat(launcher.as(command).run("link", bin.toString()).all()).hasLineCount(1);
        assertThat(launcher.as(command).run("unlink", "bin").exit()).isZero();
        assertThat(command).doesNotExist();

        launcher.as(Launcher.ROOT.resolve("tandem"));
        Files.writeString(command, "another program");
        for (String name : List.of("link", "unlink")) {
            assertThat(launcher.run(name, "bin"))
                    .satisfies(run -> {
                        assertThat(run.exit()).isEqualTo(2);
                        assertThat(run.err()).contains(command.toString()).hasLineCount(1);
                    });
        }
        assertThat(command).hasContent("another program");
        // Tandem was moved, and its old link leads nowhere
        Files.delete(command);
        Files.createSymbolicLink(command, folder.resolve("before/target/tandem"));
        assertThat(launcher.run("link", "bin").all()).contains(command + " leads to");
        assertThat(launcher.as(command).run("version").exit()).isZero();
        launcher.as(Launcher.ROOT.resolve("tandem"));
        assertThat(launcher.run("link", "a", "b").exit()).isEqualTo(1);
        assertThat(launcher.run("link", command.toString()).err()).contains("could not be made");
    }

    @Test
    void worksThroughALinkFromAnyFolder() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("t"), Launcher.ROOT.resolve("tandem"));
        Path second = Files.createSymbolicLink(folder.resolve("t2"), Path.of("t"));
        Launcher.Run run = launcher.as(second).in(folder).run("version");
        assertThat(run.exit()).isZero();
        assertThat(run.out()).matches("tandem \\d+\\.\\d+\\.\\d+\n");
        assertThat(link).isSymbolicLink();
    }

    @Test
    void aHubEndedAsSoonAsItIsFoundLeavesNothingBehind() throws Exception {
        Path found = launcher.state().resolve("browse.json");
        Process hub = launcher.start("up", "--port", "0", "--browser", "none", "--json");
        try {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofNanos(100))
                    .until(() -> Files.exists(found));
            hub.destroy();
            assertThat(hub.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(found).doesNotExist();
        } finally {
            hub.destroyForcibly();
        }
    }

    // nothing is written to the root of the file system instead
    @Test
    void withoutAHomeItSaysSo() {
        launcher.with("HOME", "");
        for (String name : List.of("link", "up", "sessions")) {
            Launcher.Run run = launcher.run(name);
            assertThat(run.exit()).as(name).isEqualTo(2);
            assertThat(run.err()).contains("HOME is not set").hasLineCount(1);
        }
    }

    @Test
    void withoutAJdkItSaysWhatToInstall() {
        Launcher.Run run = launcher.with("TANDEM_JDK_PATH", folder.toString()).run("up");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("JDK 25", "JAVA_HOME").hasLineCount(1);
    }

    // a runtime compiles nothing, and a browser is of no use before there is more
    @Test
    void aRuntimeIsNoJdkInACheckout() throws IOException {
        Path runtime = folder.resolve("jre");
        Files.createDirectories(runtime.resolve("bin"));
        Files.createFile(
                runtime.resolve("bin/java"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(runtime.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        Launcher.Run run =
                launcher.with("TANDEM_JDK_PATH", runtime.toString())
                        .with("PATH", fewPrograms().toString())
                        .run("up");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("JDK 25", "JAVA_HOME").hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "apt-get | sudo apt-get install chromium maven npm",
                "dnf | sudo dnf install chromium maven npm",
                "pacman | sudo pacman -S chromium maven npm",
                "zypper | sudo zypper install chromium maven npm",
                "brew | brew install google-chrome maven node",
                "none | chromium maven npm, by the packages of your system",
            })
    void allThatIsMissingIsNamedAsItIsInstalledHere(String manager, String command)
            throws IOException {
        Path programs = fewPrograms();
        Files.createSymbolicLink(programs.resolve(manager), Path.of("/bin/false"));
        // a checkout without a build
        Path checkout = Files.createDirectory(folder.resolve("checkout"));
        Files.createSymbolicLink(checkout.resolve("scripts"), Launcher.ROOT.resolve("scripts"));
        Files.copy(Launcher.ROOT.resolve("tandem"), checkout.resolve("tandem"));
        Launcher.Run run =
                launcher.as(checkout.resolve("tandem"))
                        .with("TANDEM_DIST", "")
                        .with("TANDEM_CHROMIUM", "")
                        .with("PATH", programs.toString())
                        .run("up", "--port", "0");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .contains("No Chromium was found.", "(" + command + ")", "--browser none")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource({"zsh, in ~/.zprofile say", "sh, in ~/.profile say", "fish, fish_add_path"})
    void linkNamesTheFileThatTheUsersShellReads(String shell, String advice) {
        launcher.with("SHELL", "/bin/" + shell).in(folder);
        assertThat(launcher.run("link", "bin").out()).contains(advice);
        assertThat(launcher.run("unlink", "bin").exit()).isZero();
    }

    @Test
    void takenPortIsNamedWithItsHolder() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            Launcher.Run run = launcher.run("up", "--browser", "none", "--port", port);
            assertThat(run.exit()).isEqualTo(2);
            assertThat(run.err())
                    .contains(port, "process " + ProcessHandle.current().pid(), "--port")
                    .hasLineCount(1);
        }
    }

    @Test
    void secondHubOnTheSameStateIsRefusedWithTheFirst() throws IOException {
        try (RunningHub hub = new RunningHub(launcher)) {
            Launcher.Run run = launcher.run("up", "--browser", "none", "--port", "0");
            assertThat(run.exit()).isEqualTo(2);
            assertThat(run.err())
                    .contains("already runs", "process " + hub.process().pid(), "tandem stop")
                    .hasLineCount(1);
            assertThat(hub.process().isAlive()).isTrue();
        }
    }

    @Test
    void unreadableStoreIsMovedAsideAndSaidAloud() throws IOException {
        String garbage = "this is no database ".repeat(300);
        try (RunningHub hub = new RunningHub(launcher)) {
            assertThat(hub.run("stop").exit()).isZero();
        }
        Files.writeString(launcher.state().resolve("tandem.db"), garbage);
        try (RunningHub hub = new RunningHub(launcher);
                Stream<Path> files = Files.list(launcher.state())) {
            // what it says to people comes by another pipe than the ready line
            await().untilAsserted(
                            () -> assertThat(hub.said()).contains("could not be read", "moved to"));
            assertThat(files.filter(file -> file.toString().contains("unreadable")))
                    .singleElement()
                    .satisfies(file -> assertThat(Files.readString(file)).isEqualTo(garbage));
        }
    }

    // SEC-26: a state dir that is open to others or a link is refused
    @Test
    void stateDirThatOthersCanReadIsRefused() throws IOException {
        Files.createDirectory(
                launcher.state(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.setPosixFilePermissions(
                launcher.state(), PosixFilePermissions.fromString("rwxr-xr-x"));
        Launcher.Run open = launcher.run("up", "--browser", "none", "--port", "0");
        assertThat(open.exit()).isEqualTo(2);
        assertThat(open.err()).contains("chmod 700").hasLineCount(1);

        Path link = Files.createSymbolicLink(folder.resolve("link"), launcher.state());
        Launcher.Run linked =
                launcher.run(
                        "up", "--browser", "none", "--port", "0", "--state-dir", link.toString());
        assertThat(linked.exit()).isEqualTo(2);
        assertThat(linked.err()).contains("is a link").hasLineCount(1);
    }

    @Test
    void stateDirThatCannotBeMadeIsNamedWithTheWayOut() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        Path inside = file.resolve("state");
        Launcher.Run run =
                launcher.run(
                        "up", "--browser", "none", "--port", "0", "--state-dir", inside.toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo(
                        "tandem: The state dir "
                                + inside
                                + " cannot be made. Name another with --state-dir.\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "up --prot 1 | Unknown option --prot",
                "up --port | Missing value for --port",
                "up --quiet --port lots | --port takes a number",
                "up --browser firefox | --browser takes managed or none",
                "up --headless --headed | exclude each other",
                "up --store mysql://x | --store takes postgresql://",
                "stop --now | Unknown option --now",
                "build --fast | Unknown option --fast",
                "snapshto | Did you mean snapshot?",
                "click --reff r1 | Did you mean --ref?",
                "click | Missing --ref",
            })
    void wrongUsageIsOneSentenceAndExitOne(String line, String sentence) {
        Launcher.Run run = launcher.run(line.split(" "));
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err()).contains(sentence).doesNotContain("\tat ");
        assertThat(Launcher.exists(launcher.state().resolve("browse.json"))).isFalse();
    }

    // W16: flags for every command may stand before it, and all commands take them
    @ParameterizedTest
    @MethodSource("dev.tandem.e2e.Launcher#all")
    void flagsForEveryCommandMayStandBeforeIt(Path script) {
        launcher.as(script);
        Map<String, String> lines =
                Map.of(
                        "--json doctor", "doctor --json",
                        "--json version", "version --json",
                        "--output-format json stop", "stop --output-format=json",
                        "--json --quiet stop", "stop --quiet --json",
                        "--json stop --now", "stop --now --json",
                        "--json --timeout-ms 5 goto", "goto --json --timeout-ms 5",
                        "--json link a b", "link --json a b",
                        "--json build --fast", "build --json --fast",
                        "--output-format json package x", "package --output-format=json x",
                        "--quiet --help", "help --quiet");
        lines.forEach((before, behind) -> {
            Launcher.Run run = launcher.run(before.split(" "));
            assertThat(run).as(before).isEqualTo(launcher.run(behind.split(" ")));
            assertThat(run.err()).as(before).isEmpty();
            if (before.contains("--quiet")) {
                assertThat(run.out()).as(before).isEmpty();
            } else {
                assertThat(Json.parse(run.out()).has("success")).as(before).isTrue();
            }
        });
    }

    // SETTLED 31: the caller's directory, whatever its name and wherever the hub was started
    @ParameterizedTest
    @ValueSource(strings = {"C", "xx_XX.UTF-8"})
    void aHubFromAShellWithoutALocaleKnowsEveryFolder(String locale) throws IOException {
        launcher.with("LC_ALL", locale);
        // its letters are spelled, so that they arrive whatever the locale of this test is
        String inFolder =
                "cd \"$0\" && mkdir -p $'Zo\\303\\253' && cd $'Zo\\303\\253' && exec \"$@\"";
        try (RunningHub hub = new RunningHub(launcher)) {
            for (Path script : Launcher.all().toList()) {
                Launcher.Run run =
                        launcher.as(Path.of("/bin/bash"))
                                .run(
                                        "-c",
                                        inFolder,
                                        folder.toString(),
                                        script.toString(),
                                        "status");
                assertThat(run.exit()).as(run.all()).isZero();
                assertThat(run.out()).contains(":" + hub.port());
            }
        }
    }

    @Test
    void withoutAHubTheExitCodeIsTen() {
        for (String command : List.of("status", "snapshot", "token")) {
            Launcher.Run run = launcher.run(command);
            assertThat(run.exit()).as(command).isEqualTo(10);
            assertThat(run.err()).contains("No hub runs", "tandem up");
        }
        // W16: programs get it as JSON
        for (String form :
                List.of("--json", "--output-format=json", "--output-format stream-json")) {
            Launcher.Run run = launcher.run(("status " + form).split(" "));
            assertThat(run.exit()).as(form).isEqualTo(10);
            assertThat(Json.parse(run.out()).path("code").asString()).isEqualTo("hub_unreachable");
            assertThat(Json.parse(run.out()).path("error").asString()).contains("No hub runs");
        }
        assertThat(launcher.run("help").out()).contains("snapshot");
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.e2e.Launcher#all")
    void strangerOnTheHubsPortIsRecognised(Path script) throws IOException {
        launcher.as(script);
        long self = ProcessHandle.current().pid();
        Launcher.Run run = statusFrom("220 mail ready\r\n", self);
        assertThat(run.exit()).isEqualTo(10);
        assertThat(run.err()).contains("Another program answers on port");
    }

    // SEC-22: what answers where a hub was drives no terminal, and is told nothing
    @ParameterizedTest
    @MethodSource("dev.tandem.e2e.Launcher#all")
    void strangersWordsDoNothingToTheTerminal(Path script) throws Exception {
        launcher.as(script);
        long self = ProcessHandle.current().pid();
        String title = "\u001b]0;x\u0007";
        String no = "HTTP/1.1 403 Forbidden\r\n\r\n{\"error\":\"" + title + "\u009b2J no\"}";
        assertThat(statusFrom(no, self).err()).contains("]0;x?", " no").doesNotContain("\u001b");

        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        String frames =
                "HTTP/1.1 200 OK\r\n\r\no%08d\n%sx00000000\n".formatted(title.length(), title);
        Launcher.Run run = statusFrom(frames, gone.pid());
        assertThat(run.exit()).isEqualTo(10);
        assertThat(run.all()).contains("No hub runs").doesNotContain("\u001b");
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.e2e.Launcher#all")
    void whatMayHaveBeenDoneIsNotAskedAgain(Path script) throws Exception {
        launcher.as(script);
        long self = ProcessHandle.current().pid();
        // the second connection would be answered, too
        Launcher.Run silent = statusFrom("", self);
        assertThat(silent.exit()).isEqualTo(10);
        assertThat(silent.err()).contains("does not answer");
        Launcher.Run cut = statusFrom("HTTP/1.1 200 OK\r\n\r\no00000009\nhalf", self);
        assertThat(cut.exit()).isEqualTo(10);
        assertThat(cut.err()).contains("ended the connection before the command was done");
    }

    // both launchers wait in the same lines
    @Test
    void aHubThatHangsIsToldFromOneThatIsBusy() throws Exception {
        try (RunningHub hub = new RunningHub(launcher)) {
            signal("STOP", hub);
            try {
                Process patient = launcher.start("status", "--json");
                // the native launcher leaves what takes long to the other one
                await().atMost(Duration.ofSeconds(20)).until(() -> isBash(patient));
                signal("CONT", hub);
                assertThat(Json.parse(patient.inputReader().readLine()).path("success").asBoolean())
                        .isTrue();
                assertThat(patient.waitFor()).isZero();

                signal("STOP", hub);
                Launcher.Run run = launcher.run("status");
                assertThat(run.exit()).isEqualTo(10);
                assertThat(run.err()).contains("has stopped answering", "tandem doctor");
            } finally {
                signal("CONT", hub);
            }
            assertThat(launcher.run("status").exit()).isZero();
        }
    }

    private static boolean isBash(Process process) {
        return process.info().command().filter(name -> name.endsWith("bash")).isPresent();
    }

    private static void signal(String name, RunningHub hub) throws Exception {
        String pid = Long.toString(hub.process().pid());
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
    }

    /** What the launcher does when this answer comes from the port of the hub of that process. */
    private Launcher.Run statusFrom(String answer, long pid) throws IOException {
        try (ServerSocket stranger = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> answer(stranger, answer));
            Files.createDirectories(launcher.state());
            Files.writeString(
                    launcher.state().resolve("browse.json"),
                    Json.write(
                            Json.object()
                                    .put("pid", pid)
                                    .put("port", stranger.getLocalPort())
                                    .put("token", "old")));
            return launcher.run("status");
        }
    }

    private static void answer(ServerSocket stranger, String answer) {
        try (Socket socket = stranger.accept()) {
            socket.getInputStream().readNBytes(64);
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
            socket.shutdownOutput();
            // a close with unread bytes would be a reset, which may overtake the answer
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // the test is over
        }
    }

    /** The programs that the launcher uses, and no browser. */
    private Path fewPrograms() throws IOException {
        Path bin = Files.createDirectory(folder.resolve("bin"));
        for (String name :
                List.of(
                        "bash",
                        "cat",
                        "find",
                        "dirname",
                        "readlink",
                        "tr",
                        "java",
                        "date",
                        "sleep")) {
            for (String place : List.of("/bin", "/usr/bin")) {
                Path program = Path.of(place, name);
                if (Files.isExecutable(program) && !Files.exists(bin.resolve(name))) {
                    Files.createSymbolicLink(bin.resolve(name), program);
                }
            }
        }
        return bin;
    }
}

package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.Options;
import dev.tandem.hub.browser.OpsSocket;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The browser that the hub starts: paired by itself, closed to others, gone with the hub. */
class ManagedBrowserTest {

    @Test
    void itExposesNothingAndEndsWithTheHub() throws Exception {
        // SEC-19, OPS-B14
        Duration atOnce = Duration.ofSeconds(3);
        assertThat(Quickest.of(atOnce, ManagedBrowserTest::exposesNothingAndEnds))
                .isLessThan(atOnce);
    }

    private static Duration exposesNothingAndEnds() throws IOException {
        Hub hub = Hub.start(Options.BrowserChoice.MANAGED);
        long began;
        try {
            hub.awaitBrowsers(1);
            List<ProcessHandle> family = chromiums(hub);
            assertThat(family).isNotEmpty();
            String secrets = token(hub);
            for (ProcessHandle process : family) {
                String line = commandLine(process.pid());
                assertThat(line).doesNotContain("--remote-debugging-port", "tde_", "tdr_", secrets);
                assertThat(listeningPorts(process.pid())).as(line).isEmpty();
            }
            Path profile = hub.stateDir().resolve("profiles/default");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(profile)))
                    .isEqualTo("rwx------");
            assertThat(profile.resolve("DevToolsActivePort")).doesNotExist();
        } finally {
            began = System.nanoTime();
            hub.close();
        }
        Duration took = Quickest.since(began);
        Awaitility.await().untilAsserted(() -> assertThat(chromiums(hub)).isEmpty());
        return took;
    }

    // OPS-115: its tabs go with the hub, but that is not what happened
    @Test
    void whoWaitsForAnAnswerHearsThatTheHubStops() throws IOException {
        OpsSocket socket;
        try (Hub hub = Hub.start(Options.BrowserChoice.MANAGED)) {
            hub.awaitBrowsers(1);
            OpsProgram program = new OpsProgram(hub, hub.token());
            socket = program.socket();
            program.launch(Json.object().put("startUrl", Pages.shared().url("/")));
            ObjectNode never = Json.object().put("text", "what never comes");
            socket.ask("late", "nav.wait", program.session(), never);
            program.call("session.status", Json.object());
        }
        JsonNode answer = socket.answer();
        assertThat(answer.path("requestId").asString()).isEqualTo("late");
        JsonNode error = answer.path("error");
        assertThat(error.path("code").asString()).isEqualTo("ops_unavailable");
        assertThat(error.path("message").asString()).isEqualTo("The hub is stopping.");
        assertThat(error.path("details").path("reason").asString()).isEqualTo("hub_stopping");
        socket.close();
    }

    @Test
    void itComesBackAfterACrash() throws IOException {
        try (Hub hub = Hub.start(Options.BrowserChoice.MANAGED)) {
            hub.awaitBrowsers(1);
            McpClient client = hub.mcp();
            client.call("goto", Json.object().put("url", Pages.shared().url("/")));
            long first = hub.status().path("extensions").path(0).path("connectedAt").asLong();
            chromiums(hub).forEach(ProcessHandle::destroyForcibly);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(40))
                    .until(() ->
                            hub.status().path("extensions").path(0).path("connectedAt").asLong(0)
                                    > first);
            // the old session went with the crash and says so at most once; then a new one opens
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .untilAsserted(() ->
                            client.call("goto", Json.object().put("url", Pages.shared().url("/"))));
            assertThat(client.text("snapshot", Json.object())).contains("Counter");
        }
    }

    // OPS-41: what a launch asks for is done or refused, never left out
    @Test
    void itIsAsItWasAskedForAndLeavesWhatItMay(@TempDir Path folder) throws IOException {
        Path state = Launcher.freshState(folder);
        Path profiles = state.resolve("profiles");
        try (RunningHub hub = new RunningHub(new Launcher(state))) {
            CommandLine cli = new CommandLine(hub);
            String[] once = {
                "launch",
                "--no-extension",
                "--headless",
                "--profile",
                "once",
                "--persist-profile=false"
            };
            JsonNode first = cli.call(once);
            assertThat(profiles.resolve("once")).doesNotExist();
            assertThat(folders(profiles)).hasSize(1);
            for (String other : List.of("--flag=--mute-audio", "--persist-profile")) {
                JsonNode refused =
                        cli.failure(2, "launch", "--no-extension", "--profile", "once", other);
                assertThat(refused.path("code").asString()).isEqualTo("launch_failed");
                assertThat(refused.path("error").asString())
                        .contains(
                                "\"once\" runs already", other.replaceAll("=.*", ""), "--profile");
            }
            assertThat(cli.call(once).path("browser")).isEqualTo(first.path("browser"));
            cli.call(
                    "disconnect",
                    "--session-id",
                    first.path("sessionId").asString(),
                    "--close-browser");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(folders(profiles)).isEmpty());
            cli.call("launch", "--no-extension", "--headless", "--profile", "kept");
        }
        assertThat(profiles.resolve("kept")).isDirectory();
    }

    // OPS-C15: Chrome keeps a worker's scripts in the profile; an update must not leave the old
    // ones
    @Test
    void itRunsTheExtensionThatThereIsNow(@TempDir Path folder) throws IOException {
        Path checkout = Files.createDirectory(folder.resolve("checkout"));
        Files.createDirectory(checkout.resolve("target"));
        // the native launcher goes by where it really is, so a link to it would lead back here
        for (String program : List.of("tandem", "target/tandem")) {
            Path here = Launcher.ROOT.resolve(program);
            if (Files.exists(here)) {
                Files.copy(here, checkout.resolve(program), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        for (String part : List.of("scripts", "target/dist", "pom.xml")) {
            Files.createSymbolicLink(checkout.resolve(part), Launcher.ROOT.resolve(part));
        }
        copyTree(Launcher.ROOT.resolve("extension"), checkout.resolve("extension"));
        Path refs = checkout.resolve("extension/ops/refs.js");
        Files.writeString(refs, Files.readString(refs).replace("Unknown ref:", "Older words:"));
        Path state = Launcher.freshState(folder);
        Launcher older = new Launcher(state).as(checkout.resolve("tandem"));
        assertThat(unknownRef(older)).contains("Older words: f9r1");
        for (int start = 0; start < 2; start++) {
            assertThat(unknownRef(new Launcher(state))).contains("Unknown ref: f9r1");
        }
    }

    private static String unknownRef(Launcher launcher) throws IOException {
        try (RunningHub hub = new RunningHub(launcher)) {
            CommandLine cli = new CommandLine(hub);
            cli.call("launch", "--no-extension", "--headless", "--profile", "kept");
            return cli.failure(2, "click", "f9r1").path("error").asString();
        }
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Files.copy(each, to.resolve(from.relativize(each).toString()));
            }
        }
    }

    private static List<Path> folders(Path parent) throws IOException {
        try (Stream<Path> entries = Files.list(parent)) {
            return entries.toList();
        }
    }

    @Test
    void whatTheHubKeepsIsClosedToOthers() throws IOException {
        // SEC-26 (files): nothing below the state dir can be read by another user
        Hub hub = Hub.shared();
        hub.mcp().text("screenshot", Json.object());
        List<String> open = new ArrayList<>();
        assertThat(mode(hub.stateDir())).isEqualTo("rwx------");
        try (Stream<Path> entries = Files.list(hub.stateDir())) {
            for (Path entry : entries.toList()) {
                String mode = mode(entry);
                boolean closed = mode.endsWith("------");
                if (!closed) {
                    open.add(entry.getFileName() + " " + mode);
                }
            }
        }
        assertThat(open).isEmpty();
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static String token(Hub hub) throws IOException {
        return hub.token();
    }

    private static List<ProcessHandle> chromiums(Hub hub) {
        String profiles = hub.stateDir().resolve("profiles").toString();
        return ProcessHandle.allProcesses()
                .filter(process -> commandLine(process.pid()).contains(profiles))
                .toList();
    }

    private static String commandLine(long pid) {
        try {
            byte[] raw = Files.readAllBytes(Path.of("/proc/" + pid + "/cmdline"));
            return new String(raw, StandardCharsets.UTF_8).replace('\0', ' ');
        } catch (IOException e) {
            return "";
        }
    }

    /** Local TCP ports on which a process listens. */
    private static List<String> listeningPorts(long pid) throws IOException {
        List<String> inodes = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            for (Path file : files.toList()) {
                try {
                    inodes.add(Files.readSymbolicLink(file).toString());
                } catch (IOException e) {
                    // closed meanwhile
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        List<String> ports = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/proc/net/tcp"))) {
            String[] fields = line.strip().split("\\s+", -1);
            boolean listens = fields.length > 9 && fields[3].equals("0A");
            if (listens && inodes.contains("socket:[" + fields[9] + "]")) {
                ports.add(fields[1]);
            }
        }
        return ports;
    }
}

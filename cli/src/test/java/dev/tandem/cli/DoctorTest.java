package dev.tandem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Each way of not being connected has its own finding and remedy. */
class DoctorTest {
    private static final String TOKEN = "tdh_right";

    @TempDir Path folder;
    private final Console console = new Console();
    private final ObjectNode status = Json.object();
    private final Map<String, String> environment = new java.util.HashMap<>();
    private HttpServer server;
    private Path state;

    @BeforeEach
    void start() throws IOException {
        state = Files.createDirectory(folder.resolve("state"));
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwx------"));
        status.put("instanceId", "i-1");
        status.putArray("extensions");
        status.putObject("pairings").put("strangerAt", 0).putArray("browsers");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        answer("/config", () -> Json.object().put("instanceId", "i-1"));
        server.createContext(
                "/status",
                exchange -> {
                    boolean known =
                            ("Bearer " + TOKEN)
                                    .equals(exchange.getRequestHeaders().getFirst("Authorization"));
                    respond(exchange, known ? status : Json.object().put("running", true));
                });
        server.start();
        browse(server.getAddress().getPort(), TOKEN, ProcessHandle.current().pid());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private interface Body {
        ObjectNode get();
    }

    private void answer(String path, Body body) {
        server.createContext(path, exchange -> respond(exchange, body.get()));
    }

    private static void respond(com.sun.net.httpserver.HttpExchange exchange, ObjectNode body)
            throws IOException {
        respond(exchange, 200, body);
    }

    private static void respond(
            com.sun.net.httpserver.HttpExchange exchange, int status, ObjectNode body)
            throws IOException {
        byte[] bytes = Json.bytes(body);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private void browse(int port, String token, long pid) throws IOException {
        ObjectNode file = Json.object().put("port", port).put("token", token).put("pid", pid);
        Files.writeString(state.resolve("browse.json"), Json.write(file.put("instanceId", "i-1")));
    }

    private String examine(String... words) {
        console.out.setLength(0);
        environment.put("TANDEM_STATE_DIR", state.toString());
        environment.put("TANDEM_HOME", folder.toString());
        console.exit = Doctor.of(environment, console).run(java.util.List.of(words));
        return console.out.toString();
    }

    // W16, OPS-L11: the same words and forms as every other command
    @Test
    void itTakesWhatEveryCommandTakes() throws IOException {
        for (String word : new String[] {"--help", "-h"}) {
            assertThat(examine(word)).startsWith("tandem doctor:").doesNotContain("JDK  ");
            assertThat(console.exit).isZero();
        }
        console.run("help", "doctor");
        assertThat(console.out.toString()).isEqualTo(Help.doctor(0));
        assertThat(examine("--quiet")).isEmpty();
        assertThat(examine("--json", "--jsno")).contains("\"code\":\"usage\"");
        assertThat(console.exit).isEqualTo(1);
        examine("--json");
        assertThat(console.json().path("message").asString()).isEqualTo("Nothing is wrong.");
        Files.writeString(state.resolve("browse.json"), "{");
        assertThat(examine("--quiet")).startsWith("WRONG").doesNotContain("JDK");
        examine("--json");
        assertThat(console.json().path("error").asString()).startsWith("Hub: ");
        assertThat(console.json().path("exitCode").asInt()).isEqualTo(2);
        assertThat(console.json().path("data")).isNotEmpty();
    }

    private ObjectNode pairing() {
        return ((tools.jackson.databind.node.ArrayNode) status.path("pairings").path("browsers"))
                .addObject()
                .put("name", "Work")
                .put("valid", true)
                .put("calledAt", 0);
    }

    @Test
    void wrongWords() {
        assertThat(examine("--jsno")).isEmpty();
        assertThat(console.exit).isEqualTo(1);
        assertThat(console.err).contains("Unknown option: --jsno", "Usage: tandem doctor [--json]");
    }

    @Test
    void aNamedBrowserThatCannotRun() throws IOException {
        environment.put("TANDEM_CHROMIUM", folder.resolve("chromium").toString());
        assertThat(examine()).contains("cannot be run", "Set TANDEM_CHROMIUM");
        assertThat(console.exit).isEqualTo(2);
        Files.createFile(
                folder.resolve("chromium"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        assertThat(examine()).doesNotContain("cannot be run").containsPattern("ok +Chromium");
        assertThat(console.exit).isZero();
    }

    @Test
    void aBrowserOnThePath() throws IOException {
        environment.put("PATH", ":" + folder);
        assertThat(examine()).contains("none on the PATH");
        Files.createFile(
                folder.resolve("chromium"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        assertThat(examine()).contains(folder.resolve("chromium").toString());
    }

    // what the launcher takes for a Chromium is what the hub starts and the doctor finds
    @Test
    void launcherAndHubKnowTheSameBrowsers() throws IOException {
        String launcher = Files.readString(Path.of("..", "scripts", "need.sh"));
        assertThat(launcher)
                .contains("for name in " + String.join(" ", ChromiumPrograms.NAMES) + "; do");
        for (String place : ChromiumPrograms.MAC) {
            assertThat(launcher).contains(place.substring(0, place.indexOf(".app") + 4));
        }
        for (String name : ChromiumPrograms.NAMES) {
            Path bin = Files.createDirectory(folder.resolve(name));
            environment.put("PATH", bin.toString());
            Path program = Files.createFile(bin.resolve(name));
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
            assertThat(examine()).containsPattern("ok +Chromium +" + program);
        }
    }

    @Test
    void noStateDirYet() {
        state = folder.resolve("none");
        assertThat(examine()).contains("does not exist yet", "tandem up");
        assertThat(console.exit).isZero();
    }

    @Test
    void aStateDirThatOthersCanRead() throws IOException {
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-x---"));
        assertThat(examine()).contains("open to others (rwxr-x---)", "chmod 700 " + state);
        assertThat(console.exit).isEqualTo(2);
    }

    @Test
    void aStateDirThatIsNone() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), state);
        state = link;
        assertThat(examine()).contains("is not a folder", "Name the folder itself");
        state = Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("nowhere"));
        assertThat(examine()).contains("cannot be read", "Check its owner and permissions.");
        assertThat(console.exit).isEqualTo(2);
    }

    @Test
    void aStateDirOfSomebodyElse() throws IOException {
        boolean root = Files.getAttribute(folder, "unix:uid").equals(0);
        Path own = state;
        state = root ? state : Path.of("/");
        if (root) {
            Files.setAttribute(state, "unix:uid", 12345);
        }
        try {
            assertThat(examine()).contains("belongs to somebody else", "a folder of your own");
        } finally {
            if (root) {
                Files.setAttribute(own, "unix:uid", 0);
            }
        }
        assertThat(console.exit).isEqualTo(2);
    }

    // a container's user has a number and no name
    @Test
    void aUserWithoutAName() {
        String me = System.getProperty("user.name");
        System.setProperty("user.name", "?");
        try {
            assertThat(examine()).containsPattern("ok +State dir");
        } finally {
            System.setProperty("user.name", me);
        }
        assertThat(console.exit).isZero();
    }

    @Test
    void aHubFileThatIsBroken() throws IOException {
        Files.writeString(state.resolve("browse.json"), "{");
        assertThat(examine("--json")).contains("browse.json cannot be read");
        assertThat(console.json().path("success").asBoolean(true)).isFalse();
        assertThat(console.exit).isEqualTo(2);
    }

    @Test
    void aProgramThatHangsUp() throws Exception {
        try (ServerSocket rude = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            while (true) {
                                var caller = rude.accept();
                                caller.setSoLinger(true, 0);
                                caller.close();
                            }
                        } catch (IOException e) {
                            // the test is over
                        }
                    });
            browse(rude.getLocalPort(), TOKEN, ProcessHandle.current().pid());
            assertThat(examine()).contains("does not answer as a hub");
        }
    }

    @Test
    void aTakenPort() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            java.util.List<String> found = new java.util.ArrayList<>();
            HubExam.freePort(
                    taken.getLocalPort(),
                    (what, verdict, words, remedy) -> found.add(verdict + " " + words + remedy));
            assertThat(found)
                    .singleElement()
                    .asString()
                    .startsWith("WRONG " + taken.getLocalPort() + " is taken by another program")
                    .contains("tandem up --port N");
        }
    }

    @Test
    void noHub() throws IOException {
        Files.delete(state.resolve("browse.json"));
        assertThat(examine()).contains("not running", "tandem up");
    }

    @Test
    void aHubThatDied() throws IOException {
        Process gone = new ProcessBuilder("true").start();
        gone.onExit().join();
        browse(server.getAddress().getPort(), TOKEN, gone.pid());
        assertThat(examine()).contains("is gone", "tandem up");
        assertThat(console.exit).isEqualTo(2);
    }

    @Test
    void nobodyOnThePort() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        browse(free, TOKEN, ProcessHandle.current().pid());
        assertThat(examine()).contains("nothing listens on port " + free);
        assertThat(console.exit).isEqualTo(2);
    }

    // OPS-L11: a hub that hangs is no other program
    @Test
    void aHubThatHangs() throws IOException {
        StringBuilder found = new StringBuilder();
        try (ServerSocket frozen = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            browse(frozen.getLocalPort(), TOKEN, ProcessHandle.current().pid());
            ObjectNode file = Json.parseObject(Files.readString(state.resolve("browse.json")));
            new HubExam(
                            file,
                            (what, verdict, said, remedy) -> found.append(said).append(remedy),
                            50)
                    .run("");
        }
        assertThat(found).contains("answers none", "may hang", "tandem stop");
        assertThat(found).doesNotContain("Another program");
    }

    @Test
    void aForeignProgramOnThePort() throws IOException {
        server.removeContext("/config");
        assertThat(examine()).contains("does not answer as a hub", "Another program");
        assertThat(console.exit).isEqualTo(2);
    }

    @Test
    void theHubOfAnotherStateDir() throws IOException {
        server.removeContext("/config");
        answer("/config", () -> Json.object().put("instanceId", "i-2"));
        assertThat(examine()).contains("another hub answers", "TANDEM_STATE_DIR");
    }

    @Test
    void aDeadToken() throws IOException {
        browse(server.getAddress().getPort(), "tdh_wrong", ProcessHandle.current().pid());
        assertThat(examine()).contains("does not take the token");
        assertThat(console.exit).isEqualTo(2);
    }

    private void refuse(int code, ObjectNode body) {
        server.removeContext("/status");
        server.createContext("/status", exchange -> respond(exchange, code, body));
    }

    // OPS-L11: whoever asks inside a session is not sent to end all sessions
    @Test
    void askedByAnAgent() {
        refuse(
                403,
                Json.object()
                        .put("error", "This connection comes from a process of Guide.")
                        .put("code", "forbidden")
                        .put("reason", "agent_process"));
        assertThat(examine())
                .containsPattern("note +Token +.*to you alone. This connection comes from")
                .contains("in your own shell")
                .doesNotContain("tandem stop");
        assertThat(console.exit).isZero();
    }

    // OPS-L11
    @Test
    void aHubThatFailsToSayHowItIs() {
        refuse(500, Json.object().put("error", "x").put("code", "internal"));
        assertThat(examine())
                .containsPattern("WRONG +Hub +.*fails to say how it is \\(500\\)")
                .contains("logs/hub.log")
                .doesNotContain("Token", "tandem stop");
        assertThat(console.exit).isEqualTo(2);
        refuse(401, Json.object().put("error", "x").put("code", "unauthorized"));
        assertThat(examine()).contains("does not take the token", "tandem stop");
    }

    // OPS-L11
    @Test
    void aHubThatIsSlowToSayHowItIs() throws IOException {
        server.removeContext("/status");
        server.createContext("/status", exchange -> {});
        StringBuilder found = new StringBuilder();
        ObjectNode file = Json.parseObject(Files.readString(state.resolve("browse.json")));
        new HubExam(
                        file,
                        (what, verdict, said, remedy) ->
                                found.append(verdict).append(what).append(said).append(remedy),
                        300)
                .run("");
        assertThat(found)
                .contains("WRONGHubit lives, but does not say how it is")
                .doesNotContain("Token", "tandem stop");
    }

    @Test
    void nothingWasEverPaired() {
        assertThat(examine())
                .contains("none is connected", "no browser was paired", "tandem connect chrome")
                // a second hub on this state dir is refused
                .contains("tandem launch --no-extension")
                .doesNotContain("tandem up");
        assertThat(console.exit).isZero();
    }

    @Test
    void aBrowserThatIsNotPairedHere() {
        ((ObjectNode) status.path("pairings")).put("strangerAt", System.currentTimeMillis());
        assertThat(examine()).contains("never paired with it", "tandem pair");
        assertThat(console.exit).isEqualTo(2);
    }

    @Test
    void anExtensionThatIsNotLoaded() {
        pairing();
        assertThat(examine()).contains("Work is paired, but does not call", "chrome://extensions");
    }

    @Test
    void aPairingThatHasEnded() {
        pairing().put("valid", false).put("calledAt", System.currentTimeMillis());
        assertThat(examine()).contains("the pairing of Work has ended", "tandem pair");
        assertThat(console.exit).isEqualTo(2);
    }

    @Test
    void aBrowserThatCallsInVain() {
        pairing().put("calledAt", System.currentTimeMillis());
        assertThat(examine()).contains("Work finds the hub", "Reload the extension");
        assertThat(console.exit).isEqualTo(2);
    }

    // OPS-L11
    @Test
    void anExtensionOfAnotherOrigin() {
        ObjectNode refused =
                status.putArray("handshakeErrors").addObject().put("code", "origin_blocked");
        refused.put("message", "Refused chrome-extension://x.").put("at", 1);
        assertThat(examine()).doesNotContain("another extension");
        refused.put("at", System.currentTimeMillis());
        assertThat(examine())
                .contains("another extension", "chrome-extension://x", "tandem extension");
        assertThat(console.exit).isEqualTo(2);
    }

    // OPS-L11
    @Test
    void aManagedBrowserThatDidNotStart() {
        status.putObject("launchFailed")
                .put("message", "x ended. It said: \u001b[2Jno")
                .put("at", 1);
        assertThat(examine())
                .contains("the managed one did not start: x ended. It said: \\x1b[2Jno")
                .contains("tandem launch --no-extension");
        assertThat(console.exit).isEqualTo(2);
    }

    // a snap reads nothing of what Tandem has in ~/.local
    @Test
    void aChromiumThatIsASnap() throws IOException {
        Path snap =
                Files.createFile(
                        folder.resolve("snap"),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
        Files.createSymbolicLink(folder.resolve("chromium"), snap);
        environment.put("PATH", folder.toString());
        assertThat(examine()).containsPattern("ok +Chromium");
        state = Files.createDirectory(folder.resolve(".hidden")).resolve("state");
        assertThat(examine())
                .containsPattern("note +Chromium +.*is a snap")
                .contains("TANDEM_CHROMIUM", "TANDEM_STATE_DIR");
    }

    // SEC-22: what browsers and their errors are called
    @Test
    void foreignStringsNeverDriveTheTerminal() {
        long now = System.currentTimeMillis();
        for (String hostile : Hostile.TEXTS) {
            ((ObjectNode) status.path("pairings")).putArray("browsers");
            pairing().put("name", hostile).put("calledAt", now);
            pairing().put("name", hostile).put("valid", false);
            status.putArray("extensions")
                    .addObject()
                    .put("name", hostile)
                    .put("version", hostile)
                    .putObject("attachRefused")
                    .put("message", hostile)
                    .put("at", now);
            status.putArray("handshakeErrors")
                    .addObject()
                    .put("code", "origin_blocked")
                    .put("message", hostile)
                    .put("at", now);
            status.putObject("launchFailed").put("message", hostile);
            for (String[] words : new String[][] {{}, {"--json"}, {"--quiet"}}) {
                examine(words);
                assertThat(console.exit).isEqualTo(2);
                Hostile.assertHarmless("doctor", console);
            }
        }
    }

    private void managedIsConnected() {
        ((tools.jackson.databind.node.ArrayNode) status.path("extensions"))
                .addObject()
                .put("browserId", "managed-default")
                .put("name", "managed");
    }

    // OPS-L11: the hub's own browser is there, and yours is still missing
    @Test
    void oneThatIsConnectedHidesNoneThatIsNot() {
        managedIsConnected();
        ObjectNode work = pairing().put("browserId", "b-1");
        assertThat(examine())
                .contains("managed is connected", "Work is paired, but does not call")
                .doesNotContain("none is connected");
        work.put("calledAt", System.currentTimeMillis());
        assertThat(examine()).contains("Work finds the hub");
        ((ObjectNode) status.path("pairings")).put("strangerAt", System.currentTimeMillis());
        status.putArray("handshakeErrors")
                .addObject()
                .put("code", "origin_blocked")
                .put("message", "Refused chrome-extension://x.")
                .put("at", System.currentTimeMillis());
        assertThat(examine()).contains("never paired with it", "another extension");
        ((tools.jackson.databind.node.ArrayNode) status.path("extensions"))
                .addObject()
                .put("browserId", "b-1")
                .put("name", "Work");
        assertThat(examine()).contains("Work is connected").doesNotContain("Work finds the hub");
    }

    @Test
    void aPairingThatAnotherOneReplaced() {
        pairing().put("browserId", "b-2").put("pairedAt", 9);
        ObjectNode old = pairing().put("name", "Old").put("valid", false).put("pairedAt", 5);
        assertThat(examine()).containsPattern("note +Pairing +the pairing of Old has ended");
        assertThat(console.exit).isZero();
        old.put("pairedAt", 10);
        assertThat(examine()).containsPattern("WRONG +Pairing +the pairing of Old has ended");
        old.put("pairedAt", 5).put("calledAt", System.currentTimeMillis());
        assertThat(examine()).as("it is in use").containsPattern("WRONG +Pairing");
    }

    // OPS-L11
    @Test
    void aDebuggerThatIsNotLetIn() {
        ObjectNode browser =
                ((tools.jackson.databind.node.ArrayNode) status.path("extensions")).addObject();
        browser.put("name", "Work")
                .putObject("attachRefused")
                .put("reason", "other_debugger")
                .put("message", "Another debugger is attached.")
                .put("at", System.currentTimeMillis());
        assertThat(examine()).contains("Work did not let it attach: Another debugger", "end it");
        assertThat(console.exit).isEqualTo(2);
    }

    private static void extension(Path place, String version) throws IOException {
        Files.writeString(
                Files.createDirectories(place.resolve("extension")).resolve("manifest.json"),
                Json.write(Json.object().put("version", version)));
    }

    // OPS-L11: the browser's extension is the hub's copy, which "Reload" brings up to date
    @Test
    void anotherVersionOfTheExtension() throws IOException {
        extension(state, "2.0.0");
        extension(folder, "3.0.0");
        ObjectNode browser =
                ((tools.jackson.databind.node.ArrayNode) status.path("extensions"))
                        .addObject()
                        .put("name", "Work")
                        .put("version", "1.9.0");
        assertThat(examine())
                .contains("Work is connected", "1.9.0", "the hub's is 2.0.0", "Reload")
                .doesNotContain("3.0.0");
        assertThat(console.exit).isEqualTo(2);
        browser.put("version", "2.0.0");
        assertThat(examine()).doesNotContain("Reload");
        assertThat(console.exit).isZero();
    }

    @Test
    void aHubOfAnotherVersion() throws IOException {
        extension(folder, "3.0.0");
        ObjectNode file = Json.parseObject(Files.readString(state.resolve("browse.json")));
        for (String version : new String[] {"3.0.0", "2.0.0"}) {
            Files.writeString(
                    state.resolve("browse.json"), Json.write(file.put("binaryVersion", version)));
            console.out.setLength(0);
            boolean old = version.equals("2.0.0");
            assertThat(examine().contains("the hub runs version 2.0.0, installed is 3.0.0"))
                    .isEqualTo(old);
            assertThat(console.exit).isEqualTo(old ? 2 : 0);
        }
        assertThat(console.out).contains("tandem stop, tandem up");
    }

    private ObjectNode terminal(String how) {
        return status.putObject("terminal").put("state", how);
    }

    /** A Java process that runs on, as the one behind terminals does. */
    private Process agent(String... options) throws IOException {
        Path program = folder.resolve("Sleeper.java");
        Files.writeString(
                program, "void main() throws Exception { IO.println(1); Thread.sleep(600_000); }");
        java.util.List<String> line = new java.util.ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(java.util.List.of(options));
        line.addAll(java.util.List.of("-cp", folder.toString(), program.toString()));
        Process process = new ProcessBuilder(line).start();
        assertThat(process.getInputStream().read()).isEqualTo('1');
        return process;
    }

    // OPS-L11: every part, the one behind terminals as well
    @Test
    void theProcessBehindTerminals() throws IOException {
        Process agent = agent();
        try {
            terminal("ready").put("pid", agent.pid()).put("port", server.getAddress().getPort());
            assertThat(examine())
                    .containsPattern("ok +Terminals +process " + agent.pid() + ", port \\d+")
                    .containsPattern("note +Terminals +.*without a start-up cache")
                    .contains("tandem build");
            assertThat(console.exit).isZero();
            Files.createDirectory(folder.resolve("runtime"));
            assertThat(examine()).contains("hub.aot").doesNotContain("tandem build");
        } finally {
            agent.destroyForcibly();
        }
        agent.onExit().join();
        assertThat(examine()).contains("is gone", "terminal.log");
    }

    @Test
    void aStartUpCacheThatJavaDoesNotTake() throws IOException {
        Path cache = Files.writeString(folder.resolve("terminal.aot"), "of another Java");
        Process agent = agent("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off");
        try {
            terminal("ready").put("pid", agent.pid()).put("port", server.getAddress().getPort());
            assertThat(examine()).contains("Java does not take its start-up cache " + cache);
            assertThat(console.exit).isZero();
        } finally {
            agent.destroyForcibly();
        }
    }

    @Test
    void aTerminalAgentThatHangs() throws IOException {
        StringBuilder found = new StringBuilder();
        try (ServerSocket frozen = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            long me = ProcessHandle.current().pid();
            new TerminalExam(
                            terminal("ready").put("pid", me).put("port", frozen.getLocalPort()),
                            state,
                            (what, verdict, said, remedy) ->
                                    found.append(verdict).append(said).append(remedy),
                            50)
                    .run(folder);
            assertThat(found).contains("WRONG", "does not answer", "may hang", "kill -9 " + me);
        }
        found.setLength(0);
        new TerminalExam(
                        terminal("ready").put("pid", ProcessHandle.current().pid()).put("port", 1),
                        state,
                        (what, verdict, said, remedy) ->
                                found.append(verdict).append(said).append(remedy),
                        50)
                .run(folder);
        assertThat(found).contains("WRONG", "does not answer on port 1");
    }

    @Test
    void aTerminalAgentThatWasGivenUp() {
        terminal("off");
        assertThat(examine())
                .containsPattern("WRONG +Terminals +.*died too often")
                .contains("Restart a terminal in the panel", state + "/logs/terminal.log");
        assertThat(console.exit).isEqualTo(2);
        terminal("starting");
        assertThat(examine()).containsPattern("note +Terminals +.*starting");
        assertThat(console.exit).isZero();
        terminal("none");
        assertThat(examine()).doesNotContain("Terminals");
    }

    // the advice of the errors "unknown" and "internal"
    @Test
    void itSaysWhereTheLogIs() {
        assertThat(examine()).containsPattern("ok +Log +" + state + "/logs/hub\\.log");
    }

    @Test
    void aStateDirThatCannotBeWritten() throws IOException {
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("r-x------"));
        assertThat(examine())
                .contains("cannot be written (r-x------)", "chmod 700 " + state)
                .doesNotContain("open to others");
        assertThat(console.exit).isEqualTo(2);
    }

    @Test
    void anOpenStateDirDoesNotHideTheHub() throws IOException {
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(examine()).contains("open to others").containsPattern("ok +Token");
    }

    @Test
    void aPortThatAnotherHubHas() {
        java.util.List<String> found = new java.util.ArrayList<>();
        HubExam.freePort(
                server.getAddress().getPort(),
                (what, verdict, words, remedy) -> found.add(verdict + " " + words + remedy));
        assertThat(found)
                .singleElement()
                .asString()
                .contains("has another hub", "TANDEM_STATE_DIR", "tandem up --port N");
    }

    // OPS-L11: a hub without its file is no hub that does not run, and "tandem up" is no remedy
    @Test
    void aHubWhoseFileIsGone() throws IOException {
        Path lock = state.resolve("hub.lock");
        Files.writeString(lock, Long.toString(ProcessHandle.current().pid()));
        Files.delete(state.resolve("browse.json"));
        assertThat(examine()).contains("not running");
        try (var channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                var _ = channel.lock()) {
            String pid = "process " + ProcessHandle.current().pid();
            assertThat(examine())
                    .containsPattern("note +Hub +" + pid + " is starting")
                    .contains("logs/hub.log")
                    .doesNotContain("kill", "Port");
            assertThat(console.exit).isZero();
            Files.setLastModifiedTime(
                    lock, FileTime.from(Instant.now().minus(Duration.ofMinutes(1))));
            assertThat(examine())
                    .contains(pid + " runs, but", "is gone", "End that process")
                    .doesNotContain("Port");
            assertThat(console.exit).isEqualTo(2);
            Files.writeString(state.resolve("browse.json"), "{");
            assertThat(examine()).contains(pid + " runs, but", "cannot be read");
        }
    }

    // OPS-L11: a full disk is named before somebody loses words to it
    @Test
    void aFullDisk() {
        environment.put("TANDEM_STATE_DIR", state.toString());
        console.exit = Doctor.of(environment, console, _ -> 4096L).run(java.util.List.of());
        assertThat(console.out.toString())
                .containsPattern("WRONG +State dir +\\S+ is on a disk that is full: 4 KiB are left")
                .contains("Free some space");
        assertThat(console.exit).isEqualTo(2);
    }
}

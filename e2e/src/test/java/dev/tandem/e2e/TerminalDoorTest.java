package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Route;
import dev.tandem.protocol.Routes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Terminals of a hub that the launcher started: who they are, and what their tokens are worth. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TerminalDoorTest {
    @TempDir static Path folder;
    private Launcher launcher;
    private RunningHub hub;
    private Path claude;

    // TRM-089, TRM-092: the hub is one process, tandem the command that starts it
    @BeforeAll
    void start() throws IOException {
        claude = Files.writeString(folder.resolve("claude"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(claude, PosixFilePermissions.fromString("rwx------"));
        launcher =
                new Launcher(Launcher.freshState(folder))
                        .with("SHELL", "/bin/sh")
                        .with("TANDEM_TERMINAL_BINARY", claude.toString());
        hub = new RunningHub(launcher);
        assertThat(Http.get(url("/health")).json().path("status").asString()).isEqualTo("healthy");
        assertThat(launcher.run("--help").out()).contains("snapshot", "click");
    }

    @AfterAll
    void stop() {
        hub.close();
    }

    private String url(String path) {
        return "http://127.0.0.1:" + hub.port() + path;
    }

    private static String[] bearer(String token) {
        return new String[] {"Authorization", "Bearer " + token};
    }

    private static String tandem(String words) {
        return "'" + Launcher.ROOT.resolve("tandem") + "' " + words;
    }

    // TRM-005: the hub stands still, keys and answers pass it by
    @Test
    void bytesDoNotPassTheHub() throws Exception {
        try (TerminalSocket terminal = new TerminalSocket(hub)) {
            terminal.type("echo fir''st\n");
            terminal.until("first");
            signal("STOP");
            try {
                terminal.type("echo sec''ond\n");
                terminal.until("second");
            } finally {
                signal("CONT");
            }
        }
    }

    private void signal(String name) throws Exception {
        int exit =
                new ProcessBuilder("kill", "-" + name, Long.toString(hub.process().pid()))
                        .start()
                        .waitFor();
        assertThat(exit).isZero();
    }

    // SEC-1, SEC-2: whoever types in a terminal is that terminal, by a double fork too
    @Test
    void commandsInATerminalAreTheTerminals() throws Exception {
        try (TerminalSocket terminal = new TerminalSocket(hub)) {
            String name = "Terminal " + terminal.sessionId().substring(0, 6);
            for (String widening :
                    List.of(
                            "origin add http://localhost:5999",
                            "token add mine --mode act",
                            "token",
                            "pair")) {
                String end = "end of " + widening.hashCode();
                terminal.type(tandem(widening) + "; echo end o''f " + widening.hashCode() + "\n");
                assertThat(terminal.until(end)).as(widening).contains("Only you can", name);
            }
            terminal.type(
                    "(setsid sh -c \""
                            + tandem("origin add http://localhost:5998")
                            + "; echo forked: \\$?\" 2>&1 &) ; sleep 0.1\n");
            terminal.until("forked: ");
            terminal.type(tandem("status --json") + "\n");
            terminal.until("\"success\"");
        }
        assertThat(hub.run("origin", "list").out()).isEqualTo("No origins were added.\n");
        assertThat(hub.run("token", "list").all()).doesNotContain("mine");
        assertThat(hub.run("origin", "add", "http://localhost:5997").exit()).isZero();
        assertThat(hub.run("origin", "remove", "http://localhost:5997").exit()).isZero();
    }

    // TRM-042, TRM-048, TRM-049, TRM-050
    @Test
    void tokensOfOtherThingsAreNoWayToAShell() throws Exception {
        JsonNode opened = TerminalSocket.grant(hub, Json.object().put("profile", "shell"));
        String pty = opened.path("ptySessionToken").asString();
        int port = opened.path("terminalPort").asInt();
        String client =
                hub.run("token", "add", "scoped", "--mode", "act")
                        .out()
                        .lines()
                        .filter(line -> line.strip().matches("[A-Za-z0-9_-]{30,}"))
                        .findFirst()
                        .orElseThrow()
                        .strip();
        for (String token : List.of(pty, client)) {
            for (String path : List.of("/pty-session", "/pty-session/reattach", "/pty-restart")) {
                assertThat(Http.send("POST", url(path), "{}", bearer(token)).status())
                        .as(path)
                        .isEqualTo(401);
            }
            assertThat(
                            Http.send(
                                            "POST",
                                            "http://127.0.0.1:" + port + "/internal/grant",
                                            "{}",
                                            bearer(token))
                                    .status())
                    .isEqualTo(403);
        }
        assertThat(Http.send("POST", url("/command"), "{}", bearer(pty)).status()).isEqualTo(401);
        assertThat(TerminalSocket.knock(port, client)).isEqualTo(401);
        assertThat(TerminalSocket.knock(port, hub.token())).isEqualTo(401);
        assertThat(TerminalSocket.knock(port, pty)).isEqualTo(101);
    }

    // TRM-054, TRM-055: nothing but loopback has the terminal's paths; what is no row is 404
    @Test
    void terminalPathsAreOnLoopbackAlone() throws Exception {
        List<Route> rows =
                Routes.all().stream().filter(row -> row.door().equals("terminal")).toList();
        assertThat(rows).hasSizeGreaterThan(4);
        assertThat(rows).allSatisfy(row -> assertThat(row.listener()).containsExactly("loopback"));
        for (String path :
                List.of("/terminal", "/terminal/new", "/terminal/x/ws", "/internal/grant")) {
            for (String token : List.of(hub.token(), "nothing")) {
                assertThat(Http.send("POST", url(path), "{}", bearer(token)).status())
                        .as(path)
                        .isEqualTo(404);
            }
        }
    }

    // TRM-038, TRM-091, TRM-093: the user's token is in browse.json; a terminal's in no file at all
    @Test
    void usersTokenIsInOneFile() throws Exception {
        try (TerminalSocket terminal = new TerminalSocket(hub)) {
            terminal.type("env; echo do''ne\n");
            assertThat(terminal.until("done")).doesNotContain(hub.token());
            assertThat(holding(hub.token()))
                    .containsExactly(launcher.state().resolve("browse.json"));
            assertThat(holding(terminal.token())).isEmpty();
        }
        JsonNode browse = Json.parse(Files.readString(launcher.state().resolve("browse.json")));
        assertThat(browse.path("pid").asLong()).isEqualTo(hub.process().pid());
        assertThat(browse.path("port").asInt()).isEqualTo(hub.port());
        assertThat(browse.path("startedAt").asString()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
        assertThat(browse.path("mode").asString()).isNotEmpty();
    }

    private List<Path> holding(String secret) throws IOException {
        try (Stream<Path> files = Files.walk(launcher.state())) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> contains(file, secret))
                    .toList();
        }
    }

    private static boolean contains(Path file, String secret) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                    .contains(secret);
        } catch (IOException e) {
            return false;
        }
    }

    // TRM-L24, TRM-L25: the pinned Origin by itself is worth nothing, and /health tells nothing
    @Test
    void whoeverOnlyKnowsThePortLearnsNothing() throws Exception {
        Http.Answer asked =
                Http.send("POST", url("/extension-token"), "", "Origin", TerminalSocket.ORIGIN);
        assertThat(asked.status()).isEqualTo(403);
        assertThat(asked.body()).isEqualTo("{\"error\":\"Forbidden\"}");
        try (TerminalSocket terminal = new TerminalSocket(hub)) {
            for (Route route : Routes.all()) {
                if (route.free()
                        && route.methods().contains("GET")
                        && !route.path().contains("{")) {
                    Http.Answer answer =
                            Http.get(
                                    url(route.path().replace("*", "x")),
                                    "Origin",
                                    TerminalSocket.ORIGIN);
                    assertThat(answer.body() + answer.raw().headers().map())
                            .as(route.path())
                            .doesNotContain(hub.token(), terminal.token());
                }
            }
        }
    }

    // TRM-L04, TRM-025 (its door): where claude is, only the user learns
    @Test
    void pathOfClaudeNeedsAToken() throws Exception {
        TerminalSocket.grant(hub, Json.object());
        String path = url("/claude-available");
        assertThat(Http.get(path).json().path("available").asBoolean()).isTrue();
        assertThat(Http.get(path).body()).doesNotContain("path", claude.toString());
        assertThat(Http.get(path, bearer("wrong")).body()).doesNotContain(claude.toString());
        assertThat(Http.get(path, bearer(hub.token())).json().path("path").asString())
                .isEqualTo(claude.toString());
    }

    // TRM-040
    @Test
    void usersTokenEndsWithTheHub() throws Exception {
        Launcher other = new Launcher(Launcher.freshState(folder));
        String old;
        try (RunningHub first = new RunningHub(other)) {
            old = first.token();
        }
        try (RunningHub second = new RunningHub(other)) {
            assertThat(second.token()).isNotEqualTo(old);
            String open = "http://127.0.0.1:" + second.port() + "/pty-session";
            assertThat(Http.send("POST", open, "{}", bearer(old)).status()).isEqualTo(401);
            assertThat(Http.send("POST", open, "{}", bearer(second.token())).status())
                    .isIn(200, 503);
        }
    }
}

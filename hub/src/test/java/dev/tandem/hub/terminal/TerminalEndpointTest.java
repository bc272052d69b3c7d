package dev.tandem.hub.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.App;
import dev.tandem.hub.Options;
import dev.tandem.hub.RawHttp;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The hub's doors to terminals, with the real agent process behind them. */
@Timeout(60)
class TerminalEndpointTest {
    private static final String ORIGIN =
            "chrome-extension://" + Json.resource("identity.json").get("extensionId").asString();
    private static final String PROPERTY = "tandem.terminal.classpath";

    @TempDir static Path folder;
    private static App app;
    private static String user;
    private static long readyNanos;

    @BeforeAll
    static void start() throws IOException {
        System.setProperty(PROPERTY, System.getProperty("java.class.path"));
        app = hub();
        long began = System.nanoTime();
        user = token();
        awaitAgent();
        readyNanos = System.nanoTime() - began;
    }

    private static App hub() throws IOException {
        return App.start(
                new Options(
                        0,
                        folder.resolve("state"),
                        folder,
                        Options.BrowserChoice.NONE,
                        Optional.empty(),
                        "",
                        false,
                        false),
                _ -> {});
    }

    private static String token() throws IOException {
        return Json.parse(Files.readString(app.stateDir().resolve("browse.json")))
                .get("token")
                .asString();
    }

    private static void awaitAgent() {
        await().atMost(Duration.ofSeconds(30)).until(() -> terminalPort() > 0);
    }

    private static int terminalPort() throws IOException {
        return Json.parse(send("GET /health", "", "").body()).get("terminalPort").asInt(0);
    }

    private static RawHttp.Answer send(String line, String token, String body) throws IOException {
        String host = "Host: 127.0.0.1:" + app.port();
        String length = "Content-Length: " + body.length();
        return token.isEmpty()
                ? RawHttp.send(app.port(), line, body, host, length)
                : RawHttp.send(
                        app.port(), line, body, host, length, "Authorization: Bearer " + token);
    }

    @AfterAll
    static void stop() throws IOException {
        System.clearProperty(PROPERTY);
        long pid = AgentLink.read(app.stateDir()).pid();
        app.close();
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
        await().atMost(Duration.ofSeconds(10))
                .until(() -> ProcessHandle.of(pid).map(p -> !p.isAlive()).orElse(true));
    }

    private static JsonNode open(String body) throws IOException {
        RawHttp.Answer answer = send("POST /pty-session", user, body);
        assertThat(answer.status()).as(answer.rest()).isEqualTo(200);
        return Json.parse(answer.body());
    }

    // TRM-013: both processes start at once; the bench holds the time itself against its bar
    @Test
    void agentIsStartedBeforeTheHubOpensItsDoor(TestReporter reporter) throws Exception {
        String log = Files.readString(app.stateDir().resolve("logs/hub.log"));
        assertThat(log.indexOf("Started the terminal agent"))
                .isNotNegative()
                .isLessThan(log.indexOf("Ready on port"));
        long millis = readyNanos / 1_000_000;
        reporter.publishEntry("TRM-013 terminal agent ready after the hub, ms", "" + millis);
        assertThat(millis).isLessThan(10_000);
    }

    // TRM-022, TRM-023, TRM-024, TRM-033, TRM-035, TRM-039, SETTLED 3
    @Test
    void openingMintsAGrantedTokenAndACookieForNonBrowsers() throws Exception {
        RawHttp.Answer answer = send("POST /pty-session", user, "");
        JsonNode body = Json.parse(answer.body());
        String token = body.get("ptySessionToken").asString();
        assertThat(token).matches("[A-Za-z0-9_-]{43}");
        assertThat(body.get("attachToken").asString()).isEqualTo(token);
        assertThat(body.get("terminalPort").asInt()).isEqualTo(terminalPort());
        assertThat(body.get("expiresAt").asLong() - System.currentTimeMillis())
                .isBetween(1L, 30_000L);
        assertThat(answer.rest())
                .contains(
                        "Set-Cookie: gstack_pty="
                                + token
                                + "; HttpOnly; SameSite=Strict; Path=/ws; Max-Age=30");
        assertThat(upgrade(token)).isEqualTo(101);
        assertThat(upgrade(token)).isEqualTo(401);
    }

    // TRM-039, TRM-048, TRM-050, TRM-058
    @Test
    void onlyTheUserMints() throws Exception {
        String pty = open("").get("ptySessionToken").asString();
        assertThat(send("POST /pty-session", "", "").status()).isEqualTo(401);
        assertThat(send("POST /pty-session", pty, "").status()).isEqualTo(401);
        assertThat(send("GET /pty-session", user, "").status()).isEqualTo(405);
    }

    // TRM-010, TRM-041
    @Test
    void noFileHoldsAToken() throws Exception {
        String token = open("").get("ptySessionToken").asString();
        try (var files = Files.walk(app.stateDir())) {
            for (Path file :
                    files.filter(f -> Files.isRegularFile(f) && !f.toString().contains("tandem.db"))
                            .toList()) {
                assertThat(Files.readString(file)).doesNotContain(token);
            }
        }
    }

    @Test
    void unknownTerminalIsGone() throws Exception {
        RawHttp.Answer answer =
                send("POST /pty-session/reattach", user, "{\"sessionId\":\"nobody\"}");
        assertThat(answer.status()).isEqualTo(410);
        assertThat(answer.body()).isEqualTo("{\"error\":\"lease expired or unknown\"}");
        assertThat(answer.rest()).doesNotContain("Set-Cookie");
    }

    // TRM-070 (its door), TRM-071
    @Test
    void terminalIsListedReattachedRestartedAndDisposed() throws Exception {
        JsonNode opened = open("{\"resume\":true,\"profile\":\"shell\"}");
        String session = opened.get("sessionId").asString();
        try (Socket socket = socket(opened.get("ptySessionToken").asString())) {
            type(socket);
            await().until(() -> listed(session).isPresent());
            long pid = listed(session).orElseThrow().get("pid").asLong();
            String inside = environment(pid, "TANDEM_TOKEN");
            assertThat(inside).startsWith("tdt_");
            assertThat(environment(pid, "TANDEM_URL")).isEqualTo("http://127.0.0.1:" + app.port());
            assertThat(send("POST /pty-session", inside, "").status()).isEqualTo(401);
            assertThat(send("GET /terminals", inside, "").status()).isEqualTo(401);
            String body = "{\"sessionId\":\"" + session + "\"}";
            assertThat(send("POST /pty-session/reattach", user, body).status()).isEqualTo(200);
            RawHttp.Answer again = send("POST /pty-restart", user, body);
            assertThat(again.status()).isEqualTo(200);
            assertThat(Json.parse(again.body()).get("sessionId").asString()).isNotEqualTo(session);
            await().until(() -> listed(session).isEmpty());
            assertThat(send("POST /pty-session/reattach", user, body).status()).isEqualTo(410);
        }
    }

    // TRM-L26
    @Test
    void beaconDisposesWithTheSecretOfThatTerminalOnly() throws Exception {
        JsonNode one = open("{\"resume\":true,\"profile\":\"shell\"}");
        JsonNode other = open("{\"resume\":true,\"profile\":\"shell\"}");
        String session = one.get("sessionId").asString();
        try (Socket socket = socket(one.get("ptySessionToken").asString())) {
            type(socket);
            await().until(() -> listed(session).isPresent());
            assertThat(dispose(session, "").status()).isEqualTo(401);
            assertThat(dispose(session, other.get("disposeSecret").asString()).status())
                    .isEqualTo(401);
            assertThat(dispose(session, one.get("disposeSecret").asString()).body())
                    .isEqualTo("{\"ok\":true}");
            await().until(() -> listed(session).isEmpty());
        }
    }

    private static RawHttp.Answer dispose(String session, String secret) throws IOException {
        return send(
                "POST /pty-dispose",
                "",
                "{\"sessionId\":\"" + session + "\",\"authToken\":\"" + secret + "\"}");
    }

    // TRM-L04, TRM-025 (its door)
    @Test
    void pathOfClaudeNeedsAToken() throws Exception {
        JsonNode open = Json.parse(send("GET /claude-available", "", "").body());
        assertThat(open.has("available")).isTrue();
        assertThat(open.has("path")).isFalse();
    }

    @Test
    void folderMustBeRegistered() throws Exception {
        assertThat(send("POST /pty-session", user, "{\"cwd\":\"/etc\"}").status()).isEqualTo(400);
        assertThat(send("POST /pty-session", user, "[1").status()).isEqualTo(400);
    }

    @Test
    void tokenOfATerminalIsAClientThatAsks() {
        TerminalTokens tokens = new TerminalTokens("ab".repeat(32));
        String token = tokens.mint("session-of-a-terminal");
        Caller caller = tokens.caller(token).orElseThrow();
        assertThat(caller.kind()).isEqualTo(TokenKind.CLIENT);
        assertThat(caller.mode()).isEqualTo(Caller.Mode.ASK);
        tokens.revoke("session-of-a-terminal");
        assertThat(tokens.caller(token)).isEmpty();
    }

    // TRM-L08, SEC-1
    @Test
    void nextHubTakesOverTheAgentWithItsTerminals() throws Exception {
        JsonNode opened = open("{\"resume\":true,\"profile\":\"shell\"}");
        String session = opened.get("sessionId").asString();
        try (Socket socket = socket(opened.get("ptySessionToken").asString())) {
            type(socket);
            await().until(() -> listed(session).isPresent());
            long pid = listed(session).orElseThrow().get("pid").asLong();
            String inside = environment(pid, "TANDEM_TOKEN");
            long agent = AgentLink.read(app.stateDir()).pid();
            nextHub();
            assertThat(AgentLink.read(app.stateDir()).pid()).isEqualTo(agent);
            assertThat(listed(session).orElseThrow().get("pid").asLong()).isEqualTo(pid);
            try (TerminalAgent other =
                    new TerminalAgent(app.stateDir(), ORIGIN, AgentCommand.installed())) {
                other.start();
                await().until(() -> other.port().isPresent());
                assertThat(other.terminalOf(pid)).contains(session);
                assertThat(other.terminalOf(ProcessHandle.current().pid())).isEmpty();
            }

            // The program inside is still known by its token, the panel by its secret; and a
            // terminal that has ended is not known to any later hub.
            assertThat(send("POST /command", inside, "{}").status()).isEqualTo(400);
            assertThat(dispose(session, opened.get("disposeSecret").asString()).status())
                    .isEqualTo(200);
            await().until(() -> listed(session).isEmpty());
            assertThat(send("POST /command", inside, "{}").status()).isEqualTo(401);
            nextHub();
            assertThat(send("POST /command", inside, "{}").status()).isEqualTo(401);
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
        JsonNode opened = open("{\"profile\":\"shell\"}");
        try (Socket socket = socket(opened.get("ptySessionToken").asString())) {
            for (String what :
                    List.of("POST /pty-session", "GET /terminals", "POST /pty-restart")) {
                for (String line : List.of("bash %s %s '%s'\n", "(setsid bash %s %s '%s' &)\n")) {
                    Path result = Files.createTempFile(folder, "answer", "");
                    Files.delete(result);
                    type(socket, line.formatted(thief, result, what));
                    await().until(() -> Files.exists(result));
                    assertThat(result).as(what).hasContent("HTTP/1.1 403");
                }
            }
        }
        assertThat(send("GET /terminals", user, "").status()).isEqualTo(200);
    }

    private static void nextHub() throws IOException {
        app.close();
        app = hub();
        user = token();
        awaitAgent();
    }

    // TRM-007, TRM-016
    @Test
    void killedAgentComesBackAndTheHubAnswersMeanwhile() throws Exception {
        long before = AgentLink.read(app.stateDir()).pid();
        ProcessHandle.of(before).orElseThrow().destroyForcibly();
        assertThat(send("GET /health", "", "").status()).isEqualTo(200);
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() ->
                        AgentLink.read(app.stateDir()).pid() != before
                                && terminalPort() == AgentLink.read(app.stateDir()).port());
        assertThat(open("").get("terminalPort").asInt()).isEqualTo(terminalPort());
    }

    private static String environment(long pid, String name) throws IOException {
        String all = Files.readString(Path.of("/proc/" + pid + "/environ"));
        return Stream.of(all.split("\0", -1))
                .filter(pair -> pair.startsWith(name + "="))
                .map(pair -> pair.substring(name.length() + 1))
                .findFirst()
                .orElse("");
    }

    private static Optional<JsonNode> listed(String session) throws IOException {
        JsonNode list = Json.parse(send("GET /terminals", user, "").body());
        for (JsonNode row : list.get("terminals")) {
            if (row.get("sessionId").asString().equals(session)) {
                return Optional.of(row);
            }
        }
        return Optional.empty();
    }

    private static int upgrade(String token) throws IOException {
        try (Socket socket = connect(token)) {
            byte[] head = socket.getInputStream().readNBytes(12);
            return Integer.parseInt(new String(head, 9, 3, StandardCharsets.US_ASCII));
        }
    }

    private static Socket socket(String token) throws IOException {
        Socket socket = connect(token);
        String head = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        assertThat(head).isEqualTo("HTTP/1.1 101");
        return socket;
    }

    private static Socket connect(String token) throws IOException {
        int port = terminalPort();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        StringBuilder request = new StringBuilder("GET /ws HTTP/1.1\r\n");
        request.append("Host: 127.0.0.1:").append(port).append("\r\n");
        request.append("Origin: ").append(ORIGIN).append("\r\n");
        request.append("Connection: Upgrade\r\nUpgrade: websocket\r\n");
        request.append("Sec-WebSocket-Version: 13\r\n");
        request.append("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n");
        request.append("Sec-WebSocket-Protocol: gstack-pty.").append(token).append("\r\n\r\n");
        socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    // A line feed, as the seed's client sends first.
    private static void type(Socket socket) throws IOException {
        type(socket, "\n");
    }

    private static void type(Socket socket, String keys) throws IOException {
        byte[] data = keys.getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(8 + data.length);
        frame.put((byte) 0x82).put((byte) 0xfe).putShort((short) data.length).putInt(0).put(data);
        socket.getOutputStream().write(frame.array());
    }
}

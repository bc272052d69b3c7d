package dev.tandem.hub.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.App;
import dev.tandem.hub.Options;
import dev.tandem.hub.RawHttp;
import dev.tandem.hub.auth.ExtensionTokens;
import dev.tandem.hub.store.Database;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A hub with the real agent process behind it, and a client that speaks to both by hand. */
final class TerminalHub implements AutoCloseable {
    static final String ORIGIN =
            "chrome-extension://" + Json.resource("identity.json").get("extensionId").asString();
    private static final String PROPERTY = "tandem.terminal.classpath";

    private final Path folder;
    private final long readyNanos;
    private App app;
    private String user;

    TerminalHub(Path folder) throws IOException {
        this.folder = folder;
        System.setProperty(PROPERTY, System.getProperty("java.class.path"));
        app = hub(folder);
        user = token(app);
        long began = System.nanoTime();
        awaitAgent();
        readyNanos = System.nanoTime() - began;
    }

    private static App hub(Path folder) throws IOException {
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

    private static String token(App app) throws IOException {
        return Json.parse(Files.readString(app.stateDir().resolve("browse.json")))
                .get("token")
                .asString();
    }

    /** Ends this hub and starts the next one on the same state dir. */
    void next() throws IOException {
        app.close();
        app = hub(folder);
        user = token(app);
        awaitAgent();
    }

    App app() {
        return app;
    }

    /** The user's own token. */
    String user() {
        return user;
    }

    /** The access token of a browser that was paired. */
    String extension(String browserId) {
        try (Database store = Database.open("", app.stateDir().resolve("tandem.db"))) {
            return new ExtensionTokens(store, Clock.systemUTC()).create(browserId, "Test").access();
        }
    }

    /** From the hub's start to an agent that takes terminals. */
    long readyMillis() {
        return readyNanos / 1_000_000;
    }

    private void awaitAgent() {
        await().atMost(Duration.ofSeconds(30)).until(() -> terminalPort() > 0);
    }

    int terminalPort() throws IOException {
        return Json.parse(send("GET /health", "", "").body()).get("terminalPort").asInt(0);
    }

    RawHttp.Answer send(String line, String token, String body, String... more) throws IOException {
        List<String> headers = new ArrayList<>(List.of(more));
        headers.add("Host: 127.0.0.1:" + app.port());
        headers.add("Content-Length: " + body.length());
        if (!token.isEmpty()) {
            headers.add("Authorization: Bearer " + token);
        }
        return RawHttp.send(app.port(), line, body, headers.toArray(String[]::new));
    }

    JsonNode open(String body) throws IOException {
        RawHttp.Answer answer = send("POST /pty-session", user, body);
        assertThat(answer.status()).as(answer.rest()).isEqualTo(200);
        return Json.parse(answer.body());
    }

    RawHttp.Answer dispose(String session, String secret) throws IOException {
        return send(
                "POST /pty-dispose",
                "",
                "{\"sessionId\":\"" + session + "\",\"authToken\":\"" + secret + "\"}");
    }

    Optional<JsonNode> listed(String session) throws IOException {
        JsonNode list = Json.parse(send("GET /terminals", user, "").body());
        for (JsonNode row : list.get("terminals")) {
            if (row.get("sessionId").asString().equals(session)) {
                return Optional.of(row);
            }
        }
        return Optional.empty();
    }

    static String environment(long pid, String name) throws IOException {
        String all = Files.readString(Path.of("/proc/" + pid + "/environ"));
        return Stream.of(all.split("\0", -1))
                .filter(pair -> pair.startsWith(name + "="))
                .map(pair -> pair.substring(name.length() + 1))
                .findFirst()
                .orElse("");
    }

    int upgrade(String token) throws IOException {
        return upgradeWith(protocol(token));
    }

    int upgradeWith(String... headers) throws IOException {
        try (Socket socket = connect(headers)) {
            byte[] head = socket.getInputStream().readNBytes(12);
            return Integer.parseInt(new String(head, 9, 3, StandardCharsets.US_ASCII));
        }
    }

    Socket socket(String token) throws IOException {
        Socket socket = connect(protocol(token));
        String head = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        assertThat(head).isEqualTo("HTTP/1.1 101");
        return socket;
    }

    private static String protocol(String token) {
        return "Sec-WebSocket-Protocol: gstack-pty." + token;
    }

    private Socket connect(String... headers) throws IOException {
        int port = terminalPort();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        StringBuilder request = new StringBuilder("GET /ws HTTP/1.1\r\n");
        request.append("Host: 127.0.0.1:").append(port).append("\r\n");
        request.append("Origin: ").append(ORIGIN).append("\r\n");
        request.append("Connection: Upgrade\r\nUpgrade: websocket\r\n");
        request.append("Sec-WebSocket-Version: 13\r\n");
        request.append("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n");
        request.append(String.join("\r\n", headers)).append("\r\n\r\n");
        socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    // A line feed, as the seed's client sends first.
    static void type(Socket socket) throws IOException {
        type(socket, "\n");
    }

    static void type(Socket socket, String keys) throws IOException {
        byte[] data = keys.getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(8 + data.length);
        frame.put((byte) 0x82).put((byte) 0xfe).putShort((short) data.length).putInt(0).put(data);
        socket.getOutputStream().write(frame.array());
    }

    /** Reads what is shown until these words are there. */
    static void until(Socket socket, String words) throws IOException {
        socket.setSoTimeout(10_000);
        StringBuilder shown = new StringBuilder();
        while (shown.indexOf(words) < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("never saw " + words + " but: " + shown);
            }
            shown.append((char) next);
        }
    }

    @Override
    public void close() throws IOException {
        System.clearProperty(PROPERTY);
        long pid = AgentLink.read(app.stateDir()).pid();
        app.close();
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
        await().atMost(Duration.ofSeconds(10))
                .until(() -> ProcessHandle.of(pid).map(p -> !p.isAlive()).orElse(true));
    }
}

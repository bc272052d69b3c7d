package dev.tandem.bench;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Terminals of a hub under test whose program runs the one line that it is given. */
final class BenchTerminal implements AutoCloseable {
    static final int ACK_EVERY_BYTES = 32 * 1024;

    private static final String PROGRAM =
            "#!/bin/bash\nstty -echo; printf R; IFS= read -r line; stty echo; eval \"$line\"\n";
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String ORIGIN =
            "chrome-extension://" + Json.resource("identity.json").get("extensionId").asString();

    private final FrameSocket socket;
    private final String sessionId;

    /** What a hub needs in its environment, so that its terminals run our program. */
    static Map<String, String> environment(Path folder) throws IOException {
        Path program = folder.resolve("claude");
        Files.writeString(program, PROGRAM);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return Map.of("TANDEM_TERMINAL_BINARY", program.toString());
    }

    /** Opens a terminal and starts its program. */
    BenchTerminal(HubUnderTest hub, boolean acks) throws IOException, InterruptedException {
        this(hub, "/pty-session", "{\"resume\":true}", acks, 0);
    }

    private BenchTerminal(HubUnderTest hub, String path, String body, boolean acks, long from)
            throws IOException, InterruptedException {
        JsonNode opened = ask(hub, path, body);
        sessionId = opened.path("sessionId").asString();
        socket =
                new FrameSocket(
                        opened.path("terminalPort").asInt(),
                        "/ws",
                        "Origin: " + ORIGIN,
                        "Sec-WebSocket-Protocol: gstack-pty."
                                + opened.path("ptySessionToken").asString());
        socket.text("{\"type\":\"resize\",\"cols\":80,\"rows\":24}");
        socket.text("{\"type\":\"start\",\"ack\":" + acks + ",\"from\":" + from + "}");
    }

    /** The same terminal again, from that byte on. */
    BenchTerminal again(HubUnderTest hub, long from) throws IOException, InterruptedException {
        String body = "{\"sessionId\":\"" + sessionId + "\"}";
        return new BenchTerminal(hub, "/pty-session/reattach", body, true, from);
    }

    /** A granted terminal, as the client of other servers is told about it. */
    static ObjectNode spec(HubUnderTest hub) throws IOException, InterruptedException {
        JsonNode opened = ask(hub, "/pty-session", "{\"resume\":false}");
        return Json.object()
                .put("server", "ours")
                .put("port", opened.path("terminalPort").asInt())
                .put("token", opened.path("ptySessionToken").asString())
                .put("origin", ORIGIN);
    }

    private static JsonNode ask(HubUnderTest hub, String path, String body)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + hub.port() + path))
                        .header("Authorization", "Bearer " + hub.token())
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
        HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(path + " answered " + answer.statusCode());
        }
        return Json.parse(answer.body());
    }

    FrameSocket socket() {
        return socket;
    }

    /** Waits for the agent's word of this type. */
    void awaitMessage(String type) throws IOException {
        FrameSocket.Frame frame = socket.read();
        while (frame.opcode() != FrameSocket.TEXT
                || !frame.text().contains("\"type\":\"" + type + "\"")) {
            if (frame.opcode() == FrameSocket.CLOSE) {
                throw new IOException("The terminal ended.");
            }
            frame = socket.read();
        }
    }

    /** The next bytes, whatever is said between them. */
    FrameSocket.Frame awaitBytes() throws IOException {
        FrameSocket.Frame frame = socket.read();
        while (frame.opcode() != FrameSocket.BINARY) {
            if (frame.opcode() == FrameSocket.CLOSE) {
                throw new IOException("The terminal ended.");
            }
            frame = socket.read();
        }
        return frame;
    }

    void run(String line) throws IOException {
        socket.send(FrameSocket.BINARY, (line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    void acknowledge(long seq) throws IOException {
        socket.text("{\"type\":\"ack\",\"seq\":" + seq + "}");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

package dev.tandem.terminal;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A terminal agent in a process of its own, as the hub starts it, with a fake claude. */
final class AgentProcess implements AutoCloseable {
    static final String ORIGIN = "chrome-extension://abcdefghijklmnopabcdefghijklmnop";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Path state;
    private final Process process;
    private final int port;
    private final String internalToken;
    private final long readyMs;

    AgentProcess(Path directory, String claude, Map<String, String> environment)
            throws IOException {
        this(directory, claude, environment, ProcessHandle.current().pid());
    }

    AgentProcess(Path directory, String claude, Map<String, String> environment, long owner)
            throws IOException {
        state = directory.resolve("state");
        if (!Files.exists(state)) {
            Files.createDirectory(
                    state,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        }
        Path binary = directory.resolve("claude");
        Files.writeString(binary, "#!/bin/bash --norc\n" + claude + "\n");
        Files.setPosixFilePermissions(binary, PosixFilePermissions.fromString("rwx------"));
        long begun = System.nanoTime();
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "-Xss512k",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.tandem.terminal.Main",
                        "--state-dir",
                        state.toString(),
                        "--origin",
                        ORIGIN,
                        "--owner",
                        Long.toString(owner));
        builder.environment().put("TANDEM_TERMINAL_BINARY", binary.toString());
        builder.environment().put("HOME", directory.toString());
        builder.environment().put("SHELL", "/bin/bash");
        builder.environment().putAll(environment);
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.redirectError(directory.resolve("stderr").toFile());
        Path portFile = state.resolve("terminal-port");
        Files.deleteIfExists(portFile);
        process = builder.start();
        await().pollInterval(Duration.ofMillis(5))
                .until(() -> Files.exists(portFile) || !process.isAlive());
        readyMs = (System.nanoTime() - begun) / 1_000_000;
        if (!process.isAlive()) {
            throw new IOException(Files.readString(directory.resolve("stderr")));
        }
        port = Integer.parseInt(Files.readString(portFile));
        internalToken = Files.readString(state.resolve("terminal-internal-token"));
    }

    int port() {
        return port;
    }

    Path state() {
        return state;
    }

    Process process() {
        return process;
    }

    String internalToken() {
        return internalToken;
    }

    long readyMs() {
        return readyMs;
    }

    /** Kilobytes in memory. */
    long rssKb() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    HttpResponse<String> send(String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(Duration.ofSeconds(10))
                        .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    JsonNode internal(String method, String name, String body)
            throws IOException, InterruptedException {
        HttpResponse<String> answer =
                send(method, "/internal/" + name, body, "Authorization", "Bearer " + internalToken);
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + " " + answer.body());
        }
        return Messages.JSON.readTree(answer.body());
    }

    /** A fresh token for this session; the fields are added to the grant. */
    String grant(String session, Map<String, Object> fields)
            throws IOException, InterruptedException {
        String token = Secrets.make(32);
        ObjectNode body =
                Messages.JSON.createObjectNode().put("token", token).put("sessionId", session);
        fields.forEach((name, value) -> body.set(name, Messages.JSON.valueToTree(value)));
        internal("POST", "grant", body.toString());
        return token;
    }

    /** A socket whose upgrade was accepted. */
    RawSocket open(String token) throws IOException {
        RawSocket socket =
                upgrade("Origin: " + ORIGIN, "Sec-WebSocket-Protocol: gstack-pty." + token);
        if (socket.status() != 101) {
            throw new IOException("status " + socket.status());
        }
        return socket;
    }

    RawSocket upgrade(String... headers) throws IOException {
        return RawSocket.upgrade(port, "127.0.0.1:" + port, headers);
    }

    RawSocket upgradeAt(String path, String... headers) throws IOException {
        return RawSocket.upgradeAt(path, port, "127.0.0.1:" + port, headers);
    }

    List<JsonNode> terminals() throws IOException, InterruptedException {
        List<JsonNode> all = new ArrayList<>();
        internal("GET", "list", "").path("terminals").forEach(all::add);
        return all;
    }

    static Map<String, Object> resumable() {
        return new HashMap<>(Map.of("resume", true));
    }

    @Override
    public void close() {
        // Programs that outlive their terminal would still write into the test's folder.
        List<ProcessHandle> programs = process.descendants().toList();
        process.destroyForcibly();
        process.onExit().join();
        programs.forEach(ProcessHandle::destroyForcibly);
        programs.forEach(program -> program.onExit().orTimeout(5, TimeUnit.SECONDS).join());
    }
}

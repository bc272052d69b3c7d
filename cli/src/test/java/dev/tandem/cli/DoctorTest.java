package dev.tandem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
        byte[] bytes = Json.bytes(body);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private void browse(int port, String token, long pid) throws IOException {
        ObjectNode file = Json.object().put("port", port).put("token", token).put("pid", pid);
        Files.writeString(state.resolve("browse.json"), Json.write(file.put("instanceId", "i-1")));
    }

    private String examine() {
        console.out.setLength(0);
        console.exit =
                Doctor.of(
                                Map.of(
                                        "TANDEM_STATE_DIR",
                                        state.toString(),
                                        "TANDEM_HOME",
                                        folder.toString()),
                                console)
                        .run(java.util.List.of());
        return console.out.toString();
    }

    private ObjectNode pairing() {
        return ((tools.jackson.databind.node.ArrayNode) status.path("pairings").path("browsers"))
                .addObject()
                .put("name", "Work")
                .put("valid", true)
                .put("calledAt", 0);
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

    @Test
    void nothingWasEverPaired() {
        assertThat(examine())
                .contains("none is connected", "no browser was paired", "tandem connect chrome");
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

    @Test
    void anotherVersionOfTheExtension() throws IOException {
        Files.createDirectory(folder.resolve("extension"));
        Files.writeString(folder.resolve("extension/manifest.json"), "{\"version\":\"2.0.0\"}");
        ((tools.jackson.databind.node.ArrayNode) status.path("extensions"))
                .addObject()
                .put("name", "Work")
                .put("version", "1.9.0");
        assertThat(examine()).contains("Work is connected", "1.9.0", "2.0.0", "Reload");
        assertThat(console.exit).isEqualTo(2);
    }
}

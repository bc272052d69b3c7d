package dev.tandem.hub.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that no honest client sends. */
@Timeout(60)
class McpBodyTest {
    @TempDir Path folder;

    // W16 step 6: what the client did wrong is no fault of the hub
    @ParameterizedTest
    @ValueSource(strings = {"zz\r\n{}\r\n0\r\n\r\n", "ffffffffffffffff\r\n{}", "5\r\n{}"})
    void aBodyThatIsBrokenIsTheCallersFault(String body) throws IOException {
        try (FixtureServer server =
                        new FixtureServer(folder, new FixtureTools(), Clock.systemUTC());
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String request =
                    String.join(
                            "\r\n",
                            "POST /mcp HTTP/1.1",
                            "Host: 127.0.0.1:" + server.port(),
                            "Authorization: Bearer " + FixtureServer.TOKEN,
                            "Content-Type: application/json",
                            "Connection: close",
                            "Transfer-Encoding: chunked",
                            "",
                            body);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            socket.shutdownOutput();
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 400");
            String json = answer.substring(answer.indexOf("\r\n\r\n") + 4);
            assertThat(Json.parse(json).path("error").path("code").asInt()).isEqualTo(-32600);
        }
    }
}

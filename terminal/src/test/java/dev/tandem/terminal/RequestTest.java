package dev.tandem.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that are none, or two in one: the agent's listener takes exactly one or refuses. */
@Timeout(30)
class RequestTest {
    @TempDir static Path dir;
    private static AgentProcess agent;

    @BeforeAll
    static void start() throws IOException {
        agent = new AgentProcess(dir, "cat", Map.of());
    }

    @AfterAll
    static void stop() {
        agent.close();
    }

    private static String host() {
        return "Host: 127.0.0.1:" + agent.port() + "\r\n";
    }

    private static String bearer() {
        return "Authorization: Bearer " + agent.internalToken() + "\r\n";
    }

    /** Everything that is answered until the agent closes. */
    private static String answer(String request) throws IOException {
        try (Socket socket = new Socket(RawSocket.LOOPBACK, agent.port())) {
            socket.setSoTimeout(15_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            byte[] all = socket.getInputStream().readAllBytes();
            return new String(all, StandardCharsets.ISO_8859_1);
        }
    }

    // SEC-25
    @Test
    void whatIsNotExactlyARequestIsRefused() throws Exception {
        for (String request :
                List.of(
                        "GET /internal/healthz HTTP/1.0\r\n" + host() + bearer() + "\r\n",
                        "GET /internal/healthz\r\n" + host() + bearer() + "\r\n",
                        "GET  /internal/healthz HTTP/1.1\r\n" + host() + bearer() + "\r\n",
                        "GET http://127.0.0.1/internal/healthz HTTP/1.1\r\n" + host() + "\r\n",
                        "get /internal/healthz HTTP/1.1\r\n" + host() + bearer() + "\r\n",
                        "GET /internal/healthz HTTP/1.1\r\n" + host() + " folded: x\r\n\r\n",
                        "GET /internal/healthz HTTP/1.1\r\n" + host() + "No colon\r\n\r\n",
                        "GET /internal/healthz HTTP/1.1\r\nHost : x\r\n" + host() + "\r\n",
                        "GET /internal/healthz HTTP/1.1\r\n" + host() + "X: a\0b\r\n\r\n")) {
            assertThat(answer(request)).as(request).startsWith("HTTP/1.1 400 ");
        }
        assertThat(answer("GET /internal/healthz HTTP/1.1\r\n" + host() + bearer() + "\r\n"))
                .startsWith("HTTP/1.1 200 ");
    }

    // SEC-24: a second request hidden behind the first is never read as one
    @Test
    void oneConnectionIsOneRequest() throws Exception {
        String hidden = "GET /claude-available HTTP/1.1\r\n" + host() + "\r\n";
        String two = answer("GET /nothing HTTP/1.1\r\n" + host() + "\r\n" + hidden);
        assertThat(two).startsWith("HTTP/1.1 404 ").containsOnlyOnce("HTTP/1.1");
        for (String lengths :
                List.of(
                        "Content-Length: 2\r\nContent-Length: 40\r\n",
                        "Content-Length: +2\r\n",
                        "Content-Length: 2, 2\r\n",
                        "Transfer-Encoding: chunked\r\n",
                        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n")) {
            String request =
                    "POST /internal/revoke HTTP/1.1\r\n" + host() + bearer() + lengths + "\r\n{}";
            assertThat(answer(request + hidden))
                    .as(lengths)
                    .startsWith("HTTP/1.1 400 ")
                    .containsOnlyOnce("HTTP/1.1");
        }
    }

    // SEC-24
    @Test
    void brokenUpgradesUseUpNoToken() throws Exception {
        String token = agent.grant(Secrets.make(16), Map.of());
        String upgrade =
                "GET /ws HTTP/1.1\r\n"
                        + host()
                        + "Origin: "
                        + AgentProcess.ORIGIN
                        + "\r\nSec-WebSocket-Protocol: gstack-pty."
                        + token
                        + "\r\n";
        String socket = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
        assertThat(answer(upgrade + "\r\n")).startsWith("HTTP/1.1 426 ");
        for (String rest :
                List.of(
                        socket + "Sec-WebSocket-Version: 13\r\n",
                        socket + "Sec-WebSocket-Version: 12\r\nSec-WebSocket-Key: x\r\n",
                        socket + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n")) {
            assertThat(answer(upgrade + rest + "\r\n")).as(rest).startsWith("HTTP/1.1 400 ");
        }
        try (RawSocket opened = agent.open(token)) {
            assertThat(opened.status()).isEqualTo(101);
            assertThat(opened.headers("Sec-WebSocket-Accept"))
                    .containsExactly("ICX+Yqv66kxgM0FcWaLWlFLwTAI=");
        }
    }
}

package dev.tandem.hub.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.auth.Authenticator;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Origins;
import dev.tandem.hub.store.Database;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Route;
import dev.tandem.protocol.Routes;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that is not told otherwise uses its connection again, and must find it open. */
class KeptConnectionTest {
    private static final String ASK =
            "POST /mcp HTTP/1.1\r\nAuthorization: Bearer some-token-of-the-user\r\n";

    private Database database;
    private WebServer web;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        database = Database.open("", folder.resolve("kept.db"));
        Authenticator everybody = new Authenticator().with(token -> Optional.of(Caller.USER));
        web = new WebServer(everybody, new Origins(database, "extension"), Clock.systemUTC());
        for (Route route : Routes.all()) {
            if (route.kind() == Route.Kind.WS) {
                web.socket(
                        route.id(),
                        socket -> {
                            throw new IllegalStateException("no sockets here");
                        });
            } else {
                web.http(route.id(), KeptConnectionTest::answerUnread);
            }
        }
        web.start(0);
    }

    /** As a handler does that knows its answer before it looks at the body. */
    private static void answerUnread(Exchange exchange) {
        if (exchange.query("empty").isPresent()) {
            exchange.respond(202);
        } else {
            exchange.respond(429, Json.object().put("error", "too many"));
        }
    }

    @AfterEach
    void stop() throws IOException {
        web.stop();
        database.close();
    }

    private String head(String body) {
        return "Host: 127.0.0.1:" + web.port() + "\r\nContent-Length: 4\r\n\r\n" + body;
    }

    private Socket open() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), web.port());
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static String answerHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertThat(next).as("after \"%s\"", head).isNotNegative();
            head.append((char) next);
        }
        return head.toString();
    }

    // ACP-120: the limits answer before the body is read, and it often comes in a packet of its own
    @Test
    void anAnswerThatLeavesItsBodyUnreadSaysThatTheConnectionEnds() throws IOException {
        for (String path : new String[] {"/mcp", "/mcp?empty"}) {
            try (Socket socket = open()) {
                socket.getOutputStream()
                        .write((ASK.replace("/mcp", path) + head("")).getBytes(US_ASCII));
                assertThat(answerHead(socket.getInputStream()))
                        .as(path)
                        .doesNotContain("401")
                        .containsIgnoringCase("Connection: close");
            }
        }
    }

    @Test
    void aBodyThatIsThereAlreadyIsPassedOver() throws IOException {
        try (Socket socket = open()) {
            for (int i = 0; i < 3; i++) {
                socket.getOutputStream()
                        .write(
                                (ASK.replace("/mcp", "/mcp?empty") + head("{  }"))
                                        .getBytes(US_ASCII));
                assertThat(answerHead(socket.getInputStream()))
                        .startsWith("HTTP/1.1 202")
                        .doesNotContainIgnoringCase("Connection: close");
            }
        }
    }
}

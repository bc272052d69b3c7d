package dev.tandem.hub.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Processes;
import dev.tandem.hub.auth.TcpEnds;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A session's token at a door that asks the engine about each call, as /mcp does. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionTokenTest {
    private final AtomicReference<String> token = new AtomicReference<>("");
    private EngineFixture fixture;
    private SessionEngine engine;
    private HttpServer door;

    @BeforeAll
    void open(@TempDir Path directory) throws Exception {
        fixture = new EngineFixture(directory);
        engine = fixture.engine;
        door = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        door.createContext("/", this::answer);
        door.start();
        fixture.hubAddress = "http://127.0.0.1:" + door.getAddress().getPort();
    }

    @AfterAll
    void close() {
        door.stop(0);
        fixture.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String bearer = exchange.getRequestHeaders().getFirst("Authorization").substring(7);
        token.set(bearer);
        String words;
        try {
            Caller caller = engine.door().caller(bearer).orElseThrow();
            engine.door()
                    .admit(
                            caller.session().orElseThrow(),
                            new TcpEnds(exchange.getRemoteAddress(), exchange.getLocalAddress()));
            words = "welcome " + caller.kind() + " " + caller.mode().word();
        } catch (TandemException refused) {
            words = "refused " + refused.code().code();
        } catch (java.util.NoSuchElementException unknown) {
            words = "refused unknown";
        }
        byte[] body = words.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String callFromHere() throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(fixture.hubAddress + "/mcp"))
                        .header("Authorization", "Bearer " + token.get())
                        .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    @Test
    @DisplayName("SEC-11 ACP-122 the token is its own agent's, in a turn, until the next start")
    void aStolenTokenIsWorthless() throws Exception {
        String id = fixture.running("tandem/mode", "act");
        assertThat(EngineFixture.said(fixture.play(id, "mcp tools/call")))
                .isEqualTo("mcp welcome SESSION act");
        String first = token.get();
        assertThat(callFromHere()).isEqualTo("refused no_turn");
        fixture.send(id, "wait");
        fixture.awaitTurn(id);
        assertThat(callFromHere()).isEqualTo("refused forbidden");
        engine.stop(id);
        fixture.awaitPhase(id, Phase.STOPPED);
        assertThat(callFromHere()).isEqualTo("refused unknown");
        engine.start(id);
        fixture.awaitPhase(id, Phase.RUNNING);
        fixture.play(id, "mcp tools/call");
        assertThat(token.get()).isNotEqualTo(first);
        engine.delete(id);
    }

    @Test
    @DisplayName("SEC-1 a process of an agent acts as its session, double-forked too")
    void descendantsActAsTheirSession() {
        String id = fixture.running();
        long agent = engine.agentSession(id).orElseThrow().agent().pid();
        assertThat(
                        engine.door()
                                .actor(Processes.ancestry(agent).orElseThrow())
                                .flatMap(Caller::session))
                .contains(id);
        String said = EngineFixture.said(fixture.play(id, "fork"));
        long orphan = Long.parseLong(said.replace("forked ", ""));
        Optional<Caller> caller = engine.door().actor(Processes.ancestry(orphan).orElseThrow());
        assertThat(caller.flatMap(Caller::session)).contains(id);
        assertThat(caller.map(Caller::kind)).contains(TokenKind.SESSION);
        assertThat(engine.door().actor(Processes.ancestry(1).orElseThrow())).isEmpty();
        engine.delete(id);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> ProcessHandle.of(orphan).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    @DisplayName("SEC-11 in a shared process, too, a token is its own session's and for its turns")
    void aNeighboursTokenWaitsForItsTurn() {
        fixture.sharedAgent("team");
        String one = fixture.running("tandem/agent", "team");
        String two = fixture.running("tandem/agent", "team");
        assertThat(EngineFixture.said(fixture.play(one, "mcp tools/call"))).contains("welcome");
        String call = "http POST " + fixture.hubAddress + "/mcp " + token.get();
        assertThat(EngineFixture.said(fixture.play(two, call))).contains("refused no_turn");
        engine.delete(one);
        assertThat(EngineFixture.said(fixture.play(two, call))).contains("refused unknown");
        assertThat(EngineFixture.said(fixture.play(two, "mcp tools/call"))).contains("welcome");
        engine.delete(two);
    }
}

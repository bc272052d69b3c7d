package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.BareSocket;
import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.Timings;
import dev.tandem.hub.agent.AgentTimings;
import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Clients that stop reading, or are not there any more. */
@Timeout(180)
class RelaySlowTest {
    private static final Duration BEAT = Duration.ofSeconds(2);
    private static final Duration UNTIL_PROOF = Duration.ofSeconds(3);
    private static final int TURNS = 30;

    @TempDir static Path folder;
    private static EdgeHub hub;

    @BeforeAll
    static void start() throws Exception {
        hub =
                new EdgeHub(
                        folder,
                        new Timings(BEAT, AgentTimings.defaults(), BEAT, UNTIL_PROOF),
                        Map.of("scripted", ScriptedAgentCommand.argv()),
                        "");
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    // ACP-155: within two beats, 40 s with the hub's own; the best of three, since another program
    // may have the machine for a moment
    @Test
    void aDeadPeerIsNoticedWithinTwoBeats() throws Exception {
        Duration most = BEAT.multipliedBy(2).plusSeconds(2);
        Duration best = untilNoticed();
        for (int more = 0; more < 2 && best.compareTo(most) > 0; more++) {
            best = untilNoticed();
        }
        assertThat(best).isBetween(BEAT, most);
        assertThat(Timings.standard().beatEvery().multipliedBy(2))
                .isEqualTo(Duration.ofSeconds(40));
    }

    private static Duration untilNoticed() throws Exception {
        try (BareSocket dead = bare(hub, 65_536)) {
            dead.patience(30_000);
            long begun = System.nanoTime();
            boolean pinged = false;
            try {
                while (true) {
                    pinged |= dead.frame().equals("frame 9");
                }
            } catch (EOFException | SocketException ended) {
                assertThat(pinged).isTrue();
                return Duration.ofNanos(System.nanoTime() - begun);
            }
        }
    }

    // ACP-155, SEC-25: a peer that answers and said who it is stays; strangers go
    @Test
    void aLivingPeerStaysAndStrangersDoNot() throws Exception {
        try (ChatSocket alive = ChatSocket.tandem(hub);
                ChatSocket provenLate = provenLate();
                ChatSocket silent = ChatSocket.open(hub, "");
                Socket nothing = connection("");
                Socket dripping = connection("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n");
                BareSocket clock = bare(hub, 65_536)) {
            clock.patience(30_000);
            try {
                while (true) {
                    clock.frame();
                }
            } catch (EOFException | SocketException aDeadOneWasDropped) {
                assertThat(alive.closed).isNotDone();
            }
            assertThat(silent.closed.get(20, TimeUnit.SECONDS)).startsWith("4001 ");
            assertThat(nothing.getInputStream().read()).isEqualTo(-1);
            assertThat(dripping.getInputStream().read()).isEqualTo(-1);
            for (ChatSocket known : List.of(alive, provenLate)) {
                JsonNode pong = known.ask("p", "{\"type\":\"ping\",\"id\":\"p\"}");
                assertThat(pong.get("type").asString()).isEqualTo("pong");
            }
        }
        assertThat(Timings.standard().untilProof()).isEqualTo(Duration.ofSeconds(10));
    }

    // ACP-156, ACP-L4, AMB-L16: dropped, never slowing others, and nothing is lost for its return
    @Test
    void aViewerThatStopsReadingIsDroppedAndCanComeBack() throws Exception {
        EdgeHub patient = new EdgeHub(folder.resolve("patient"));
        try (ChatSocket own = ChatSocket.tandem(patient);
                BareSocket slow = bare(patient, 4096)) {
            String id = own.newSession("scripted").get("sessionId").asString();
            slow.patience(60_000);
            slow.say("{\"type\":\"attach\",\"sessionId\":\"" + id + "\"}");
            while (!slow.frame().contains("\"attached\"")) {
                // until it is attached; after that it reads nothing
            }
            for (int i = 0; i < TURNS; i++) {
                assertThat(own.turn(id, "huge 500000")).hasSize(500_000);
            }
            assertThat(own.closed).isNotDone();
            String last = "";
            try {
                while (!last.startsWith("close")) {
                    last = slow.frame();
                }
                assertThat(last).startsWith("close 1013 ");
            } catch (EOFException | SocketException | SocketTimeoutException cutOff) {
                assertThat(last).as("not all of it").doesNotContain("prompt_complete");
            }
            try (ChatSocket back = ChatSocket.tandem(patient)) {
                back.say("{\"type\":\"attach\",\"id\":\"b\",\"sessionId\":\"" + id + "\"}");
                int whole = 0;
                JsonNode message;
                do {
                    message = back.hear(m -> true, "what it missed");
                    if (message.at("/update/content/text").asString("").length() == 500_000) {
                        whole++;
                    }
                } while (!message.path("id").asString("").equals("b"));
                assertThat(whole).isEqualTo(TURNS);
            }
        } finally {
            patient.close();
        }
    }

    /** A socket that proved itself by its first message; on a slow machine it takes some tries. */
    private static ChatSocket provenLate() throws Exception {
        while (true) {
            ChatSocket chat = ChatSocket.open(hub, "");
            chat.say("{\"type\":\"connect\",\"id\":0,\"token\":\"" + hub.token + "\"}");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> chat.closed.isDone() || !chat.heard().isEmpty());
            if (!chat.closed.isDone()) {
                return chat;
            }
        }
    }

    private static BareSocket bare(EdgeHub hub, int receiveBuffer) throws IOException {
        return new BareSocket(hub.port(), "/ws?token=" + hub.token, receiveBuffer);
    }

    private static Socket connection(String begun) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), hub.port());
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(begun.getBytes(StandardCharsets.UTF_8));
        return socket;
    }
}

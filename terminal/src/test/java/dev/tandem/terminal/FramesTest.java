package dev.tandem.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a client may and may not put on the terminal's socket. */
@Timeout(30)
class FramesTest {
    private static final int LAST = 0x80;
    private static final int MASKED = 0x80;

    @TempDir static Path dir;
    private static SessionAgent sessions;

    @BeforeAll
    static void start() throws IOException {
        sessions = new SessionAgent(dir);
    }

    @AfterAll
    static void stop() {
        sessions.close();
    }

    // Frames are written as Latin-1 text: a char is a byte.

    /** A short frame with a mask of zeros. */
    private static String frame(int first, String payload) {
        return "" + (char) first + (char) (MASKED | payload.length()) + "\0\0\0\0" + payload;
    }

    private static String head(int first, int second, long length) {
        byte[] head =
                ByteBuffer.allocate(14)
                        .put((byte) first)
                        .put((byte) second)
                        .putLong(length)
                        .array();
        return new String(head, StandardCharsets.ISO_8859_1);
    }

    private static void send(Client client, String bytes) throws IOException {
        client.socket().raw(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    // Every breach has its own close code, and nothing is guessed.
    @Test
    void whatIsNoFrameEndsTheSocketWithTheReason() throws Exception {
        Map<String, Integer> breaches = new LinkedHashMap<>();
        breaches.put((char) (LAST | 2) + "\u0001no mask", 1002);
        breaches.put(frame(LAST | 0x40 | 2, "reserved bit"), 1002);
        breaches.put(frame(LAST | 3, "unknown kind"), 1002);
        breaches.put(frame(LAST, "continues nothing"), 1002);
        breaches.put(frame(9, "a ping in parts"), 1002);
        breaches.put(head(LAST | 9, MASKED | 127, 126), 1002);
        breaches.put(frame(2, "begun") + frame(LAST | 2, "begun again"), 1002);
        breaches.put(frame(LAST | 1, "\u00ff\u00fe"), 1007);
        breaches.put(head(LAST | 1, MASKED | 127, Limits.CONTROL_FRAME_BYTES + 1L), 1009);
        breaches.put(head(LAST | 2, MASKED | 127, Limits.INPUT_FRAME_BYTES + 1L), 1009);
        breaches.put(head(LAST | 2, MASKED | 127, -1), 1009);
        breaches.put(frame(2, "a part") + head(LAST, MASKED | 127, Limits.INPUT_FRAME_BYTES), 1009);
        for (Map.Entry<String, Integer> breach : breaches.entrySet()) {
            try (Client client = sessions.open(SessionAgent.session(), Map.of())) {
                client.untilText("ready");
                send(client, breach.getKey());
                assertThat(client.untilClose()).as(breach.getKey()).isEqualTo(breach.getValue());
                if (breach.getValue() == 1009) {
                    assertThat(client.message("error").path("code").asString())
                            .isEqualTo("FRAME_TOO_LARGE");
                }
            }
        }
    }

    @Test
    void messagesInPartsAreJoinedAndPingsBetweenThemAnswered() throws Exception {
        try (Client client = sessions.open(SessionAgent.session(), Map.of())) {
            client.untilText("ready");
            send(client, frame(2, "echo jo"));
            send(client, frame(LAST | 9, "are you there"));
            RawSocket.Frame pong = client.socket().read();
            while (pong.opcode() != 10) {
                // what the program said before stands before it
                assertThat(pong.opcode()).isIn(1, 2);
                pong = client.socket().read();
            }
            assertThat(pong.text()).isEqualTo("are you there");
            send(client, frame(0, "in"));
            send(client, frame(LAST, "''ed\n"));
            client.untilText("\r\njoined\r\n");
        }
    }

    @Test
    void bytesArriveInPiecesOfAnySizeAndUnderAnyMask() throws Exception {
        byte[] mask = {(byte) 0x81, 0x13, (byte) 0xfe, 0x01};
        byte[] data = "echo ma''sked\n".getBytes(StandardCharsets.US_ASCII);
        try (Client client = sessions.open(SessionAgent.session(), Map.of())) {
            client.untilText("ready");
            client.socket().raw(new byte[] {(byte) (LAST | 2)});
            client.socket().raw(new byte[] {(byte) (MASKED | data.length), mask[0]});
            client.socket().raw(new byte[] {mask[1], mask[2], mask[3]});
            for (int i = 0; i < data.length; i++) {
                client.socket().raw(new byte[] {(byte) (data[i] ^ mask[i % 4])});
            }
            client.untilText("\r\nmasked\r\n");
        }
    }

    // TRM-063
    @Test
    void closeIsAnsweredAndEndsAPlainTerminal() throws Exception {
        Client client = sessions.open(SessionAgent.session(), Map.of());
        client.untilText("ready");
        long pid = SessionAgent.pidOf(client);
        client.socket().send(8, new byte[] {0x03, (byte) 0xe8});
        assertThat(client.untilClose()).isEqualTo(1000);
        await().until(() -> !SessionAgent.lives(pid));
        client.close();
    }
}

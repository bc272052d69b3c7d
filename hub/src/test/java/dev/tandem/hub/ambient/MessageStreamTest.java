package dev.tandem.hub.ambient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.protocol.Json;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Messages and events of a real hub, read as they come. */
@Timeout(120)
class MessageStreamTest {
    private static final String BASE = "/api/ambient/v1/sessions";

    @TempDir static Path folder;
    private static EdgeHub hub;

    @BeforeAll
    static void start() throws Exception {
        hub = new EdgeHub(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    private static String session() throws Exception {
        return hub.call(
                        "POST",
                        BASE,
                        "{\"name\":\"s\",\"annotations\":\"{\\\"tandem/agent\\\":"
                                + "\\\"scripted\\\"}\"}")
                .body()
                .get("id")
                .asString();
    }

    private static void note(String id, String text) {
        hub.sessions().log().append(id, Entry.Kind.ASSISTANT, Json.object().put("text", text));
    }

    // AMB-200, AMB-L15: 8 writers, 10 000 messages, 20 random reconnects
    @Test
    void replayAndFollowHaveNoGapUnderParallelWriters() throws Exception {
        String id = session();
        int writers = 8;
        int each = 1250;
        CountDownLatch done = new CountDownLatch(writers);
        for (int w = 0; w < writers; w++) {
            Thread.ofVirtual()
                    .start(() -> {
                        for (int i = 0; i < each; i++) {
                            note(id, "x");
                        }
                        done.countDown();
                    });
        }
        Random random = new Random(7);
        List<Long> seen = new ArrayList<>();
        long last = 0;
        int connects = 0;
        while (seen.size() < writers * each) {
            int take = connects++ < 20 ? 1 + random.nextInt(600) : Integer.MAX_VALUE;
            try (EdgeHub.Lines lines = hub.lines(BASE + "/" + id + "/messages?after_seq=" + last)) {
                for (int i = 0; i < take && seen.size() < writers * each; i++) {
                    Optional<JsonNode> message = lines.data();
                    if (message.isEmpty()) {
                        break;
                    }
                    last = message.get().get("seq").asLong();
                    seen.add(last);
                }
            }
        }
        done.await();
        assertThat(connects).isGreaterThanOrEqualTo(20);
        for (int i = 0; i < seen.size(); i++) {
            assertThat(seen.get(i)).isEqualTo(i + 1L);
        }
    }

    // AMB-201 (frames), AMB-202, AMB-L58
    @Test
    void framesAreTheBytesThatClientsExpect() throws Exception {
        String id = session();
        note(id, "first\nsecond");
        note(id, "third");
        String body;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), hub.port())) {
            socket.setSoTimeout(10_000);
            String request =
                    "GET %s/%s/messages?after_seq=99 HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
                                    .formatted(BASE, id, hub.port())
                            + "Authorization: bearer %s\r\nLast-Event-ID: 0\r\n"
                                    .formatted(hub.token)
                            + "Accept: application/json;q=0.1, text/event-stream;q=0.9\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            StringBuilder text = new StringBuilder();
            byte[] buffer = new byte[4096];
            while (!text.toString().contains("third")) {
                int read = socket.getInputStream().read(buffer);
                assertThat(read).isPositive();
                text.append(new String(buffer, 0, read, StandardCharsets.UTF_8));
            }
            body = text.toString();
        }
        assertThat(body).contains("Content-Type: text/event-stream", "Cache-Control: no-cache");
        String frames = body.substring(body.indexOf("id: 1"));
        assertThat(frames).startsWith("id: 1\ndata: {").contains("}\n\nid: 2\ndata: {");
        assertThat(frames).doesNotContain("event:");
        assertThat(frames.substring(0, frames.indexOf("id: 2"))).doesNotContain("\r");
    }

    // AMB-202: what is no number is as if it were not there
    @Test
    void aBadPlaceInTheHeaderLeavesTheOneInTheQuery() throws Exception {
        String id = session();
        note(id, "first");
        note(id, "second");
        String messages = BASE + "/" + id + "/messages";
        try (EdgeHub.Lines lines = hub.lines(messages + "?after_seq=1", "Last-Event-ID", "x")) {
            assertThat(lines.next()).contains("id: 2");
        }
        try (EdgeHub.Lines lines = hub.lines(messages + "?after_seq=y", "Last-Event-ID", "x")) {
            assertThat(lines.next()).contains("id: 1");
        }
    }

    // AMB-203
    @Test
    void onlyTheUsersMessagesAreTaken() throws Exception {
        String path = BASE + "/" + session() + "/messages";
        EdgeHub.Answer made =
                hub.call("POST", path, "{\"payload\":\"hello\",\"client_message_id\":\"c1\"}");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.body().get("event_type").asString()).isEqualTo("user");
        EdgeHub.Answer same =
                hub.call("POST", path, "{\"payload\":\"again\",\"client_message_id\":\"c1\"}");
        assertThat(same.status()).isEqualTo(200);
        assertThat(same.body().get("payload").asString()).isEqualTo("hello");
        assertThat(same.body().get("seq")).isEqualTo(made.body().get("seq"));
        EdgeHub.Answer other =
                hub.call("POST", path, "{\"event_type\":\"assistant\",\"payload\":\"x\"}");
        assertThat(other.status()).isEqualTo(400);
        assertThat(other.body().get("reason").asString())
                .isEqualTo("event_type must be \"user\" on this endpoint");
    }

    // AMB-204: a reader that stops is cut off and resumes by seq
    @Test
    void aStuckReaderIsCutOffAndLosesNothing() throws Exception {
        String id = session();
        List<SessionLog.Draft> hundred = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ObjectNode body = Json.object().put("text", "y".repeat(20_000));
            hundred.add(new SessionLog.Draft(Entry.Kind.ASSISTANT, body));
        }
        try (Socket stuck = new Socket()) {
            stuck.setReceiveBufferSize(4096);
            stuck.connect(
                    new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), hub.port()));
            String request =
                    "GET %s/%s/messages HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
                                    .formatted(BASE, id, hub.port())
                            + "Authorization: Bearer %s\r\nAccept: text/event-stream\r\n\r\n"
                                    .formatted(hub.token);
            stuck.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            assertThat(stuck.getInputStream().read()).isPositive();
            var feed = hub.sessions().log().feed(id);
            org.awaitility.Awaitility.await().until(() -> feed.viewers() == 1);
            for (int i = 0; i < 12; i++) {
                hub.sessions().log().appendAll(id, hundred);
            }
            org.awaitility.Awaitility.await()
                    .atMost(java.time.Duration.ofSeconds(30))
                    .until(() -> feed.viewers() == 0);
        }
        try (EdgeHub.Lines lines = hub.lines(BASE + "/" + id + "/messages?after_seq=0")) {
            for (int i = 1; i <= 1200; i++) {
                assertThat(lines.data().orElseThrow().get("seq").asLong()).isEqualTo(i);
            }
        }
    }
}

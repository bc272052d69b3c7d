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

    // AMB-205, AMB-206, AMB-L53, AMB-L54
    @Test
    void everyListenerHearsEveryRun() throws Exception {
        String id = session();
        String path = BASE + "/" + id;
        try (EdgeHub.Lines one = hub.lines(path + "/events");
                EdgeHub.Lines two = hub.lines(path + "/events")) {
            assertThat(one.response.statusCode()).isEqualTo(200);
            hub.call("POST", path + "/messages", "{\"payload\":\"say one\"}");
            hub.call("POST", path + "/start", null);
            List<JsonNode> first = run(one);
            hub.call(
                    "POST",
                    path + "/messages",
                    "{\"payload\":\"update {\\\"sessionUpdate\\\":\\\"tool_call\\\","
                            + "\\\"toolCallId\\\":\\\"t1\\\",\\\"title\\\":\\\"Look\\\","
                            + "\\\"status\\\":\\\"completed\\\",\\\"rawInput\\\":{\\\"a\\\":1}}"
                            + "\\nsay two\\nfail -32000 broken\"}");
            List<JsonNode> second = run(one);
            assertThat(types(first))
                    .containsSubsequence(
                            "RUN_STARTED",
                            "TEXT_MESSAGE_START",
                            "TEXT_MESSAGE_CONTENT",
                            "TEXT_MESSAGE_END",
                            "RUN_FINISHED");
            assertThat(types(second))
                    .containsSubsequence(
                            "RUN_STARTED",
                            "TOOL_CALL_START",
                            "TOOL_CALL_ARGS",
                            "TOOL_CALL_END",
                            "TOOL_CALL_RESULT",
                            "TEXT_MESSAGE_CONTENT",
                            "RUN_ERROR");
            assertThat(types(run(two))).isEqualTo(types(first));
            assertThat(types(run(two))).isEqualTo(types(second));
            for (JsonNode event : second) {
                assertThat(event.get("event_type")).isEqualTo(event.get("type"));
            }
            JsonNode tool = of(second, "TOOL_CALL_START");
            assertThat(tool.get("toolCallName").asString()).isEqualTo("Look");
            assertThat(tool.get("tool_name").asString()).isEqualTo("Look");
            JsonNode error = of(second, "RUN_ERROR");
            assertThat(error.get("message").asString()).contains("broken");
            assertThat(error.get("error")).isEqualTo(error.get("message"));
        }
        try (EdgeHub.Lines follow = hub.lines(path + "/events?until=run_finished&snapshot=true")) {
            JsonNode snapshot = follow.data().orElseThrow();
            assertThat(snapshot.get("type").asString()).isEqualTo("MESSAGES_SNAPSHOT");
            assertThat(snapshot.get("messages").get(0).get("content").asString())
                    .isEqualTo("say one");
            hub.call("POST", path + "/messages", "{\"payload\":\"say three\"}");
            run(follow);
            assertThat(follow.data()).isEmpty();
        }
        hub.call("POST", path + "/stop", null);
    }

    /** Sends a prompt as JSON, whatever stands in it. */
    private static void say(String id, String words) throws Exception {
        hub.call("POST", BASE + "/" + id + "/messages", Json.object().put("payload", words));
    }

    // Clients read at most 1 MiB a line: longer words come in pieces, results and news are cut
    @Test
    void noLineOfEventsIsTooLongForItsReaders() throws Exception {
        String id = session();
        int letters = 1_500_000;
        String large = "x".repeat(letters / 10);
        String tool =
                "update {\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"t\",\"title\":\"T\",\"status\":"
                        + "\"completed\",\"rawInput\":{\"a\":\""
                        + large
                        + "\"},\"rawOutput\":{\"b\":\""
                        + large
                        + "\"}}";
        hub.call("POST", BASE + "/" + id + "/start", null);
        try (EdgeHub.Lines lines = hub.lines(BASE + "/" + id + "/events")) {
            say(id, tool + "\nhuge " + letters + "\nsay end");
            StringBuilder text = new StringBuilder();
            StringBuilder input = new StringBuilder();
            for (JsonNode event : run(lines)) {
                assertThat(Json.bytes(event).length)
                        .as(event.get("type").asString())
                        .isLessThan(1_000_000);
                switch (event.get("type").asString()) {
                    case "TEXT_MESSAGE_CONTENT" -> text.append(event.get("delta").asString());
                    case "TOOL_CALL_ARGS" -> input.append(event.get("delta").asString());
                    case "TOOL_CALL_RESULT" ->
                            assertThat(event.get("content").asString())
                                    .hasSizeLessThan(2100)
                                    .endsWith("... (truncated)");
                    default -> {}
                }
            }
            assertThat(text).hasSize(letters + 3);
            assertThat(Json.parse(input.toString()).get("a").asString()).hasSize(large.length());
        }
        try (EdgeHub.Lines lines = hub.lines(BASE + "/" + id + "/events?snapshot=true")) {
            JsonNode snapshot = lines.data().orElseThrow();
            assertThat(Json.bytes(snapshot).length).isLessThan(1_000_000);
            assertThat(snapshot.get("messages")).isNotEmpty();
        }
        hub.call("POST", BASE + "/" + id + "/stop", null);
    }

    // AMB-205: who comes in the middle of a run learns which one it is, and at its end what it took
    @Test
    void aLateListenerKnowsTheRun() throws Exception {
        String id = session();
        hub.call("POST", BASE + "/" + id + "/start", null);
        say(id, "late more");
        org.awaitility.Awaitility.await().until(() -> hub.sessions().engine().turnRuns(id));
        var feed = hub.sessions().log().feed(id);
        int others = feed.viewers();
        try (EdgeHub.Lines late = hub.lines(BASE + "/" + id + "/events")) {
            org.awaitility.Awaitility.await().until(() -> feed.viewers() > others);
            hub.call("POST", BASE + "/" + id + "/interrupt", "{}");
            JsonNode event = late.data().orElseThrow();
            while (!event.get("type").asString().equals("RUN_FINISHED")) {
                assertThat(event.path("runId").asString("")).as(event.toString()).isNotEmpty();
                event = late.data().orElseThrow();
            }
            assertThat(event.at("/result/usage/output_tokens").asInt()).isEqualTo(5);
            assertThat(event.at("/usage/0/outputTokens").asInt()).isEqualTo(5);
        }
        hub.call("POST", BASE + "/" + id + "/stop", null);
    }

    // A run that is asked for while another one is under way is told alone, from its start to its
    // end
    @Test
    void aRunIsToldAloneAndWhole() throws Exception {
        String id = session();
        hub.call("POST", BASE + "/" + id + "/start", null);
        hub.awaitPhase(id, "Running");
        say(id, "late words of the first");
        org.awaitility.Awaitility.await().until(() -> hub.sessions().engine().turnRuns(id));
        ObjectNode input = Json.object();
        input.putArray("messages").addObject().put("role", "user").put("content", "say mine");
        var answer =
                java.util.concurrent.CompletableFuture.supplyAsync(() -> {
                    try {
                        return hub.call("POST", BASE + "/" + id + "/agui/run", input)
                                .response()
                                .body();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
        org.awaitility.Awaitility.await()
                .until(() -> !hub.sessions().engine().queued(id).isEmpty());
        hub.sessions().engine().agentSession(id).orElseThrow().cancel();
        List<JsonNode> events =
                answer.get(60, java.util.concurrent.TimeUnit.SECONDS)
                        .lines()
                        .filter(line -> line.startsWith("data: "))
                        .map(line -> Json.parse(line.substring(6)))
                        .toList();
        assertThat(events.getFirst().get("type").asString()).isEqualTo("RUN_STARTED");
        assertThat(events.getLast().get("type").asString()).isEqualTo("RUN_FINISHED");
        assertThat(of(events, "TEXT_MESSAGE_CONTENT").get("delta").asString()).isEqualTo("mine");
        assertThat(events.getLast().at("/result/duration_ms").isIntegralNumber()).isTrue();
        assertThat(events.toString()).doesNotContain("words of the first");
        hub.call("POST", BASE + "/" + id + "/stop", null);
    }

    private static List<JsonNode> run(EdgeHub.Lines lines) throws InterruptedException {
        List<JsonNode> events = new ArrayList<>();
        while (true) {
            JsonNode event = lines.data().orElseThrow();
            if (event.get("type").asString().equals("RUN_STARTED") || !events.isEmpty()) {
                events.add(event);
            }
            String type = event.get("type").asString();
            if (type.equals("RUN_FINISHED") || type.equals("RUN_ERROR")) {
                return events;
            }
        }
    }

    /** State news of the agent may come at any place, so they do not count. */
    private static List<String> types(List<JsonNode> events) {
        return events.stream()
                .map(event -> event.get("type").asString())
                .filter(type -> !type.equals("CUSTOM"))
                .toList();
    }

    private static JsonNode of(List<JsonNode> events, String type) {
        return events.stream()
                .filter(event -> event.get("type").asString().equals(type))
                .findFirst()
                .orElseThrow();
    }
}

package dev.tandem.hub.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.relay.ChatSocket;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.hub.store.Database;
import dev.tandem.hub.store.FullDisk;
import dev.tandem.hub.web.EventStream;
import dev.tandem.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The chat API of a real hub with a scripted agent behind it. */
@Timeout(180)
class ChatEndpointTest {
    private static final String LOCAL =
            "[{\"name\":\"tab_read\",\"description\":\"Reads\",\"parameters\":{\"type\":\"object\"}},"
                    + "{\"name\":\"pick\"}]";

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

    private static EdgeHub.Answer post(String path, String body, String... headers)
            throws Exception {
        return hub.call("POST", "/api/v1/" + path, body, headers);
    }

    private static JsonNode send(String words, String more) throws Exception {
        ObjectNode body = Json.object().put("content", words).put("providerId", "scripted");
        body.setAll(Json.parseObject(more));
        EdgeHub.Answer answer = post("chat/messages", Json.write(body), "X-Tandem-Client", "one");
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        assertThat(answer.body().get("streamId"))
                .isEqualTo(answer.body().get("assistantMessageId"));
        return answer.body();
    }

    private static JsonNode until(EdgeHub.Lines lines, String type, List<JsonNode> seen)
            throws Exception {
        String event = "";
        while (true) {
            String line =
                    lines.next().orElseThrow(() -> new AssertionError("ended before " + type));
            if (line.startsWith("event: ")) {
                event = line.substring(7);
            } else if (line.startsWith("data: ")) {
                JsonNode data = Json.parse(line.substring(6));
                seen.add(((ObjectNode) data.deepCopy()).put("event", event));
                if (event.equals(type)) {
                    return data;
                }
            }
        }
    }

    private static JsonNode awaitPause(EdgeHub.Lines lines, List<JsonNode> seen) throws Exception {
        while (true) {
            JsonNode status = until(lines, "status", seen);
            if (status.at("/data/state").asString("").equals("awaiting_local_tool_results")) {
                return status.get("data");
            }
        }
    }

    private static void allow() {
        String id =
                org.awaitility.Awaitility.await()
                        .until(() -> hub.sessions().desk().open(), cards -> !cards.isEmpty())
                        .getFirst()
                        .requestId();
        hub.sessions().desk().answer(id, "allow_session", dev.tandem.hub.auth.Caller.USER);
    }

    // PLG-57, PLG-59, PLG-63 (server half): said, streamed under numbers, resumed without a gap
    @Test
    void aMessageIsAnsweredInItsStream() throws Exception {
        JsonNode sent = send("thought hm\nsay one\nchunks 50", "{}");
        String stream = sent.get("streamId").asString();
        List<JsonNode> seen = new ArrayList<>();
        try (EdgeHub.Lines lines = hub.lines("/api/v1/streams/sse?streamIds=" + stream)) {
            assertThat(lines.next()).contains(": connected");
            until(lines, "done", seen);
        }
        StringBuilder text = new StringBuilder();
        long before = 0;
        for (JsonNode event : seen) {
            if (event.has("sequence")) {
                assertThat(event.get("sequence").asLong()).isGreaterThan(before);
                before = event.get("sequence").asLong();
            }
            if (event.get("event").asString().equals("content_delta")) {
                text.append(event.at("/data/delta").asString());
            }
        }
        assertThat(text.toString()).startsWith("one0 1 2 ").endsWith("48 49 ");
        assertThat(seen.getFirst().get("sequence").asLong()).isEqualTo(1);
        long half = seen.get(seen.size() / 2).get("sequence").asLong();
        String cursor =
                Base64.getUrlEncoder()
                        .encodeToString(
                                ("{\"" + stream + "\":" + half + "}")
                                        .getBytes(StandardCharsets.UTF_8));
        List<JsonNode> rest = new ArrayList<>();
        try (EdgeHub.Lines lines =
                hub.lines("/api/v1/streams/sse?streamIds=" + stream + "&cursor=" + cursor)) {
            until(lines, "done", rest);
        }
        assertThat(words(seen, 0, half) + words(rest, half, Long.MAX_VALUE))
                .as("resumed in the middle: nothing twice, nothing missing")
                .isEqualTo(text.toString());
        JsonNode messages =
                hub.call(
                                "GET",
                                "/api/v1/chat/sessions/"
                                        + sent.get("sessionId").asString()
                                        + "/messages",
                                null)
                        .body()
                        .get("messages");
        assertThat(messages).hasSize(2);
        assertThat(messages.get(1).get("content").asString()).isEqualTo(text.toString());
        assertThat(messages.get(1).get("id").asString()).isEqualTo(stream);
    }

    private static String words(List<JsonNode> events, long after, long upTo) {
        StringBuilder text = new StringBuilder();
        for (JsonNode event : events) {
            long sequence = event.path("sequence").asLong(0);
            if (event.get("event").asString().equals("content_delta")
                    && sequence > after
                    && sequence <= upTo) {
                text.append(event.at("/data/delta").asString());
            }
        }
        return text.toString();
    }

    // PLG-58, PLG-62, PLG-65, PLG-66, PLG-67, PLG-69, PLG-L28, PLG-L29, PLG-L49, SEC-28
    @Test
    void aLocalToolPausesTheTurnUntilItsExecutorAnswers() throws Exception {
        JsonNode sent =
                send(
                        "mcp tools/list {}\n"
                                + "mcp tools/call {\"name\":\"pick\",\"arguments\":{\"a\":1}}",
                        "{\"localToolDefinitions\":" + LOCAL + "}");
        String stream = sent.get("streamId").asString();
        CompletableFuture<Void> allowed = CompletableFuture.runAsync(ChatEndpointTest::allow);
        List<JsonNode> seen = new ArrayList<>();
        try (EdgeHub.Lines lines = hub.lines("/api/v1/streams/sse?streamIds=" + stream)) {
            JsonNode pause = awaitPause(lines, seen);
            allowed.join();
            assertThat(words(seen, 0, Long.MAX_VALUE))
                    .as("both the hub's tools and the client's")
                    .contains("\"snapshot\"", "\"pick\"", "\"tab_read\"");
            JsonNode call = pause.get("pending_local_tool_calls").get(0);
            assertThat(call.get("name").asString()).isEqualTo("pick");
            assertThat(call.at("/args/a").asInt()).isEqualTo(1);
            assertThat(pause.get("local_tool_definitions")).hasSize(2);
            String id = call.get("tool_call_id").asString();
            String results = "chat/messages/" + stream + "/tool-results";
            assertThat(post(results, "{\"toolCallId\":\"other\",\"result\":1}").body().get("error"))
                    .hasToString("\"Tool call other is not pending for this assistant message\"");
            String claims = "chat/messages/" + stream + "/tool-claims";
            EdgeHub.Answer early =
                    post(claims, "{\"toolCallId\":\"%s\",\"executorId\":\"two\"}".formatted(id));
            assertThat(early.status()).isEqualTo(409);
            assertThat(early.body().get("code").asString()).isEqualTo("already_claimed");
            EdgeHub.Answer lease =
                    post(claims, "{\"toolCallId\":\"%s\",\"executorId\":\"one\"}".formatted(id));
            assertThat(lease.status()).isEqualTo(200);
            String forged = "{\"toolCallId\":\"%s\",\"result\":\"forged\"}".formatted(id);
            assertThat(post(results, forged).status()).isEqualTo(403);
            String honest =
                    "{\"toolCallId\":\"%s\",\"result\":\"\",\"leaseId\":%s}"
                            .formatted(id, lease.body().get("leaseId"));
            List<CompletableFuture<EdgeHub.Answer>> tries = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                tries.add(
                        CompletableFuture.supplyAsync(() -> {
                            try {
                                return post(results, honest);
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        }));
            }
            long accepted =
                    tries.stream()
                            .map(CompletableFuture::join)
                            .filter(one -> one.body().path("accepted").asBoolean(false))
                            .filter(one -> one.body().path("resumed").asBoolean(false))
                            .count();
            assertThat(accepted).as("of ten equal results one counts").isEqualTo(1);
            until(lines, "done", seen);
            assertThat(post(results, honest).status()).as("after the end").isEqualTo(409);
        }
        assertThat(words(seen, 0, Long.MAX_VALUE)).contains("\\\"value\\\":\\\"\\\"");
        JsonNode messages =
                hub.call(
                                "GET",
                                "/api/v1/chat/sessions/"
                                        + sent.get("sessionId").asString()
                                        + "/messages",
                                null)
                        .body()
                        .get("messages");
        assertThat(messages).as("one answer, one stream").hasSize(2);
        assertThat(Json.write(messages.get(1))).contains("\"local\":true");
    }

    // PLG-68: of two calls at once the first result waits for the second
    @Test
    void theTurnGoesOnWhenEveryCallHasItsResult() throws Exception {
        JsonNode sent = send("mcp-two pick tab_read", "{\"localToolDefinitions\":" + LOCAL + "}");
        String stream = sent.get("streamId").asString();
        CompletableFuture<Void> allowed =
                CompletableFuture.runAsync(ChatEndpointTest::allow)
                        .thenRun(ChatEndpointTest::allow);
        List<JsonNode> seen = new ArrayList<>();
        try (EdgeHub.Lines lines = hub.lines("/api/v1/streams/sse?streamIds=" + stream)) {
            JsonNode pause = awaitPause(lines, seen);
            while (pause.get("pending_local_tool_calls").size() < 2) {
                pause = awaitPause(lines, seen);
            }
            allowed.join();
            int brought = 0;
            for (JsonNode call : pause.get("pending_local_tool_calls")) {
                String id = call.get("tool_call_id").asString();
                EdgeHub.Answer lease =
                        post(
                                "chat/messages/" + stream + "/tool-claims",
                                "{\"toolCallId\":\"%s\",\"executorId\":\"one\"}".formatted(id));
                EdgeHub.Answer result =
                        post(
                                "chat/messages/" + stream + "/tool-results",
                                "{\"toolCallId\":\"%s\",\"result\":\"fruit %d\",\"leaseId\":%s}"
                                        .formatted(id, ++brought, lease.body().get("leaseId")));
                assertThat(result.body().get("resumed").asBoolean())
                        .as("after result " + brought)
                        .isEqualTo(brought == 2);
                if (brought == 1) {
                    assertThat(words(seen, 0, Long.MAX_VALUE)).doesNotContain("fruit");
                }
            }
            until(lines, "done", seen);
        }
        assertThat(words(seen, 0, Long.MAX_VALUE)).contains("fruit 1").contains("fruit 2");
    }

    // PLG-L48, PLG-65; SETTLED 16: no keys of models
    @Test
    void whatCannotBeDeclaredIsRefused() throws Exception {
        for (String bad :
                List.of(
                        "{\"content\":\"\"}",
                        "{\"content\":\"a\",\"providerApiKey\":\"k\"}",
                        "{\"content\":\"a\",\"localToolDefinitions\":[{\"name\":\"web_search\"}]}",
                        "{\"content\":\"a\",\"localToolDefinitions\":[{\"name\":\"click\"}]}",
                        "{\"content\":\"a\",\"localToolDefinitions\":[{\"name\":\"a b\"}]}")) {
            EdgeHub.Answer refused = post("chat/messages", bad);
            assertThat(refused.status()).as(bad).isEqualTo(400);
            assertThat(refused.body().get("error").asString()).isNotEmpty();
            assertThat(refused.body().get("message")).isEqualTo(refused.body().get("error"));
        }
        assertThat(
                        post(
                                        "chat/messages/none/tool-results",
                                        "{\"toolCallId\":\"a\",\"result\":1}")
                                .status())
                .isEqualTo(404);
        JsonNode sent = send("say hi", "{}");
        EdgeHub.Answer wrong =
                post(
                        "chat/messages/" + sent.get("userMessageId").asString() + "/tool-results",
                        "{\"toolCallId\":\"a\",\"result\":1}");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.body().get("error").asString())
                .isEqualTo("Only assistant messages accept tool results");
    }

    // PLG-3 (server half): the job goes from pending over processing to its end, live
    @Test
    void aJobMovesAndCanBeStopped() throws Exception {
        try (EdgeHub.Lines lines = hub.lines("/api/v1/streams/sse")) {
            lines.next();
            JsonNode sent = send("wait", "{}");
            String id = sent.get("jobId").asString();
            List<String> states = new ArrayList<>();
            List<JsonNode> seen = new ArrayList<>();
            while (!states.contains("processing")) {
                JsonNode news = until(lines, "job_update", seen);
                if (news.get("jobId").asString().equals(id)) {
                    states.add(news.at("/data/job/status").asString());
                }
            }
            assertThat(
                            hub.call("GET", "/api/v1/queue/jobs/" + id, null)
                                    .body()
                                    .get("status")
                                    .asString())
                    .isEqualTo("processing");
            EdgeHub.Answer stopped = post("chat/messages/" + id + "/stop", "{}");
            assertThat(stopped.body().get("jobId").asString()).isEqualTo(id);
            JsonNode done = until(lines, "done", seen);
            assertThat(done.at("/data/reason").asString()).isEqualTo("user_stop");
            while (!states.contains("cancelled")) {
                JsonNode news = until(lines, "job_update", seen);
                states.add(news.at("/data/job/status").asString());
            }
        }
    }

    // PLG-3 (server half), ACP-C23: taken back before its turn, here or elsewhere, a job is over
    @Test
    void aMessageThatIsTakenBackEndsItsStream() throws Exception {
        String session = send("wait", "{}").get("sessionId").asString();
        org.awaitility.Awaitility.await().until(() -> hub.sessions().engine().turnRuns(session));
        for (String way : List.of("stop", "cancel", "/ws")) {
            JsonNode sent = send("say never", "{\"sessionId\":\"" + session + "\"}");
            String job = sent.get("jobId").asString();
            long seq = hub.sessions().engine().queue().list(session).getFirst().seq();
            try (EdgeHub.Lines lines = hub.lines("/api/v1/streams/sse?streamIds=" + job)) {
                switch (way) {
                    case "stop" -> post("chat/messages/" + job + "/stop", "{}");
                    case "cancel" -> post("queue/jobs/" + job + "/cancel", "{}");
                    default -> hub.sessions().engine().queue().withdraw(session, seq);
                }
                JsonNode done = until(lines, "done", new ArrayList<>());
                assertThat(done.at("/data/reason").asString()).as(way).isEqualTo("user_stop");
            }
            JsonNode known = hub.call("GET", "/api/v1/queue/jobs/" + job, null).body();
            assertThat(known.get("status").asString()).as(way).isEqualTo("cancelled");
            assertThat(hub.call("GET", "/api/v1/streams/active", null).body().toString())
                    .doesNotContain(job);
        }
        hub.call("DELETE", "/api/v1/chat/sessions/" + session, null);
    }

    // AMB-198: what was said in a deleted session is kept nowhere
    @Test
    void aDeletedSessionLeavesNoJobsAndNoStreams() throws Exception {
        JsonNode sent = send("say a secret word", "{}");
        String job = sent.get("jobId").asString();
        try (EdgeHub.Lines lines = hub.lines("/api/v1/streams/sse?streamIds=" + job)) {
            until(lines, "done", new ArrayList<>());
        }
        String session = sent.get("sessionId").asString();
        // it is told before it is kept
        await().until(() -> rows("chat_stream_events", "stream_id", job) > 0);
        hub.call("DELETE", "/api/v1/chat/sessions/" + session, null);
        org.awaitility.Awaitility.await()
                .until(() -> rows("chat_stream_events", "stream_id", job) == 0);
        assertThat(rows("chat_jobs", "session_id", session)).isZero();
        assertThat(hub.call("GET", "/api/v1/queue/jobs/" + job, null).status()).isEqualTo(404);
    }

    private static int rows(String table, String column, String value) {
        return hub.sessions()
                .store()
                .read(sql ->
                        sql.first(
                                        "SELECT COUNT(*) FROM "
                                                + table
                                                + " WHERE "
                                                + column
                                                + " = ?",
                                        row -> row.getInt(1),
                                        value)
                                .orElseThrow());
    }

    // PLG-4 (server half)
    @Test
    void commentsAreKeptClosedAndOpenedAgain() throws Exception {
        EdgeHub.Answer made =
                post(
                        "comments",
                        "{\"context_type\":\"page\",\"context_id\":\"https://a.test/\","
                                + "\"content\":\"look here @ada\"}");
        assertThat(made.status()).isEqualTo(201);
        String id = made.body().get("id").asString();
        post(
                "comments",
                "{\"context_type\":\"page\",\"context_id\":\"https://a.test/\",\"content\":\"yes\","
                        + "\"thread_id\":\""
                        + id
                        + "\"}");
        String list = "/api/v1/comments?context_type=page&context_id=https://a.test/";
        JsonNode items = hub.call("GET", list, null).body().get("items");
        assertThat(items).hasSize(2);
        assertThat(items.get(0).get("assigned_to").asString()).isEqualTo("ada");
        assertThat(post("comments/" + id + "/close", "{}").status()).isEqualTo(200);
        assertThat(hub.call("GET", list + "&status=open", null).body().get("items")).isEmpty();
        assertThat(post("comments/" + id + "/reopen", "{}").status()).isEqualTo(200);
        assertThat(hub.call("GET", list + "&status=open", null).body().get("items")).hasSize(2);
        assertThat(hub.call("DELETE", "/api/v1/comments/" + id, null).status()).isEqualTo(200);
        assertThat(hub.call("GET", list, null).body().get("items")).isEmpty();
    }

    // PLG-63 (server half): without a cursor nothing is sent again, so the word must be true
    @Test
    void whoIsToldToBeConnectedMissesNothing() throws Exception {
        ObjectNode comment = Json.object().put("context_type", "page").put("context_id", "c");
        for (int i = 0; i < 20; i++) {
            try (EdgeHub.Lines lines = hub.lines("/api/v1/streams/sse")) {
                assertThat(lines.next()).contains(": connected");
                JsonNode made = post("comments", Json.write(comment.put("content", "a"))).body();
                JsonNode news = until(lines, "comment_update", new ArrayList<>());
                assertThat(news.at("/data/comment_id")).isEqualTo(made.get("id"));
            }
        }
    }

    // PLG-97, PLG-98, PLG-99, PLG-100, PLG-L14
    @Test
    void rulesAreListedReplacedAndRemoved() throws Exception {
        String path = "/api/v1/chat/tool-permissions";
        String rule =
                "{\"toolName\":\"TAB_ACTION:click\",\"origin\":\"https://a.test/x\",\"policy\":\"%s\"%s}";
        EdgeHub.Answer put = hub.call("PUT", path, rule.formatted("allow", ""));
        assertThat(put.body().at("/item/toolName").asString()).isEqualTo("tab_action:click");
        assertThat(put.body().at("/item/origin").asString()).isEqualTo("https://a.test");
        EdgeHub.Answer old =
                hub.call(
                        "PUT",
                        path,
                        rule.formatted("deny", ",\"updatedAt\":\"2001-01-01T00:00:00Z\""));
        assertThat(old.body().at("/item/policy").asString()).as("older loses").isEqualTo("allow");
        hub.call("PUT", path, rule.formatted("deny", ""));
        JsonNode items = hub.call("GET", path, null).body().get("items");
        assertThat(items).hasSize(1);
        assertThat(items.get(0).get("policy").asString()).isEqualTo("deny");
        assertThat(
                        hub.call(
                                        "PUT",
                                        path,
                                        "{\"toolName\":\"a b\",\"origin\":\"*\",\"policy\":\"deny\"}")
                                .status())
                .isEqualTo(400);
        String gone = "{\"toolName\":\"tab_action:click\",\"origin\":\"https://a.test/path\"}";
        assertThat(hub.call("DELETE", path, gone).status()).isEqualTo(200);
        assertThat(hub.call("DELETE", path, gone).status()).isEqualTo(200);
        assertThat(hub.call("GET", path, null).body().get("items")).isEmpty();
        assertThat(
                        hub.call("GET", path + "?include=deleted", null)
                                .body()
                                .at("/items/0/deletedAt")
                                .asString(""))
                .isNotEmpty();
        assertThat(hub.call("GET", path, null, "Authorization", "").status()).isEqualTo(401);
    }

    // A message sent by one edge is seen by all: Ambient, /ws and /api/v1 at once
    @Test
    void oneMessageIsSeenOnEveryEdge() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub);
                EdgeHub.Lines streams = hub.lines("/api/v1/streams/sse")) {
            streams.next();
            String id = chat.newSession("scripted").get("sessionId").asString();
            try (EdgeHub.Lines ambient =
                    hub.lines("/api/ambient/v1/sessions/" + id + "/messages?after_seq=0")) {
                send("say from chat", "{\"sessionId\":\"" + id + "\"}");
                everywhere(id, "from chat", chat, streams, ambient);
                hub.call(
                        "POST",
                        "/api/ambient/v1/sessions/" + id + "/messages",
                        "{\"payload\":\"say from ambient\"}");
                everywhere(id, "from ambient", chat, streams, ambient);
                chat.say(ChatSocket.prompt(id, "p", "say from ws"));
                everywhere(id, "from ws", chat, streams, ambient);
            }
        }
    }

    private static void everywhere(
            String id, String words, ChatSocket chat, EdgeHub.Lines streams, EdgeHub.Lines ambient)
            throws Exception {
        chat.hear(
                m ->
                        m.path("whole").asBoolean(false)
                                && m.at("/update/content/text").asString("").equals(words),
                words + " on /ws");
        chat.hear("prompt_complete");
        List<JsonNode> seen = new ArrayList<>();
        String told = "";
        while (!told.contains(words)) {
            told += until(streams, "content_delta", seen).at("/data/delta").asString();
        }
        JsonNode message = ambient.data().orElseThrow();
        while (!(message.get("event_type").asString().equals("assistant")
                && message.get("payload").asString().equals(words))) {
            message = ambient.data().orElseThrow();
        }
        JsonNode all =
                hub.call("GET", "/api/v1/chat/sessions/" + id + "/messages", null)
                        .body()
                        .get("messages");
        assertThat(all.get(all.size() - 1).get("content").asString()).isEqualTo(words);
    }

    // Bad input: what streams say while the disk is full is told at once and kept once there is
    // room
    @Test
    void streamsWaitForRoom() throws Exception {
        Database store = hub.sessions().store();
        SessionLog log = hub.sessions().log();
        Clock clock = Clock.systemUTC();
        ObjectNode words = Json.object().put("delta", "x".repeat(300_000));
        try (ChatStreams streams =
                new ChatStreams(
                        store,
                        log,
                        new SessionStore(store, log, clock),
                        new Jobs(store, clock),
                        hub.sessions().engine().localTools(),
                        clock)) {
            List<EventStream.Event> told = new CopyOnWriteArrayList<>();
            streams.read(List.of("full"), Map.of(), told::add);
            FullDisk.fill(store);
            try {
                streams.note(() -> {
                    streams.publish("full", "content_delta", words);
                    streams.settle("full");
                });
                streams.note(() -> {
                    streams.publish("full", "done", Json.object());
                    streams.settle("full");
                });
                await().until(() -> !told.isEmpty());
                await().during(Duration.ofMillis(300)).until(() -> streams.kept("full").isEmpty());
            } finally {
                FullDisk.free(store);
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> streams.kept("full").size() == 2);
            assertThat(streams.kept("full"))
                    .extracting(StreamEvent::type, StreamEvent::sequence)
                    .containsExactly(tuple("content_delta", 1L), tuple("done", 2L));
            assertThat(streams.kept("full").getFirst().data()).isEqualTo(words);
        }
    }

    // All jobs are counted, however many there are
    @Test
    void statsCountEveryJob() throws Exception {
        String session =
                hub.call("POST", "/api/ambient/v1/sessions", "{\"name\":\"many\"}")
                        .body()
                        .get("id")
                        .asString();
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            rows.add(new Object[] {"many-" + i, session, i, "m" + i, "cancelled", 1000L + i});
        }
        JsonNode before = hub.call("GET", "/api/v1/queue/stats", null).body();
        hub.sessions()
                .store()
                .write(sql -> {
                    sql.batch(
                            "INSERT INTO chat_jobs(id, session_id, user_seq, user_message_id, status,"
                                    + " created_at) VALUES (?, ?, ?, ?, ?, ?)",
                            rows);
                    return rows.size();
                });
        JsonNode after = hub.call("GET", "/api/v1/queue/stats", null).body();
        assertThat(after.get("cancelled").asLong())
                .isEqualTo(before.get("cancelled").asLong() + 700);
        assertThat(after.propertyNames()).contains("pending", "processing", "completed", "failed");
        assertThat(hub.call("DELETE", "/api/ambient/v1/sessions/" + session, null).status())
                .isEqualTo(204);
    }

    // ACP-116: what waits behind a crash is answered, and nobody is told before that it failed
    @Test
    void aMessageBehindACrashIsAnswered() throws Exception {
        JsonNode first = send("say begun\nwait\ndie 3", "{}");
        String session = first.get("sessionId").asString();
        await().atMost(Duration.ofSeconds(40))
                .until(() -> hub.sessions().engine().turnRuns(session));
        JsonNode second = send("say after all", "{\"sessionId\":\"" + session + "\"}");
        hub.sessions().engine().agentSession(session).orElseThrow().cancel();
        String job = "/api/v1/queue/jobs/" + second.get("streamId").asString();
        await().atMost(Duration.ofSeconds(60))
                .until(() ->
                        hub.call("GET", job, null)
                                .body()
                                .path("status")
                                .asString()
                                .equals("completed"));
        // the job is told to be over right before its stream is
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() ->
                        assertThat(
                                        hub.call("GET", job + "/stream-bootstrap", null)
                                                .body()
                                                .path("events"))
                                .extracting(event -> event.path("eventType").asString())
                                .contains("content_delta", "done")
                                .doesNotContain("error"));
    }
}

package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.RawHttp;
import dev.tandem.protocol.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The chat socket of a real hub with a scripted agent behind it. */
@Timeout(120)
class RelayEndpointTest {
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

    /** A client that keeps what it hears. */
    private static final class Chat implements WebSocket.Listener, AutoCloseable {
        private final BlockingQueue<JsonNode> heard = new LinkedBlockingQueue<>();
        final CompletableFuture<String> closed = new CompletableFuture<>();
        private final StringBuilder text = new StringBuilder();
        private final WebSocket socket;
        private long lastSeq;

        Chat(String query, String... subprotocols) throws Exception {
            WebSocket.Builder builder = HttpClient.newHttpClient().newWebSocketBuilder();
            if (subprotocols.length > 0) {
                String[] more = new String[subprotocols.length - 1];
                System.arraycopy(subprotocols, 1, more, 0, more.length);
                builder.subprotocols(subprotocols[0], more);
            }
            socket =
                    builder.buildAsync(
                                    URI.create("ws://127.0.0.1:" + hub.port() + "/ws" + query),
                                    this)
                            .get(20, TimeUnit.SECONDS);
        }

        static Chat tandem() throws Exception {
            Chat chat = new Chat("", "tandem.v1", "bearer." + hub.token);
            assertThat(chat.socket.getSubprotocol()).isEqualTo("tandem.v1");
            chat.say("{\"type\":\"connect\",\"id\":0}");
            chat.hear("connected");
            return chat;
        }

        void say(String message) {
            socket.sendText(message, true).join();
        }

        JsonNode hear(String type) throws InterruptedException {
            return hear(message -> message.path("type").asString("").equals(type), type);
        }

        JsonNode answer(String id) throws InterruptedException {
            return hear(message -> message.path("id").asString("").equals(id), "id " + id);
        }

        private JsonNode hear(Predicate<JsonNode> wanted, String what) throws InterruptedException {
            while (true) {
                JsonNode message = heard.poll(60, TimeUnit.SECONDS);
                if (message == null) {
                    throw new AssertionError("Never heard " + what);
                }
                if (message.has("seq") && message.has("at")) {
                    assertThat(message.get("seq").asLong()).isGreaterThanOrEqualTo(lastSeq);
                    lastSeq = message.get("seq").asLong();
                }
                if (wanted.test(message)) {
                    return message;
                }
            }
        }

        @Override
        public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                heard.add(Json.parse(text.toString()));
                text.setLength(0);
            }
            webSocket.request(1);
            return CompletableFuture.completedStage(null);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket webSocket, int code, String reason) {
            closed.complete(code + " " + reason);
            return CompletableFuture.completedStage(null);
        }

        @Override
        public void close() {
            socket.abort();
        }
    }

    private static String session(Chat chat) throws Exception {
        chat.say(
                "{\"type\":\"new_session\",\"id\":\"n\",\"agentId\":\"scripted\",\"title\":\"t\"}");
        JsonNode made = chat.answer("n");
        assertThat(made.get("type").asString()).as(made.toString()).isEqualTo("session_created");
        assertThat(made.get("agentId").asString()).isEqualTo("scripted");
        assertThat(made.get("phase").asString()).isEqualTo("Running");
        return made.get("sessionId").asString();
    }

    private static String prompt(String session, String id, String text) {
        ObjectNode message = Json.object().put("type", "prompt").put("id", id);
        message.put("sessionId", session);
        message.putArray("content").addObject().put("type", "text").put("text", text);
        return Json.write(message);
    }

    // ACP-147, ACP-148
    @Test
    void wrongTokensAndForeignPagesStayOutside() throws Exception {
        try (Chat wrong = new Chat("?token=" + "w".repeat(40))) {
            assertThat(wrong.closed.get(20, TimeUnit.SECONDS))
                    .isEqualTo("4001 Unauthorized: Invalid token");
            assertThat(wrong.heard).isEmpty();
        }
        try (Chat late = new Chat("")) {
            late.say("{\"type\":\"list_sessions\",\"id\":1}");
            assertThat(late.hear("error").get("code").asString()).isEqualTo("unauthorized");
            late.say("{\"type\":\"connect\",\"token\":\"" + "w".repeat(40) + "\"}");
            assertThat(late.closed.get(20, TimeUnit.SECONDS)).startsWith("4001 ");
        }
        RawHttp.Answer foreign = upgrade("Origin: https://evil.example", hub.token);
        assertThat(foreign.status()).isEqualTo(403);
        int status = 0;
        for (int i = 0; i < 12 && status != 429; i++) {
            status = upgrade("X-Try: " + i, "w".repeat(40)).status();
        }
        assertThat(status).isEqualTo(429);
        try (Chat right = Chat.tandem()) {
            right.say("{\"type\":\"ping\",\"id\":\"p\"}");
            assertThat(right.answer("p").get("type").asString()).isEqualTo("pong");
        }
    }

    private static RawHttp.Answer upgrade(String header, String token) throws Exception {
        try {
            return RawHttp.send(
                    hub.port(),
                    "GET /ws?token=" + token,
                    "",
                    "Host: 127.0.0.1:" + hub.port(),
                    header,
                    "Upgrade: websocket",
                    "Connection: Upgrade",
                    "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");
        } catch (java.io.IOException e) {
            return new RawHttp.Answer(0, "");
        }
    }

    // ACP-149, ACP-150
    @Test
    void answersCarryTheIdOfTheirRequestAndErrorsEndOnlyIt() throws Exception {
        try (Chat chat = Chat.tandem()) {
            String id = session(chat);
            chat.say(prompt(id, "turn", "wait"));
            chat.hear("run_started");
            Set<String> wanted = new HashSet<>();
            for (int i = 0; i < 50; i++) {
                wanted.add("r" + i);
                chat.say(
                        switch (i % 4) {
                            case 0 -> "{\"type\":\"ping\",\"id\":\"r" + i + "\"}";
                            case 1 -> "{\"type\":\"list_sessions\",\"id\":\"r" + i + "\"}";
                            case 2 -> "{\"type\":\"nonsense\",\"id\":\"r" + i + "\"}";
                            default ->
                                    "{\"type\":\"attach\",\"sessionId\":\"none\",\"id\":\"r"
                                            + i
                                            + "\"}";
                        });
            }
            while (!wanted.isEmpty()) {
                JsonNode answer = chat.hear(m -> m.has("id"), "an answer");
                String ref = answer.get("id").asString();
                assertThat(wanted.remove(ref)).as(answer.toString()).isTrue();
                String type = answer.get("type").asString();
                assertThat(type)
                        .isEqualTo(
                                switch (Integer.parseInt(ref.substring(1)) % 4) {
                                    case 0 -> "pong";
                                    case 1 -> "session_list";
                                    default -> "error";
                                });
                if (answer.path("code").asString("").equals("unknown_type")) {
                    assertThat(answer.get("message").asString())
                            .isEqualTo("Unknown message type: nonsense");
                }
            }
            chat.say("{\"type\":\"cancel\",\"sessionId\":\"" + id + "\"}");
            JsonNode complete = chat.answer("turn");
            assertThat(complete.get("type").asString()).isEqualTo("prompt_complete");
            assertThat(complete.get("stopReason").asString()).isEqualTo("cancelled");
        }
    }

    // ACP-151
    @Test
    void aReturningClientGetsWhatItMissed() throws Exception {
        String id;
        long seen;
        try (Chat chat = Chat.tandem()) {
            id = session(chat);
            chat.say(prompt(id, "a", "say first\nwait"));
            seen = chat.hear("run_started").get("seq").asLong();
            chat.hear("session_update");
        }
        try (Chat back = Chat.tandem()) {
            back.say(
                    "{\"type\":\"attach\",\"id\":\"b\",\"sessionId\":\"%s\",\"afterSeq\":%d}"
                            .formatted(id, seen));
            JsonNode first = back.hear("session_update");
            assertThat(first.at("/update/content/text").asString("")).isEqualTo("first");
            JsonNode attached = back.answer("b");
            assertThat(attached.get("running").asBoolean()).isTrue();
            back.say("{\"type\":\"cancel\",\"sessionId\":\"" + id + "\"}");
            JsonNode complete = back.hear("prompt_complete");
            assertThat(complete.get("stopReason").asString()).isEqualTo("cancelled");
        }
        try (Chat whole = Chat.tandem()) {
            whole.say("{\"type\":\"attach\",\"id\":\"w\",\"sessionId\":\"%s\"}".formatted(id));
            int firsts = 0;
            JsonNode message;
            do {
                message = whole.hear(m -> true, "anything");
                if (message.at("/update/content/text").asString("").equals("first")) {
                    firsts++;
                }
            } while (!message.path("id").asString("").equals("w"));
            assertThat(firsts).isEqualTo(1);
        }
    }

    // ACP-152, ACP-153
    @Test
    void thePermissionIsShownToAllAndTheFirstAnswerWins() throws Exception {
        try (Chat one = Chat.tandem();
                Chat two = Chat.tandem()) {
            String id = session(one);
            one.say(prompt(id, "a", "ask edit"));
            JsonNode asked = one.hear("permission_request");
            String request = asked.get("requestId").asString();
            String option = asked.get("options").get(0).get("optionId").asString();
            assertThat(asked.get("options").get(0).get("id").asString()).isEqualTo(option);
            two.say("{\"type\":\"attach\",\"id\":\"t\",\"sessionId\":\"" + id + "\"}");
            JsonNode late = two.hear("permission_request");
            assertThat(late.get("requestId").asString()).isEqualTo(request);
            assertThat(two.answer("t").get("pendingPermissions")).hasSize(1);
            String answer =
                    "{\"type\":\"permission_response\",\"id\":\"%s\",\"requestId\":\"%s\","
                            + "\"optionId\":\"%s\"}";
            two.say(answer.formatted("y", request, option));
            JsonNode resolved = one.hear("permission_resolved");
            assertThat(resolved.get("requestId").asString()).isEqualTo(request);
            one.say(answer.formatted("z", request, option));
            assertThat(one.answer("z").get("code").asString()).isEqualTo("already_resolved");
        }
    }

    // A message sent by one edge is seen by all; the older form finds its fields under payload.
    @Test
    void bothDialectsAndTheOtherEdgeSeeTheSame() throws Exception {
        try (Chat compat = new Chat("?token=" + hub.token);
                Chat chat = Chat.tandem()) {
            compat.say("{\"type\":\"connect\",\"payload\":{}}");
            assertThat(compat.hear("connected").at("/payload/dialect").asString())
                    .isEqualTo("compat");
            compat.hear("status");
            String id = session(chat);
            compat.say("{\"type\":\"attach\",\"payload\":{\"sessionId\":\"" + id + "\"}}");
            compat.hear("attached");
            EdgeHub.Answer sent =
                    hub.call(
                            "POST",
                            "/api/ambient/v1/sessions/" + id + "/messages",
                            "{\"payload\":\"say hi there\"}");
            assertThat(sent.status()).isEqualTo(201);
            assertThat(chat.hear("session_update").at("/update/content/text").asString())
                    .isEqualTo("say hi there");
            JsonNode whole = chat.hear(m -> m.path("whole").asBoolean(false), "the whole");
            assertThat(whole.at("/update/content/text").asString()).isEqualTo("hi there");
            chat.hear("prompt_complete");
            StringBuilder said = new StringBuilder();
            Optional<JsonNode> end = Optional.empty();
            while (end.isEmpty()) {
                JsonNode message = compat.hear(m -> true, "anything");
                if (message.at("/update/sessionUpdate")
                        .asString("")
                        .equals("agent_message_chunk")) {
                    said.append(message.at("/payload/update/content/text").asString());
                }
                end =
                        Optional.of(message)
                                .filter(m -> m.get("type").asString().equals("prompt_complete"));
            }
            assertThat(said.toString()).isEqualTo("hi there");
            assertThat(end.get().at("/payload/stopReason").asString()).isEqualTo("end_turn");
        }
    }

    @Test
    void sessionsAreLabelledClonedAndTheirModeIsSet() throws Exception {
        try (Chat chat = Chat.tandem()) {
            String id = session(chat);
            String about = ",\"sessionId\":\"" + id + "\"}";
            chat.say(
                    "{\"type\":\"label_session\",\"id\":\"l\",\"labels\":[\"urgent\",\"team=blue\"]"
                            + about);
            assertThat(chat.answer("l").get("labels").toString())
                    .isEqualTo("[\"urgent\",\"team=blue\"]");
            chat.say("{\"type\":\"set_permission_mode\",\"id\":\"m\",\"mode\":\"act\"" + about);
            assertThat(chat.answer("m").get("mode").asString()).isEqualTo("act");
            chat.say("{\"type\":\"set_permission_mode\",\"id\":\"x\",\"mode\":\"god\"" + about);
            assertThat(chat.answer("x").get("code").asString()).isEqualTo("bad_message");
            chat.say("{\"type\":\"clone_session\",\"id\":\"c\"" + about);
            String copy = chat.answer("c").get("sessionId").asString();
            chat.say(
                    "{\"type\":\"list_sessions\",\"id\":\"s\",\"sessionIds\":[\"%s\",\"%s\",\"none\"]}"
                            .formatted(id, copy));
            JsonNode rows = chat.answer("s").get("sessions");
            assertThat(rows).hasSize(2);
            assertThat(rows.get(0).get("mode").asString()).isEqualTo("act");
            assertThat(rows.get(1).get("title").asString()).isEqualTo("t-clone");
            assertThat(rows.get(1).get("labels")).hasSize(2);
            chat.say("{\"type\":\"list_projects\",\"id\":\"p\"}");
            assertThat(chat.answer("p").at("/projects/0/projectId").asString())
                    .isEqualTo("default");
        }
    }

    @Test
    void whoComesLaterLearnsWhatIsAskedAndWhatTheAgentCanDo() throws Exception {
        try (Chat chat = Chat.tandem();
                Chat other = Chat.tandem()) {
            String id = session(chat);
            chat.say(
                    prompt(
                            id,
                            "q",
                            "request elicitation/create {\"mode\":\"form\",\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}"));
            chat.hear("elicitation_request");
            other.say("{\"type\":\"attach\",\"id\":\"a\",\"tail\":0,\"sessionId\":\"" + id + "\"}");
            JsonNode attached = other.answer("a");
            assertThat(attached.at("/pendingQuestions/0/message").asString()).isEqualTo("Who?");
            assertThat(attached.at("/promptCapabilities/image").asBoolean()).isTrue();
            assertThat(attached.at("/agentState/configOptions")).isNotEmpty();
            assertThat(attached.get("mode").asString()).isEqualTo("ask");
            other.say("{\"type\":\"list_sessions\",\"id\":\"s\",\"sessionIds\":[\"" + id + "\"]}");
            assertThat(other.answer("s").at("/sessions/0/question").asString()).isEqualTo("Who?");
        }
    }

    // ACP-152
    @Test
    void everybodyIsToldWhoNeedsThePerson() throws Exception {
        try (Chat chat = Chat.tandem();
                Chat list = Chat.tandem()) {
            String id = session(chat);
            chat.say(prompt(id, "q", "ask allow_once,reject_once"));
            String request = chat.hear("permission_request").get("requestId").asString();
            JsonNode needed = list.hear("session_attention");
            assertThat(needed.get("sessionId").asString()).isEqualTo(id);
            assertThat(needed.get("needed").asBoolean()).isTrue();
            chat.say(
                    "{\"type\":\"permission_response\",\"id\":\"r\",\"requestId\":\"%s\",\"outcome\":{\"outcome\":\"cancelled\"}}"
                            .formatted(request));
            chat.answer("r");
            assertThat(list.hear("session_attention").get("needed").asBoolean()).isFalse();
        }
    }
}

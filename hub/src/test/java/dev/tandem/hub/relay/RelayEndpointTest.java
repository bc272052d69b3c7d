package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.RawHttp;
import dev.tandem.protocol.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

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

    private static String session(ChatSocket chat) throws Exception {
        JsonNode made = chat.newSession("scripted");
        assertThat(made.get("agentId").asString()).isEqualTo("scripted");
        assertThat(made.get("phase").asString()).isEqualTo("Running");
        return made.get("sessionId").asString();
    }

    private static String prompt(String session, String id, String text) {
        return ChatSocket.prompt(session, id, text);
    }

    // ACP-147, ACP-L3: ten wrong tokens in a minute, then 429, wherever they are said
    @ParameterizedTest
    @ValueSource(strings = {"at the upgrade", "in connect"})
    void whoKeepsGuessingIsTurnedAway(String way, @TempDir Path fresh) throws Exception {
        String wrong = "w".repeat(40);
        try (EdgeHub own = new EdgeHub(fresh)) {
            for (int i = 0; i < 10; i++) {
                boolean early = way.equals("at the upgrade");
                try (ChatSocket guess = ChatSocket.open(own, early ? "?token=" + wrong : "")) {
                    if (!early) {
                        guess.say("{\"type\":\"connect\",\"token\":\"" + wrong + "\"}");
                    }
                    assertThat(guess.closed.get(20, TimeUnit.SECONDS)).startsWith("4001 ");
                    assertThat(guess.heard()).isEmpty();
                }
            }
            assertThat(upgrade(own, "X-Try: 11", wrong).status()).isEqualTo(429);
            try (ChatSocket late = ChatSocket.open(own, "")) {
                late.say("{\"type\":\"connect\",\"token\":\"" + wrong + "\"}");
                assertThat(late.hear("error").get("code").asString()).isEqualTo("rate_limited");
                assertThat(late.closed.get(20, TimeUnit.SECONDS)).startsWith("4001 ");
            }
            ChatSocket.tandem(own).close();
            try (ChatSocket right = ChatSocket.open(own, "")) {
                right.say("{\"type\":\"connect\",\"token\":\"" + own.token + "\"}");
                right.hear("connected");
            }
        }
    }

    // ACP-147, ACP-148, ACP-L3
    @Test
    void wrongTokensAndForeignPagesStayOutside() throws Exception {
        try (ChatSocket wrong = ChatSocket.open(hub, "?token=" + "w".repeat(40))) {
            assertThat(wrong.closed.get(20, TimeUnit.SECONDS))
                    .isEqualTo("4001 Unauthorized: Invalid token");
            assertThat(wrong.heard()).isEmpty();
        }
        try (ChatSocket late = ChatSocket.open(hub, "")) {
            late.say("{\"type\":\"list_sessions\",\"id\":1}");
            assertThat(late.hear("error").get("code").asString()).isEqualTo("unauthorized");
            assertThat(late.closed.get(20, TimeUnit.SECONDS)).startsWith("4001 ");
        }
        try (ChatSocket late = ChatSocket.open(hub, "")) {
            late.say("{\"type\":\"connect\",\"token\":\"" + "w".repeat(40) + "\"}");
            assertThat(late.closed.get(20, TimeUnit.SECONDS)).startsWith("4001 ");
        }
        RawHttp.Answer foreign = upgrade(hub, "Origin: https://evil.example", hub.token);
        assertThat(foreign.status()).isEqualTo(403);
        try (ChatSocket right = ChatSocket.tandem(hub)) {
            right.say("{\"type\":\"ping\",\"id\":\"p\"}");
            assertThat(right.answer("p").get("type").asString()).isEqualTo("pong");
        }
    }

    // SEC-25: before proof one message of 4 KiB and 32 sockets; whoever proves is not in their way
    @Test
    void strangersGetLittle() throws Exception {
        List<ChatSocket> strangers = new ArrayList<>();
        try (ChatSocket user = ChatSocket.tandem(hub);
                ChatSocket talks = ChatSocket.open(hub, "")) {
            talks.say("{\"type\":\"ping\",\"id\":1,\"x\":\"" + "x".repeat(5000) + "\"}");
            assertThat(talks.closed.get(20, TimeUnit.SECONDS)).startsWith("1009");
            assertThat(talks.heard()).isEmpty();
            for (int i = 0; i < 33; i++) {
                strangers.add(ChatSocket.open(hub, ""));
            }
            assertThat(strangers.getFirst().closed.get(20, TimeUnit.SECONDS)).startsWith("4001");
            assertThat(strangers.getLast().closed).isNotDone();
            user.say("{\"type\":\"ping\",\"id\":\"p\"}");
            assertThat(user.answer("p").get("type").asString()).isEqualTo("pong");
            ChatSocket last = strangers.getLast();
            last.say("{\"type\":\"ping\",\"id\":\"p\"}");
            assertThat(last.closed.get(20, TimeUnit.SECONDS)).startsWith("4001");
        } finally {
            strangers.forEach(ChatSocket::close);
        }
    }

    private static RawHttp.Answer upgrade(EdgeHub hub, String header, String token)
            throws Exception {
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

    // ACP-28, ACP-149, ACP-150
    @Test
    void answersCarryTheIdOfTheirRequestAndErrorsEndOnlyIt() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
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

    // ACP-151, ACP-L4
    @Test
    void aReturningClientGetsWhatItMissed() throws Exception {
        String id;
        long seen;
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            id = session(chat);
            chat.say(prompt(id, "a", "say first\nwait"));
            seen = chat.hear("run_started").get("seq").asLong();
            chat.hear("session_update");
        }
        try (ChatSocket back = ChatSocket.tandem(hub)) {
            back.say(
                    "{\"type\":\"attach\",\"id\":\"b\",\"sessionId\":\"%s\",\"afterSeq\":%d}"
                            .formatted(id, seen));
            JsonNode attached = Json.object();
            String text = "";
            // The words may be said just before or just after the client is back.
            while (attached.isEmpty() || text.isEmpty()) {
                JsonNode message = back.hear(m -> true, "the answer and the words");
                attached = message.path("id").asString("").equals("b") ? message : attached;
                text += message.at("/update/content/text").asString("");
            }
            assertThat(text).isEqualTo("first");
            assertThat(attached.get("running").asBoolean()).isTrue();
            back.say("{\"type\":\"cancel\",\"sessionId\":\"" + id + "\"}");
            JsonNode complete = back.hear("prompt_complete");
            assertThat(complete.get("stopReason").asString()).isEqualTo("cancelled");
        }
        try (ChatSocket whole = ChatSocket.tandem(hub)) {
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

    // ACP-30, ACP-37, ACP-152, ACP-153, ACP-L22
    @Test
    void thePermissionIsShownToAllAndTheFirstAnswerWins() throws Exception {
        try (ChatSocket one = ChatSocket.tandem(hub);
                ChatSocket two = ChatSocket.tandem(hub)) {
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
            assertThat(resolved.get("by").asString()).isEqualTo("user");
            assertThat(resolved.get("name").asString()).isNotEmpty();
            one.say(answer.formatted("z", request, option));
            assertThat(one.answer("z").get("code").asString()).isEqualTo("already_resolved");
        }
    }

    // A message sent by one edge is seen by all; the older form finds its fields under payload.
    @Test
    void bothDialectsAndTheOtherEdgeSeeTheSame() throws Exception {
        try (ChatSocket compat = ChatSocket.open(hub, "?token=" + hub.token);
                ChatSocket chat = ChatSocket.tandem(hub)) {
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
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
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
        try (ChatSocket chat = ChatSocket.tandem(hub);
                ChatSocket other = ChatSocket.tandem(hub)) {
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
        try (ChatSocket chat = ChatSocket.tandem(hub);
                ChatSocket list = ChatSocket.tandem(hub);
                ChatSocket rows = ChatSocket.tandem(hub)) {
            rows.ask("all", "{\"type\":\"list_sessions\",\"id\":\"all\"}");
            String id = session(chat);
            chat.say(prompt(id, "q", "say May I?\nask allow_once,reject_once"));
            String request = chat.hear("permission_request").get("requestId").asString();
            JsonNode waiting = row(rows, id, "waiting_input");
            assertThat(waiting.at("/row/unread").asInt()).isEqualTo(1);
            assertThat(waiting.at("/row/question").asString()).isNotEmpty();
            JsonNode needed = list.hear("session_attention");
            assertThat(needed.get("sessionId").asString()).isEqualTo(id);
            assertThat(needed.get("needed").asBoolean()).isTrue();
            chat.say(
                    "{\"type\":\"permission_response\",\"id\":\"r\",\"requestId\":\"%s\",\"outcome\":{\"outcome\":\"cancelled\"}}"
                            .formatted(request));
            chat.answer("r");
            assertThat(list.hear("session_attention").get("needed").asBoolean()).isFalse();
            JsonNode after = row(rows, id, "idle");
            assertThat(after.at("/row/lastSeq").asInt())
                    .isGreaterThan(waiting.at("/row/lastSeq").asInt());
            assertThat(after.at("/row/phase").asString()).isEqualTo("Running");
            assertThat(list.heard())
                    .as("who did not ask for the list")
                    .noneMatch(one -> one.path("type").asString("").equals("session_row"));
        }
    }

    /** A pushed row of that session, once it is in that state. */
    private static JsonNode row(ChatSocket rows, String id, String status) throws Exception {
        return rows.hear(
                one ->
                        one.path("type").asString("").equals("session_row")
                                && one.at("/row/sessionId").asString().equals(id)
                                && one.at("/row/status").asString("").equals(status)
                                && !one.at("/row/preview").asString("").isEmpty(),
                "a row that is " + status);
    }
}

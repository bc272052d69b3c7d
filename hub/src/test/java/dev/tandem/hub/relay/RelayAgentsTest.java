package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.Timings;
import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What /ws says of agents: who they are, forms, signing in. */
@Timeout(180)
class RelayAgentsTest {
    @TempDir static Path folder;
    private static Path record;
    private static EdgeHub hub;

    @BeforeAll
    static void start() throws Exception {
        record = folder.resolve("record.txt");
        hub =
                new EdgeHub(
                        folder,
                        Timings.standard(),
                        Map.of(
                                "config",
                                ScriptedAgentCommand.argv("--record=" + record),
                                "locked",
                                ScriptedAgentCommand.argv("--auth=0", "--record=" + record),
                                "plain",
                                ScriptedAgentCommand.argv("--caps={}", "--options=none"),
                                "absent",
                                List.of("/nowhere/at/all")),
                        "");
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    private static String say(String type, String session, String fields) {
        return "{\"type\":\"%s\",\"id\":\"x\",\"sessionId\":\"%s\"%s}"
                .formatted(type, session, fields.isEmpty() ? "" : "," + fields);
    }

    // ACP-1, ACP-18, ACP-25, ACP-26, ACP-27, ACP-32, ACP-34, ACP-35, ACP-36, ACP-45, ACP-48
    @Test
    void aPromptGoesToTheAgentAndItsAnswerComesBack() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            JsonNode made = chat.newSession("config");
            assertThat(made.at("/promptCapabilities/image").asBoolean()).isTrue();
            assertThat(made.get("agentSessionId").asString()).isNotEmpty();
            assertThat(Path.of(made.get("cwd").asString())).isDirectory();
            String id = made.get("sessionId").asString();
            chat.say(
                    """
                    {"type":"prompt","id":"p","sessionId":"%s","content":[
                     {"type":"text","text":"say over\\nblocks"},
                     {"type":"resource_link","uri":"file:///a/b.txt"}]}\
                    """
                            .formatted(id));
            JsonNode said =
                    chat.hear(
                            m ->
                                    m.path("whole").asBoolean(false)
                                            && ChatSocket.kind(m).equals("agent_message_chunk"),
                            "the answer");
            String words = said.at("/update/content/text").asString();
            assertThat(words).startsWith("over");
            JsonNode blocks = Json.parse(words.substring(4));
            assertThat(blocks.get(1).get("uri").asString()).isEqualTo("file:///a/b.txt");
            assertThat(blocks.get(1).get("name").asString()).isEqualTo("b.txt");
            JsonNode end = chat.answer("p");
            assertThat(end.get("stopReason").asString()).isEqualTo("end_turn");
            assertThat(end.at("/_meta/turn").asString())
                    .as("every other field of the agent's answer")
                    .isEqualTo("played");
            assertThat(Files.readString(record))
                    .contains("\"method\":\"session/new\"")
                    .contains("\"method\":\"session/prompt\"");
        }
    }

    // ACP-35, ACP-40, ACP-42, ACP-43: pieces unchanged, in order, and again from the log
    @Test
    void updatesComeUnchangedAndAgainFromTheLog() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("config").get("sessionId").asString();
            chat.say(
                    ChatSocket.prompt(
                            id,
                            "p",
                            """
                            thought deep
                            update {"sessionUpdate":"tool_call","toolCallId":"t","title":"T","kind":"odd","x":{"y":[1]}}
                            update {"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed"}
                            update {"sessionUpdate":"brand_new","z":7}
                            say done\
                            """));
            JsonNode tool = chat.hear(m -> ChatSocket.kind(m).equals("tool_call"), "tool_call");
            assertThat(tool.at("/update/x/y/0").asInt()).isEqualTo(1);
            assertThat(tool.at("/update/kind").asString()).isEqualTo("odd");
            JsonNode fresh = chat.hear(m -> ChatSocket.kind(m).equals("brand_new"), "brand_new");
            assertThat(fresh.at("/update/z").asInt()).isEqualTo(7);
            chat.answer("p");
            JsonNode past = chat.ask("x", say("history", id, "\"limit\":1000"));
            List<String> kinds =
                    past.get("entries").valueStream().map(e -> e.get("kind").asString()).toList();
            assertThat(kinds)
                    .containsSubsequence(
                            "user", "thought", "tool_use", "tool_result", "system", "assistant");
            assertThat(past.get("more").asBoolean()).isFalse();
            JsonNode few = chat.ask("x", say("history", id, "\"limit\":1"));
            assertThat(few.get("more").asBoolean()).isTrue();
            assertThat(few.get("entries")).hasSize(1);
        }
    }

    // ACP-102 (the wire half), ACP-103 (full address and host, nothing fetched by the hub)
    @Test
    void formsAndLinksAreShownToThoseWhoComeLaterAndAnswered() throws Exception {
        try (ChatSocket one = ChatSocket.tandem(hub);
                ChatSocket two = ChatSocket.tandem(hub)) {
            String id = one.newSession("config").get("sessionId").asString();
            one.say(
                    ChatSocket.prompt(
                            id,
                            "p",
                            "request elicitation/create {\"mode\":\"form\",\"message\":\"Who?\","
                                    + "\"requestedSchema\":{\"type\":\"object\",\"properties\":"
                                    + "{\"name\":{\"type\":\"string\"}}}}\n"
                                    + "request elicitation/create {\"mode\":\"url\",\"message\":\"Go\","
                                    + "\"elicitationId\":\"e\",\"url\":\"https://pay.example/x?y=1\"}"));
            JsonNode form = one.hear("elicitation_request");
            two.say(say("attach", id, ""));
            JsonNode late = two.hear("elicitation_request");
            assertThat(late.get("requestId")).isEqualTo(form.get("requestId"));
            assertThat(late.at("/requestedSchema/properties/name/type").asString())
                    .isEqualTo("string");
            JsonNode attached = two.answer("x");
            assertThat(attached.get("pendingQuestions")).hasSize(1);
            two.say(
                    say(
                            "elicitation_response",
                            id,
                            "\"requestId\":%s,\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}"
                                    .formatted(form.get("requestId"))));
            assertThat(one.hear("elicitation_resolved").get("action").asString())
                    .isEqualTo("accept");
            JsonNode link = one.hear("elicitation_request");
            assertThat(link.get("url").asString()).isEqualTo("https://pay.example/x?y=1");
            assertThat(link.get("host").asString()).isEqualTo("pay.example");
            one.say(
                    say(
                            "elicitation_response",
                            id,
                            "\"requestId\":%s,\"action\":\"decline\""
                                    .formatted(link.get("requestId"))));
            JsonNode said =
                    one.hear(
                            m ->
                                    m.path("whole").asBoolean(false)
                                            && ChatSocket.kind(m).equals("agent_message_chunk"),
                            "the answers");
            assertThat(said.at("/update/content/text").asString())
                    .contains("Ada")
                    .contains("decline");
            one.answer("p");
        }
    }

    // ACP-84 (on /ws), ACP-85, ACP-86
    @Test
    void signingInOpensWhatWasLocked() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            JsonNode locked =
                    chat.ask("x", "{\"type\":\"new_session\",\"id\":\"x\",\"agentId\":\"locked\"}");
            assertThat(locked.get("code").asString()).isEqualTo("auth_required");
            String id = locked.get("sessionId").asString();
            JsonNode row = rowOf(chat, id);
            assertThat(row.get("locked").asBoolean()).isTrue();
            assertThat(row.get("question").asString()).isNotBlank();
            try (ChatSocket other = ChatSocket.tandem(hub)) {
                JsonNode shown = other.ask("x", say("attach", id, ""));
                assertThat(shown.get("agentId").asString()).isEqualTo("locked");
            }
            JsonNode listed = chat.ask("x", "{\"type\":\"list_agents\",\"id\":\"x\"}");
            assertThat(listed.get("agents"))
                    .filteredOn(agent -> agent.get("agentId").asString().equals("locked"))
                    .allSatisfy(agent -> assertThat(agent.get("authMethods")).hasSize(2))
                    .allSatisfy(agent -> assertThat(agent.get("signsOut").asBoolean()).isTrue())
                    .hasSize(1);
            JsonNode terminal =
                    chat.ask(
                            "x",
                            "{\"type\":\"authenticate\",\"id\":\"x\",\"agentId\":\"locked\","
                                    + "\"methodId\":\"tty\"}");
            assertThat(terminal.get("state").asString()).isEqualTo("auth_required");
            assertThat(terminal.at("/terminal/env/LOGIN_STYLE").asString()).isEqualTo("tty");
            JsonNode ready =
                    chat.ask(
                            "x",
                            "{\"type\":\"authenticate\",\"id\":\"x\",\"agentId\":\"locked\","
                                    + "\"methodId\":\"key\"}");
            assertThat(ready.get("state").asString()).isEqualTo("ready");
            assertThat(ready.get("authMethods")).hasSize(2);
            JsonNode open = chat.ask("x", say("resume_session", id, ""));
            assertThat(open.get("type").asString())
                    .as(open.toString())
                    .isEqualTo("session_resumed");
            JsonNode out =
                    chat.ask("x", "{\"type\":\"logout\",\"id\":\"x\",\"agentId\":\"locked\"}");
            assertThat(out.get("state").asString()).isEqualTo("auth_required");
            JsonNode cannot =
                    chat.ask("x", "{\"type\":\"logout\",\"id\":\"x\",\"agentId\":\"plain\"}");
            assertThat(cannot.get("code").asString()).isEqualTo("unsupported");
            assertThat(Files.readString(record).lines())
                    .as("also in the process that runs")
                    .filteredOn(line -> line.contains("\"method\":\"logout\""))
                    .hasSize(2);
            chat.newSession("plain");
            assertThat(chat.ask("x", "{\"type\":\"list_agents\",\"id\":\"x\"}").get("agents"))
                    .filteredOn(agent -> agent.get("agentId").asString().equals("plain"))
                    .allSatisfy(agent -> assertThat(agent.get("signsOut").asBoolean()).isFalse())
                    .hasSize(1);
        }
    }

    @Test
    void anAgentIsStartedAgainWithItsSession() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("config").get("sessionId").asString();
            String before = chat.turn(id, "pid");
            JsonNode ready =
                    chat.ask(
                            "x",
                            "{\"type\":\"restart_agent\",\"id\":\"x\",\"agentId\":\"config\"}");
            assertThat(ready.get("state").asString()).isEqualTo("ready");
            hub.awaitPhase(id, "Running");
            assertThat(chat.turn(id, "pid")).isNotEqualTo(before);
        }
    }

    // ACP-33: what goes wrong has its code; ACP-87: a relative folder is refused
    @Test
    void errorsHaveTheirCodes() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            assertThat(code(chat, "{\"type\":\"new_session\",\"id\":\"x\",\"agentId\":\"absent\"}"))
                    .isEqualTo("agent_not_found");
            int sessions = hub.sessions().engine().summaries().size();
            for (String type : List.of("new_session", "restart_agent")) {
                assertThat(
                                code(
                                        chat,
                                        "{\"type\":\"%s\",\"id\":\"x\",\"agentId\":\"nobody\"}"
                                                .formatted(type)))
                        .as(type)
                        .isEqualTo("agent_not_found");
            }
            assertThat(hub.sessions().engine().summaries()).as("none is made").hasSize(sessions);
            assertThat(code(chat, "{\"type\":\"prompt\",\"id\":\"x\",\"content\":[]}"))
                    .isIn("bad_message");
            assertThat(code(chat, say("attach", "none", ""))).isEqualTo("unknown_session");
            assertThat(
                            code(
                                    chat,
                                    "{\"type\":\"new_session\",\"id\":\"x\",\"agentId\":\"config\","
                                            + "\"cwd\":\"relative\"}"))
                    .isEqualTo("path_denied");
            assertThat(
                            code(
                                    chat,
                                    "{\"type\":\"new_session\",\"id\":\"x\",\"agentId\":\"config\","
                                            + "\"additionalDirectories\":[\"/etc\"]}"))
                    .isEqualTo("path_denied");
            assertThat(
                            code(
                                    chat,
                                    "{\"type\":\"permission_response\",\"id\":\"x\","
                                            + "\"requestId\":\"none\",\"optionId\":\"a\"}"))
                    .isEqualTo("not_found");
        }
        try (ChatSocket fresh = ChatSocket.tandem(hub)) {
            assertThat(
                            code(
                                    fresh,
                                    "{\"type\":\"prompt\",\"id\":\"x\",\"content\":"
                                            + "[{\"type\":\"text\",\"text\":\"a\"}]}"))
                    .isEqualTo("no_session");
        }
    }

    private static String code(ChatSocket chat, String message) throws Exception {
        JsonNode answer = chat.ask("x", message);
        assertThat(answer.get("type").asString()).as(answer.toString()).isEqualTo("error");
        return answer.get("code").asString();
    }

    // ACP-48, ACP-L4: an older client learns at connect what the default agent can do
    @Test
    void anOlderClientLearnsWhatTheAgentCan() throws Exception {
        try (ChatSocket old = ChatSocket.open(hub, "?token=" + hub.token)) {
            old.say("{\"type\":\"connect\",\"payload\":{\"agentId\":\"config\"}}");
            JsonNode status = old.hear("status");
            assertThat(status.at("/payload/connected").asBoolean()).isTrue();
            assertThat(status.at("/payload/capabilities/promptCapabilities/image").asBoolean())
                    .isTrue();
        }
    }

    // ACP-90: what the agent remembers is listed page by page; one that the hub never ran goes on
    @Test
    void aSessionThatOnlyTheAgentRemembersIsListedAndGoesOnHere() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            JsonNode made = chat.newSession("config");
            String own = made.get("sessionId").asString();
            int before =
                    chat.ask("b", "{\"type\":\"list_sessions\",\"id\":\"b\"}")
                            .get("sessions")
                            .size();
            JsonNode first = listed(chat, "");
            assertThat(first.at("/sessions/0/sessionId").asString()).isEqualTo("old0");
            assertThat(first.at("/sessions/0/imported").asBoolean()).isTrue();
            assertThat(first.at("/sessions/0/updatedAt").asLong())
                    .isEqualTo(Instant.parse("2026-01-01T10:00:00Z").toEpochMilli());
            JsonNode second = listed(chat, first.get("nextCursor").asString());
            JsonNode last = listed(chat, second.get("nextCursor").asString());
            assertThat(last.at("/sessions/0/sessionId").asString()).isEqualTo("old2");
            assertThat(last.has("nextCursor")).isFalse();

            chat.say(say("load_session", "old2", "\"agentId\":\"config\",\"title\":\"Earlier\""));
            JsonNode loaded = chat.hear("session_loaded");
            String id = loaded.get("sessionId").asString();
            assertThat(id).isNotIn("old2", own);
            assertThat(loaded.get("agentSessionId").asString()).isEqualTo("old2");
            assertThat(loaded.get("title").asString()).isEqualTo("Earlier");
            chat.say(say("history", id, ""));
            assertThat(chat.hear("history").get("entries"))
                    .filteredOn(entry -> entry.get("body").has("text"))
                    .extracting(
                            entry -> entry.get("kind").asString(),
                            entry -> entry.at("/body/text").asString())
                    .containsExactly(tuple("user", "old 0"), tuple("assistant", "old 1"));
            JsonNode again = listed(chat, "2");
            assertThat(again.at("/sessions/0/sessionId").asString()).isEqualTo(id);
            assertThat(again.at("/sessions/0/imported").asBoolean()).isFalse();

            JsonNode known = chat.ask("a", "{\"type\":\"list_agents\",\"id\":\"a\"}").get("agents");
            assertThat(known)
                    .filteredOn(agent -> agent.get("agentId").asString().equals("config"))
                    .allMatch(agent -> agent.get("remembers").asBoolean());

            chat.say(say("load_session", "unknown", "\"agentId\":\"config\""));
            assertThat(chat.hear("error").path("message").asString())
                    .contains("Invalid session identifier");
            JsonNode all =
                    chat.ask("all", "{\"type\":\"list_sessions\",\"id\":\"all\"}").get("sessions");
            assertThat(all)
                    .as("what could not be loaded leaves nothing behind")
                    .hasSize(before + 1)
                    .extracting(row -> row.get("sessionId").asString())
                    .contains(own, id);
            chat.say(say("load_session", "old1", "\"agentId\":\"config\",\"cwd\":\"/\""));
            assertThat(chat.hear("error").path("message").asString()).contains("registered");

            // it was the agent's before it was ours: only our half of it is deleted
            chat.say(say("delete_session", id, ""));
            chat.hear("session_deleted");
            chat.say(say("delete_session", own, ""));
            chat.hear("session_deleted");
            String agentsOwn = made.get("agentSessionId").asString();
            await().until(() -> deletes().contains(agentsOwn));
            assertThat(deletes()).doesNotContain("old2");
        }
    }

    // ACP-83, ACP-90
    @Test
    void anAgentThatRemembersNothingIsNotAsked() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            chat.say("{\"type\":\"list_sessions\",\"id\":\"l\",\"agentId\":\"plain\"}");
            JsonNode refused = chat.hear("error");
            assertThat(refused.get("code").asString()).isEqualTo("unsupported");
            assertThat(refused.get("id").asString()).isEqualTo("l");
            assertThat(refused.get("message").asString())
                    .isEqualTo("Listing sessions is not supported by this agent");
            int before =
                    chat.ask("b", "{\"type\":\"list_sessions\",\"id\":\"b\"}")
                            .get("sessions")
                            .size();
            chat.say(say("load_session", "old", "\"agentId\":\"plain\""));
            assertThat(chat.hear("error").get("message").asString())
                    .contains("Loading sessions is not supported by this agent");
            assertThat(chat.ask("c", "{\"type\":\"list_sessions\",\"id\":\"c\"}").get("sessions"))
                    .as("nothing begins anew in its place")
                    .hasSize(before);
            JsonNode known = chat.ask("a", "{\"type\":\"list_agents\",\"id\":\"a\"}").get("agents");
            assertThat(known)
                    .filteredOn(agent -> agent.get("agentId").asString().equals("plain"))
                    .noneMatch(agent -> agent.get("remembers").asBoolean());
        }
    }

    private static JsonNode rowOf(ChatSocket chat, String id) throws Exception {
        return chat.ask(
                        "row",
                        "{\"type\":\"list_sessions\",\"id\":\"row\",\"sessionIds\":[\"%s\"]}"
                                .formatted(id))
                .at("/sessions/0");
    }

    private static String deletes() throws IOException {
        return Files.readString(record)
                .lines()
                .filter(line -> line.contains("session/delete"))
                .collect(Collectors.joining("\n"));
    }

    private static JsonNode listed(ChatSocket chat, String cursor) throws Exception {
        chat.say(
                "{\"type\":\"list_sessions\",\"id\":\"l\",\"agentId\":\"config\",\"cursor\":\"%s\"}"
                        .formatted(cursor));
        return chat.hear("session_list");
    }
}

package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.Timings;
import dev.tandem.hub.agent.AgentTimings;
import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import dev.tandem.protocol.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Agents that die, make noise or flood; requests that make no sense; a second hub. */
@Timeout(180)
class BadInputTest {
    @TempDir static Path folder;
    private static EdgeHub hub;

    @BeforeAll
    static void start() throws Exception {
        Map<String, List<String>> agents = new LinkedHashMap<>();
        agents.put("scripted", ScriptedAgentCommand.argv());
        agents.put("shared", ScriptedAgentCommand.argv());
        agents.put("noisy", ScriptedAgentCommand.argv("--banner"));
        AgentTimings usual = AgentTimings.defaults();
        assertThat(usual.initialize()).isEqualTo(Duration.ofSeconds(60));
        AgentTimings quick =
                new AgentTimings(
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(20),
                        usual.cancelRequestAfter(),
                        usual.forcedEndAfter(),
                        usual.stopGrace());
        hub = new EdgeHub(folder, new Timings(Duration.ofSeconds(20), quick), agents, "scripted");
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    // ACP-116 (on /ws)
    @Test
    void anAgentThatDiesInATurnSaysWhyAndCanBeStartedAgain() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            chat.say(ChatSocket.prompt(id, "p", "say half\ndie 7"));
            JsonNode error = chat.answer("p");
            assertThat(error.get("type").asString()).isEqualTo("error");
            assertThat(error.get("code").asString()).isEqualTo("agent_exited");
            assertThat(error.at("/details/exitCode").asInt()).isEqualTo(7);
            assertThat(error.get("message").asString())
                    .startsWith("Prompt failed: ")
                    .contains("something terrible happened");
            JsonNode end = chat.answer("p");
            assertThat(end.get("stopReason").asString()).isEqualTo("error");
            assertThat(end.get("error").asString()).contains("something terrible happened");
            hub.awaitPhase(id, "Failed");
            assertThat(
                            chat.ask(
                                            "r",
                                            "{\"type\":\"resume_session\",\"id\":\"r\",\"sessionId\":\""
                                                    + id
                                                    + "\"}")
                                    .get("type")
                                    .asString())
                    .isEqualTo("session_resumed");
            assertThat(chat.turn(id, "say again")).isEqualTo("again");
        }
    }

    // ACP-85, ACP-149 (on /ws): what the agent answers to a prompt keeps its code and all it said
    @Test
    void aRefusedPromptHasItsCodeAndTheAgentsOwnError() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            JsonNode locked = chat.ask("p", ChatSocket.prompt(id, "p", "fail -32000 sign in"));
            assertThat(locked.get("code").asString()).isEqualTo("auth_required");
            assertThat(locked.get("retryable").asBoolean()).isTrue();
            assertThat(locked.at("/details/rpc/code").asInt()).isEqualTo(-32000);
            assertThat(chat.answer("p").get("type").asString()).isEqualTo("prompt_complete");
            JsonNode broken = chat.ask("q", ChatSocket.prompt(id, "q", "fail -32099 odd"));
            assertThat(broken.get("code").asString()).isEqualTo("agent_error");
            assertThat(broken.at("/details/rpc/message").asString()).isEqualTo("odd");
        }
    }

    @Test
    void wrongPhasesUnknownSessionsAndOversizedPromptsAreRefused() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            EdgeHub.Answer twice =
                    hub.call("POST", "/api/ambient/v1/sessions/" + id + "/start", null);
            assertThat(twice.status()).isEqualTo(409);
            JsonNode unknown = chat.ask("u", ChatSocket.prompt("none", "u", "hello"));
            assertThat(unknown.get("code").asString()).isEqualTo("unknown_session");
            ObjectNode large = Json.object().put("type", "prompt").put("id", "l");
            large.put("sessionId", id);
            var content = large.putArray("content");
            content.addObject().put("type", "text").put("text", "x".repeat(8 << 20));
            content.addObject().put("type", "text").put("text", "y".repeat(7 << 20));
            JsonNode tooLarge = chat.ask("l", Json.write(large));
            assertThat(tooLarge.get("code").asString()).isEqualTo("too_large");
            assertThat(chat.turn(id, "say fine")).as("the session goes on").isEqualTo("fine");
        }
    }

    // ACP-33: busy; beside others in one process a running turn gets no more rights than they have
    @Test
    void whatARunningTurnStandsInTheWayOfIsBusy() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("shared").get("sessionId").asString();
            chat.newSession("shared");
            chat.say(ChatSocket.prompt(id, "p", "say begun\nwait"));
            chat.hear(m -> ChatSocket.kind(m).equals("agent_message_chunk"), "the turn");
            String act =
                    "{\"type\":\"set_permission_mode\",\"id\":\"m\",\"mode\":\"act\",\"sessionId\":"
                            + "\""
                            + id
                            + "\"}";
            JsonNode refused = chat.ask("m", act);
            assertThat(refused.path("code").asString()).isEqualTo("busy");
            assertThat(refused.path("message").asString()).contains("Stop the turn first");
            chat.say("{\"type\":\"cancel\",\"sessionId\":\"" + id + "\"}");
            assertThat(chat.answer("p").path("stopReason").asString()).isEqualTo("cancelled");
            assertThat(chat.ask("m", act).path("type").asString()).isEqualTo("permission_mode");
        }
    }

    // ACP-33: internal; what the hub itself fails at ends that request only, and says what to do
    @Test
    void whatTheHubFailsAtIsInternal() throws Exception {
        String id =
                hub.call("POST", "/api/ambient/v1/sessions", Json.object().put("name", "one"))
                        .body()
                        .get("id")
                        .asString();
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            rename("messages", "elsewhere");
            try {
                JsonNode failed = chat.ask("p", ChatSocket.prompt(id, "p", "hello"));
                assertThat(failed.path("code").asString()).isEqualTo("internal");
                assertThat(failed.path("message").asString()).contains("Try again");
                assertThat(failed.path("sessionId").asString()).isEqualTo(id);
            } finally {
                rename("elsewhere", "messages");
            }
            assertThat(chat.ask("g", "{\"type\":\"ping\",\"id\":\"g\"}").path("type").asString())
                    .isEqualTo("pong");
        }
    }

    private static void rename(String table, String name) {
        hub.sessions()
                .store()
                .write(sql -> sql.update("ALTER TABLE " + table + " RENAME TO " + name));
    }

    // ACP-112 (on /ws): noise before the greeting and in a turn is no error
    @Test
    void garbageIsSkipped() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("noisy").get("sessionId").asString();
            assertThat(chat.turn(id, "garbage\nsay fine")).isEqualTo("fine");
        }
    }

    // ACP-156 (the agent's half): an agent that floods slows nobody else, and nothing of it is lost
    @Test
    void aFloodingAgentSlowsNobody() throws Exception {
        int pieces = 30_000;
        try (ChatSocket flooded = ChatSocket.tandem(hub);
                ChatSocket other = ChatSocket.tandem(hub)) {
            String flood = flooded.newSession("scripted").get("sessionId").asString();
            String calm = other.newSession("scripted").get("sessionId").asString();
            flooded.say(ChatSocket.prompt(flood, "f", "flood " + pieces));
            flooded.hear(m -> ChatSocket.kind(m).equals("agent_message_chunk"), "the flood");
            assertThat(other.turn(calm, "say calm")).isEqualTo("calm");
            JsonNode whole =
                    flooded.hear(
                            m ->
                                    m.path("whole").asBoolean(false)
                                            && ChatSocket.kind(m).equals("agent_message_chunk"),
                            "all of it");
            String text = whole.at("/update/content/text").asString();
            assertThat(text.split(" ")).hasSize(pieces);
            assertThat(text).startsWith("0 1 2 ").endsWith((pieces - 1) + " ");
        }
    }

    // Two hubs on one state dir: the second says who is there and what to do; the first goes on
    @Test
    void aSecondHubIsRefused() throws Exception {
        assertThatThrownBy(() -> new EdgeHub(folder))
                .hasMessageContaining("already runs on the state dir")
                .hasMessageContaining("http://127.0.0.1:" + hub.port())
                .hasMessageContaining("tandem stop");
        // OPS-L11: the doctor finds it by its lock where its own file was removed
        assertThat(folder.resolve("state/hub.lock"))
                .hasContent(Long.toString(ProcessHandle.current().pid()));
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            assertThat(chat.turn(id, "say still here")).isEqualTo("still here");
        }
    }

    // SETTLED 26: the agent named at start is that of sessions which name none
    @Test
    void theAgentOfTheStartIsUsed() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            JsonNode made = chat.ask("n", "{\"type\":\"new_session\",\"id\":\"n\"}");
            assertThat(made.get("agentId").asString()).isEqualTo("scripted");
        }
    }

    // The answer to an AskUserQuestion is the next message; until then the session waits for it
    @Test
    void aQuestionEndsTheTurnAndTheNextMessageAnswersIt() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            chat.say(
                    ChatSocket.prompt(
                            id,
                            "p",
                            "update {\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"q1\","
                                    + "\"title\":\"Ask\",\"name\":\"AskUserQuestion\",\"status\":"
                                    + "\"in_progress\",\"rawInput\":{\"questions\":[{\"question\":"
                                    + "\"Which?\",\"options\":[{\"label\":\"A\"}]}]}}\nwait"));
            JsonNode end = chat.answer("p");
            assertThat(end.get("stopReason").asString()).isEqualTo("end_turn");
            JsonNode session = hub.call("GET", "/api/ambient/v1/sessions/" + id, null).body();
            assertThat(session.get("phase").asString()).isEqualTo("Running");
            assertThat(session.get("agent_status").asString()).isEqualTo("waiting_input");
            JsonNode waiting =
                    hub.call(
                                    "GET",
                                    "/api/ambient/v1/sessions?search=agent_status%3D%27waiting_input%27",
                                    null)
                            .body();
            assertThat(waiting.get("items"))
                    .as("found by it")
                    .extracting(one -> one.get("id").asString())
                    .contains(id);
            chat.say(ChatSocket.prompt(id, "a", "say thanks"));
            JsonNode result =
                    chat.hear(
                            m ->
                                    m.path("whole").asBoolean(false)
                                            && ChatSocket.kind(m).equals("tool_call_update"),
                            "the answered question");
            assertThat(result.at("/update/toolCallId").asString()).isEqualTo("q1");
            assertThat(result.at("/update/status").asString()).isEqualTo("completed");
            assertThat(chat.answer("a").get("stopReason").asString()).isEqualTo("end_turn");
        }
    }
}

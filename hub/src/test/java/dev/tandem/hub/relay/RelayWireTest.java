package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.Timings;
import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import dev.tandem.protocol.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What messages of /ws hold: all that the agent said, and why something failed. */
@Timeout(180)
class RelayWireTest {
    /** Every update that agents know, the unstable ones and one of the future, each with extras. */
    private static final List<String> UPDATES =
            List.of(
                    "{'sessionUpdate':'user_message_chunk','content':{'type':'text','text':'u'},'x':1}",
                    "{'sessionUpdate':'agent_message_chunk','messageId':'m','x':[2.50],"
                            + "'content':{'type':'text','text':'a','annotations':{'priority':0.5}}}",
                    "{'sessionUpdate':'agent_thought_chunk','content':{'type':'odd','y':null}}",
                    "{'sessionUpdate':'tool_call','toolCallId':'t','title':'T','kind':'strange',"
                            + "'status':'dreaming','rawInput':{'a':[1]},'_meta':{'k':{'l':1}}}",
                    "{'sessionUpdate':'tool_call_update','toolCallId':'t','status':'completed',"
                            + "'title':null,'content':[{'type':'odd','z':{}}],'x':true}",
                    "{'sessionUpdate':'plan','entries':[{'content':'c','priority':'urgent',"
                            + "'status':'later','e':1}],'planId':'p','_meta':{'k':2}}",
                    "{'sessionUpdate':'available_commands_update','availableCommands':"
                            + "[{'name':'n','description':'d','input':{'hint':'h'},'x':1}]}",
                    "{'sessionUpdate':'current_mode_update','currentModeId':'code','x':1}",
                    "{'sessionUpdate':'config_option_update','configOptions':"
                            + "[{'id':'o','name':'O','type':'dial','currentValue':3,'x':1}]}",
                    "{'sessionUpdate':'session_info_update','title':null,'updatedAt':'u','x':1}",
                    "{'sessionUpdate':'usage_update','used':1,'size':2,"
                            + "'cost':{'amount':0.10,'currency':'EUR'},'x':1}",
                    "{'sessionUpdate':'notice','severity':'other','title':'t','description':'d'}",
                    "{'sessionUpdate':'compaction_update','compactionId':'c','status':'paused',"
                            + "'summary':[{'type':'text','text':'s'}],'x':1}",
                    "{'sessionUpdate':'compaction_summary_chunk','compactionId':'c',"
                            + "'content':{'type':'text','text':'s'}}",
                    "{'sessionUpdate':'plan_update','x':1}",
                    "{'sessionUpdate':'plan_removed','x':1}",
                    "{'sessionUpdate':'subagent_update','x':1}",
                    "{'sessionUpdate':'session_message','x':1}",
                    "{'sessionUpdate':'session_message_chunk','x':1}",
                    "{'sessionUpdate':'of_the_future','x':{'deep':[1,null,'\u2028']}}");

    @TempDir static Path folder;
    private static EdgeHub hub;

    @BeforeAll
    static void start() throws Exception {
        hub =
                new EdgeHub(
                        folder,
                        Timings.standard(),
                        Map.of(
                                "scripted",
                                ScriptedAgentCommand.argv(),
                                "models",
                                ScriptedAgentCommand.argv("--options=models"),
                                "plain",
                                ScriptedAgentCommand.argv("--caps={}", "--options=none"),
                                "rich",
                                ScriptedAgentCommand.argv(
                                        "--answer={\"_meta\":{\"k\":1},\"x\":[2.50]}"),
                                "early",
                                ScriptedAgentCommand.argv("--early"),
                                "fresh",
                                ScriptedAgentCommand.argv(),
                                "broken",
                                ScriptedAgentCommand.argv("--broken=oops"),
                                "future",
                                ScriptedAgentCommand.argv("--protocol=2")),
                        "");
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    // ACP-116 (told to those who watch): the state with exit code and last words, unasked
    @Test
    void whoWatchesIsToldThatAnAgentCrashed() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub);
                ChatSocket watcher = ChatSocket.tandem(hub);
                ChatSocket other = ChatSocket.tandem(hub)) {
            String id = open(chat, "scripted");
            watcher.ask(
                    "a", "{\"type\":\"attach\",\"id\":\"a\",\"sessionId\":\"%s\"}".formatted(id));
            chat.say(ChatSocket.prompt(id, "p", "die 7"));
            for (ChatSocket told : List.of(chat, watcher)) {
                JsonNode state = told.hear(m -> state(m).equals("exited"), "the crash");
                assertThat(state.get("agentId").asString()).isEqualTo("scripted");
                assertThat(state.get("sessionId").asString()).isEqualTo(id);
                assertThat(state.get("state").asString()).isEqualTo("exited");
                assertThat(state.get("exitCode").asInt()).isEqualTo(7);
                assertThat(state.get("stderrTail").valueStream().map(JsonNode::asString))
                        .contains("something terrible happened");
                told.hear("session_closed");
            }
            String stopped = open(other, "scripted");
            other.say("{\"type\":\"close_session\",\"sessionId\":\"%s\"}".formatted(stopped));
            other.hear("session_closed");
            assertThat(other.heard())
                    .as("neither who watches another session, nor a crash that was an end")
                    .noneMatch(m -> m.has("exitCode"));
        }
    }

    // ACP-116: in parts, for those who say it in another language
    @Test
    void howAnAgentEndedIsToldBesideTheWords() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = open(chat, "scripted");
            chat.say(ChatSocket.prompt(id, "p", "die 7"));
            for (String type : List.of("notice", "prompt_complete", "session_closed")) {
                JsonNode exit = chat.hear(type).path("exit");
                assertThat(exit.path("code").asInt(0)).as(type).isEqualTo(7);
                assertThat(exit.path("errorOutput").asString(""))
                        .as(type)
                        .contains("something terrible happened");
            }
        }
    }

    private static String state(JsonNode message) {
        return message.path("type").asString("").equals("agent_state")
                ? message.path("state").asString("")
                : "";
    }

    // W4, W7: those who watch follow the agent's process through all of its states
    @Test
    void whoWatchesFollowsTheAgentsStates() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = open(chat, "scripted");
            String about = "\"sessionId\":\"" + id + "\"}";
            chat.say("{\"type\":\"stop_session\"," + about);
            chat.hear(m -> state(m).equals("stopping"), "the agent stops");
            assertThat(state(chat.hear("agent_state"))).isEqualTo("exited");
            chat.hear("session_closed");
            chat.say("{\"type\":\"resume_session\",\"id\":\"r\"," + about);
            assertThat(state(chat.hear("agent_state"))).isEqualTo("starting");
            JsonNode ready = chat.hear("agent_state");
            assertThat(state(ready)).isEqualTo("ready");
            assertThat(ready.at("/agentInfo/name").asString()).isNotEmpty();
            assertThat(ready.path("capabilities").isObject()).isTrue();
            assertThat(chat.answer("r").path("type").asString()).isEqualTo("session_resumed");
        }
    }

    // W4: whoever asks for an agent at connect is told that it starts, then who it is
    @Test
    void anAgentNamedAtConnectStarts() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub, "\"agentId\":\"fresh\"")) {
            assertThat(state(chat.hear("agent_state"))).isEqualTo("starting");
            assertThat(state(chat.hear("agent_state"))).isEqualTo("ready");
        }
    }

    // ACP-37, ACP-50, ACP-C22: the agent's own object, for those who are there and who come later
    @Test
    void aPermissionRequestHoldsTheAgentsOwnToolCall() throws Exception {
        String call =
                """
                {"toolCallId":"t9","title":"Write \u202eit","kind":"odd","status":"pending",\
                "rawInput":{"path":"/a","n":2.50},"locations":[{"path":"/a","line":3}],\
                "content":[{"type":"diff","path":"/a","oldText":null,"newText":"b"}],\
                "x":{"y":[1,null]},"_meta":{"k":1}}\
                """;
        try (ChatSocket chat = ChatSocket.tandem(hub);
                ChatSocket late = ChatSocket.tandem(hub)) {
            String id = open(chat, "scripted");
            chat.say(ChatSocket.prompt(id, "p", "ask allow_once,reject_once " + call));
            JsonNode asked = chat.hear("permission_request");
            assertThat(asked.get("toolCall")).isEqualTo(Json.parse(call));
            assertThat(asked.get("summary").asString())
                    .as("what the card shows is clean (SEC-8)")
                    .isEqualTo("Write it");
            JsonNode attached =
                    late.ask(
                            "a",
                            "{\"type\":\"attach\",\"id\":\"a\",\"sessionId\":\"%s\"}"
                                    .formatted(id));
            assertThat(attached.at("/pendingPermissions/0/toolCall")).isEqualTo(Json.parse(call));
            answer(chat, asked);
            chat.answer("p");
        }
    }

    // SEC-25: a client that puts the card away because the user pressed Stop says no for nobody
    @Test
    void aCardThatGoesWithTheTurnWasNotRefused() throws Exception {
        String away =
                "{\"type\":\"permission_response\",\"requestId\":\"%s\",\"outcome\":{\"outcome\":\"cancelled\"}}";
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = open(chat, "scripted");
            chat.say(ChatSocket.prompt(id, "one", "ask allow_once,reject_once " + SAME + "\nwait"));
            String first = chat.hear("permission_request").get("requestId").asString();
            chat.say(away.formatted(first));
            chat.say("{\"type\":\"cancel\",\"sessionId\":\"" + id + "\"}");
            chat.answer("one");
            chat.say(ChatSocket.prompt(id, "two", "ask allow_once,reject_once " + SAME));
            JsonNode again = chat.hear("permission_request");
            assertThat(again.get("requestId").asString()).isNotEqualTo(first);
            chat.say(away.formatted(again.get("requestId").asString()));
            chat.answer("two");
            chat.say(ChatSocket.prompt(id, "three", "ask allow_once,reject_once " + SAME));
            JsonNode next =
                    chat.hear(
                            m -> isRequest(m) || m.path("id").asString("").equals("three"),
                            "the end of the third turn");
            assertThat(next.path("id").asString(""))
                    .as("put away without a stop, it is not asked again")
                    .isEqualTo("three");
        }
    }

    private static final String SAME = "{\"toolCallId\":\"same\",\"title\":\"Same\"}";

    private static boolean isRequest(JsonNode message) {
        return message.path("type").asString("").equals("permission_request");
    }

    // SEC-8: of a tool of ours no client can draw the agent's title as if it were what happens
    @Test
    void anAgentsRequestForAToolOfOursIsNamedAsTheToolIs() throws Exception {
        String call =
                "{\"toolCallId\":\"t8\",\"name\":\"browser__browser_tabs\",\"title\":\"Nothing at all\","
                        + "\"rawInput\":{},\"x\":1,\"_meta\":{\"big\":\"%s\"}}"
                                .formatted("m".repeat(70_000));
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = open(chat, "scripted");
            chat.say(ChatSocket.prompt(id, "p", "ask allow_once,reject_once " + call));
            JsonNode asked = chat.hear("permission_request");
            assertThat(asked.get("toolName").asString()).isEqualTo("browser_tabs");
            assertThat(asked.at("/toolCall/title")).isEqualTo(asked.get("summary"));
            assertThat(asked.at("/toolCall/x").asInt()).isEqualTo(1);
            assertThat(asked.get("toolCall").has("_meta")).as("too heavy, as in updates").isFalse();
            answer(chat, asked);
            chat.answer("p");
        }
    }

    private static void answer(ChatSocket chat, JsonNode asked) {
        chat.say(
                "{\"type\":\"permission_response\",\"requestId\":%s,\"optionId\":\"choice-2\"}"
                        .formatted(asked.get("requestId")));
    }

    private static String open(ChatSocket chat, String agent) throws Exception {
        return chat.newSession(agent).get("sessionId").asString();
    }

    // ACP-35, ACP-105: every variant, known or not, with all it holds
    @Test
    void everyUpdateArrivesAsTheAgentWroteIt() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = open(chat, "scripted");
            StringBuilder script = new StringBuilder();
            UPDATES.forEach(u -> script.append("update ").append(json(u)).append('\n'));
            chat.say(ChatSocket.prompt(id, "p", script.append("say done").toString()));
            for (String update : UPDATES) {
                JsonNode wanted = Json.parse(json(update));
                chat.hear(m -> m.path("update").equals(wanted), wanted.toString());
            }
            chat.answer("p");
            JsonNode plan = Json.parse(json(UPDATES.get(5)));
            try (ChatSocket late = ChatSocket.tandem(hub)) {
                late.say("{\"type\":\"attach\",\"id\":\"a\",\"sessionId\":\"" + id + "\"}");
                late.hear(m -> m.path("update").equals(plan), "the plan from the log");
            }
        }
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    // ACP-34, ACP-36: more fields of the agent's answers reach the client, now and from the log
    @Test
    void answersOfTheAgentAreWhole() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub);
                ChatSocket late = ChatSocket.tandem(hub)) {
            JsonNode made = chat.newSession("rich");
            assertThat(made.at("/_meta/k").asInt()).isEqualTo(1);
            assertThat(made.at("/x/0").asDouble()).isEqualTo(2.5);
            String id = made.get("sessionId").asString();
            assertThat(id).isNotEqualTo(made.get("agentSessionId").asString());
            String script =
                    "result {\"_meta\":{\"a\":{\"b\":1}},\"userMessageId\":\"u\",\"seq\":-1}\nsay x";
            chat.say(ChatSocket.prompt(id, "p", script));
            JsonNode end = chat.answer("p");
            late.say("{\"type\":\"attach\",\"id\":\"a\",\"sessionId\":\"" + id + "\"}");
            for (JsonNode one : List.of(end, late.hear("prompt_complete"))) {
                assertThat(one.get("stopReason").asString()).isEqualTo("end_turn");
                assertThat(one.at("/usage/totalTokens").asInt()).isEqualTo(12);
                assertThat(one.at("/_meta/a/b").asInt()).isEqualTo(1);
                assertThat(one.at("/userMessageId").asString()).isEqualTo("u");
                assertThat(one.at("/seq").asInt()).as("ours wins").isPositive();
            }
        }
    }

    // ACP-33, ACP-116: a line beyond the cap ends the agent, and the one who asked is told
    @Test
    void aLineWithoutEndEndsTheTurn() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = open(chat, "scripted");
            JsonNode error = chat.ask("p", ChatSocket.prompt(id, "p", "endless 67200000"));
            assertThat(error.path("code").asString()).isEqualTo("agent_protocol_error");
            assertThat(error.path("retryable").asBoolean()).isTrue();
            assertThat(error.path("message").asString()).contains("more than 64 MiB");
            assertThat(chat.answer("p").get("stopReason").asString()).isEqualTo("error");
        }
    }

    // ACP-49: the hub refuses what the agent does not take, too
    @Test
    void aPictureForAnAgentThatTakesNoneIsRefused() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = open(chat, "plain");
            for (String type : List.of("image", "audio", "resource")) {
                ObjectNode prompt = Json.object().put("type", "prompt").put("id", type);
                prompt.put("sessionId", id).putArray("content").addObject().put("type", type);
                chat.say(Json.write(prompt));
                // Said at once after a turn, a prompt may wait for that turn's last word.
                JsonNode error =
                        chat.hear(
                                m ->
                                        m.path("id").asString("").equals(type)
                                                && !m.path("type")
                                                        .asString("")
                                                        .equals("prompt_queued"),
                                type);
                assertThat(error.path("code").asString())
                        .as(error.toString())
                        .isEqualTo("unsupported");
                assertThat(error.get("message").asString()).contains("\"" + type + "\"");
                assertThat(chat.answer(type).get("stopReason").asString()).isEqualTo("error");
            }
        }
    }

    // ACP-33, ACP-46: a picture beyond the limit is refused whole, and the connection stays
    @Test
    void aPictureThatIsTooLargeIsRefused() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = open(chat, "scripted");
            ObjectNode prompt = Json.object().put("type", "prompt").put("id", "p");
            prompt.put("sessionId", id)
                    .putArray("content")
                    .addObject()
                    .put("type", "image")
                    .put("mimeType", "image/png")
                    .put("data", "A".repeat(11_184_816));
            JsonNode error = chat.ask("p", Json.write(prompt));
            assertThat(error.path("code").asString()).isEqualTo("too_large");
            assertThat(error.path("message").asString()).contains("8 MiB");
            assertThat(hub.sessions().log().after(id, 0, 10)).isEmpty();
            assertThat(chat.turn(id, "say still here")).isEqualTo("still here");
        }
    }

    // ACP-33: a start that fails keeps the agent's own error, and names what did not come about
    @Test
    void aStartThatFailsSaysWhy() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String wish = "{\"type\":\"new_session\",\"id\":\"n\",\"agentId\":\"%s\"%s}";
            JsonNode inside = chat.ask("n", wish.formatted("broken", ""));
            assertThat(inside.get("code").asString()).isEqualTo("agent_error");
            assertThat(inside.get("message").asString())
                    .startsWith("Failed to create session: Internal error");
            assertThat(inside.at("/details/rpc/code").asInt()).isEqualTo(-32603);
            assertThat(inside.at("/details/rpc/data/details").asString()).isEqualTo("It closed");
            JsonNode version = chat.ask("n", wish.formatted("future", ""));
            assertThat(version.get("code").asString()).isEqualTo("agent_version_unsupported");
            assertThat(version.get("message").asString()).startsWith("Failed to connect: ");
            String id =
                    chat.ask("n", wish.formatted("scripted", ",\"start\":false"))
                            .get("sessionId")
                            .asString();
            JsonNode early =
                    chat.ask(
                            "m",
                            "{\"type\":\"set_mode\",\"id\":\"m\",\"modeId\":\"x\",\"sessionId\":\"%s\"}"
                                    .formatted(id));
            assertThat(early.get("code").asString()).isEqualTo("not_connected");
            assertThat(early.get("message").asString()).isEqualTo("Not connected to agent");
        }
    }

    // ACP-34, ACP-110, ACP-L32: nothing is said of a session before it is said that there is one
    @Test
    void whatComesBeforeTheSessionIsToldAfterIt() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            chat.say("{\"type\":\"new_session\",\"id\":\"n\",\"agentId\":\"early\"}");
            JsonNode first =
                    chat.hear(
                            m ->
                                    m.path("type").asString("").equals("session_created")
                                            || m.path("type").asString("").equals("session_update"),
                            "the session");
            assertThat(first.get("type").asString()).isEqualTo("session_created");
            JsonNode early = chat.hear("session_update");
            assertThat(early.get("sessionId")).isEqualTo(first.get("sessionId"));
            assertThat(early.at("/update/availableCommands/0/name").asString()).isEqualTo("early");
        }
    }

    // ACP-L34: whole skill texts stay with the agent, live and in what a late client is told
    @Test
    void whatOnlyAgentsNeedDoesNotReachBrowsers() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = open(chat, "scripted");
            String heavy = "{\"blob\":\"" + "x".repeat(70_000) + "\"}";
            chat.say(
                    ChatSocket.prompt(
                            id,
                            "p",
                            """
                            update {"sessionUpdate":"available_commands_update","_meta":{"k":1},\
                            "availableCommands":[{"name":"n","description":"d","_meta":{"skill":1}}]}
                            update {"sessionUpdate":"tool_call","toolCallId":"t","title":"T",\
                            "content":[{"type":"content","content":{"type":"text","text":"w","_meta":%s}}]}
                            say done\
                            """
                                    .formatted(heavy)));
            JsonNode commands =
                    chat.hear(m -> ChatSocket.kind(m).equals("available_commands_update"), "them");
            assertThat(commands.get("update").toString())
                    .isEqualTo(
                            "{\"sessionUpdate\":\"available_commands_update\",\"_meta\":{\"k\":1},"
                                    + "\"availableCommands\":[{\"name\":\"n\",\"description\":\"d\"}]}");
            JsonNode tool = chat.hear(m -> ChatSocket.kind(m).equals("tool_call"), "the tool");
            assertThat(tool.at("/update/content/0/content").toString())
                    .isEqualTo("{\"type\":\"text\",\"text\":\"w\"}");
            chat.answer("p");
            try (ChatSocket late = ChatSocket.tandem(hub)) {
                JsonNode attached =
                        late.ask(
                                "a",
                                "{\"type\":\"attach\",\"id\":\"a\",\"sessionId\":\"%s\"}"
                                        .formatted(id));
                assertThat(attached.at("/agentState/commands").toString())
                        .isEqualTo("[{\"name\":\"n\",\"description\":\"d\"}]");
            }
        }
    }

    // ACP-55: what the agent does not say of its models is left out
    @Test
    void modelsHaveOnlyWhatIsKnownOfThem() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            open(chat, "models");
            JsonNode state = chat.hear("model_state");
            assertThat(state.get("source").asString()).isEqualTo("models");
            assertThat(state.get("availableModels"))
                    .hasSize(3)
                    .allSatisfy(model -> {
                        assertThat(model.has("provider") || model.has("description")).isFalse();
                        assertThat(model.get("id")).isEqualTo(model.get("modelId"));
                        assertThat(model.get("displayName")).isEqualTo(model.get("name"));
                    });
        }
    }

    // ACP-53: to choose nothing is an answer like every other, and taken once
    @Test
    void aSecondAnswerIsToldThatTheFirstOneCounts() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = open(chat, "scripted");
            chat.say(ChatSocket.prompt(id, "p", "ask allow_once,reject_once"));
            String request = chat.hear("permission_request").get("requestId").asString();
            String none =
                    "{\"type\":\"permission_response\",\"id\":\"r\",\"requestId\":\"%s\","
                            + "\"outcome\":{\"outcome\":\"cancelled\"}}";
            assertThat(chat.ask("r", none.formatted(request)).get("type").asString())
                    .isEqualTo("permission_accepted");
            chat.answer("p");
            assertThat(chat.ask("r", none.formatted(request)).path("code").asString())
                    .isEqualTo("already_resolved");
            assertThat(chat.ask("r", none.formatted("nobody")).path("code").asString())
                    .isEqualTo("not_found");
        }
    }

    // The list of one folder has the sessions that work there.
    @Test
    void sessionsOfAFolderAreListed() throws Exception {
        Path one = Files.createDirectories(folder.resolve("one")).toRealPath();
        Path two = Files.createDirectories(folder.resolve("two")).toRealPath();
        hub.sessions().engine().folders().register("default", one);
        hub.sessions().engine().folders().register("default", two);
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String here =
                    chat.newSession("scripted", cwd(one), "\"start\":false")
                            .get("sessionId")
                            .asString();
            chat.newSession("scripted", cwd(two), "\"start\":false");
            JsonNode listed =
                    chat.ask("l", "{\"type\":\"list_sessions\",\"id\":\"l\"," + cwd(one) + "}");
            assertThat(listed.get("sessions"))
                    .extracting(row -> row.get("sessionId").asString())
                    .containsExactly(here);
        }
    }

    private static String cwd(Path folder) {
        String field = Json.write(Json.object().put("cwd", folder.toString()));
        return field.substring(1, field.length() - 1);
    }
}

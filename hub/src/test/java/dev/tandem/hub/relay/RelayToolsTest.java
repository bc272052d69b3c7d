package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import dev.tandem.protocol.Json;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A chat client that runs browser tools for the sessions it made. */
@Timeout(180)
class RelayToolsTest {
    private static final String CALL = "mcp tools/call {\"name\":\"%s\",\"arguments\":%s}";

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

    private static void allow(ChatSocket chat) throws Exception {
        JsonNode card = chat.hear("permission_request");
        assertThat(card.get("source").asString()).isEqualTo("browser");
        chat.say(
                "{\"type\":\"permission_response\",\"requestId\":%s,\"optionId\":\"allow_once\"}"
                        .formatted(card.get("requestId")));
    }

    private static JsonNode said(ChatSocket chat) throws Exception {
        JsonNode message =
                chat.hear(
                        m ->
                                m.path("whole").asBoolean(false)
                                        && ChatSocket.kind(m).equals("agent_message_chunk"),
                        "the result");
        String text = message.at("/update/content/text").asString();
        assertThat(text).startsWith("mcp ");
        return Json.parse(text.substring(4));
    }

    private static void result(ChatSocket chat, JsonNode call, String result) {
        chat.say(
                "{\"type\":\"browser_tool_result\",\"callId\":%s,\"result\":%s}"
                        .formatted(call.get("callId"), result));
    }

    // ACP-31, ACP-38, ACP-68, ACP-73, ACP-74, ACP-75, ACP-76, ACP-77, ACP-L8, SEC-6 (the /ws half)
    @Test
    void theClientThatMadeTheSessionRunsItsTabTools() throws Exception {
        try (ChatSocket own = ChatSocket.tandem(hub, "\"browserTools\":true");
                ChatSocket other = ChatSocket.tandem(hub, "\"browserTools\":true");
                ChatSocket phone =
                        ChatSocket.tandem(hub, "\"browserTools\":true", "\"clientType\":\"web\"")) {
            String id = own.newSession("scripted").get("sessionId").asString();
            for (ChatSocket late : new ChatSocket[] {other, phone}) {
                late.say("{\"type\":\"attach\",\"id\":\"a\",\"sessionId\":\"" + id + "\"}");
                late.answer("a");
            }
            own.say(ChatSocket.prompt(id, "p", CALL.formatted("browser_tabs", "{}")));
            assertThat(own.heard().stream().map(m -> m.path("type").asString("")))
                    .doesNotContain("browser_tool_call");
            allow(own);
            JsonNode call = own.hear("browser_tool_call");
            assertThat(call.at("/params/action").asString()).isEqualTo("tabs");
            own.say(
                    "{\"type\":\"browser_tool_result\",\"callId\":\"foreign\",\"result\":{\"x\":1}}");
            result(
                    own,
                    call,
                    "{\"action\":\"tabs\",\"tabs\":[{\"id\":7,\"url\":\"https://a.test/\","
                            + "\"title\":\"Own tab\",\"active\":true}]}");
            JsonNode answer = said(own);
            assertThat(answer.get("id").asInt()).isEqualTo(1);
            assertThat(answer.at("/result/structuredContent/tabs/0/id").asInt()).isEqualTo(7);
            assertThat(answer.at("/result/isError").asBoolean(false)).isFalse();
            own.answer("p");
            result(own, call, "{\"action\":\"tabs\",\"tabs\":[]}");
            phone.say(
                    "{\"type\":\"browser_tool_result\",\"id\":\"f\",\"callId\":\"x\",\"result\":{}}");
            assertThat(phone.answer("f").get("type").asString()).isEqualTo("error");
            for (ChatSocket watcher : new ChatSocket[] {other, phone}) {
                assertThat(watcher.heard().stream().map(m -> m.path("type").asString("")))
                        .doesNotContain("browser_tool_call");
            }
        }
    }

    // ACP-76: a client written from the protocol's first page sends the tabs and nothing around
    @Test
    void theTabsAloneAreAResult() throws Exception {
        try (ChatSocket own = ChatSocket.tandem(hub, "\"browserTools\":true")) {
            String id = own.newSession("scripted").get("sessionId").asString();
            own.say(ChatSocket.prompt(id, "p", CALL.formatted("browser_tabs", "{}")));
            allow(own);
            result(own, own.hear("browser_tool_call"), "[{\"id\":7,\"title\":\"Own tab\"}]");
            JsonNode answer = said(own);
            assertThat(answer.at("/result/isError").asBoolean(false)).as("" + answer).isFalse();
            assertThat(answer.at("/result/structuredContent/action").asString()).isEqualTo("tabs");
            assertThat(answer.at("/result/structuredContent/tabs/0/id").asInt()).isEqualTo(7);
        }
    }

    // SEC-6: a refusal reaches the agent and the client is never asked
    @Test
    void aRefusedToolIsNeverAskedFor() throws Exception {
        try (ChatSocket own = ChatSocket.tandem(hub, "\"browserTools\":true")) {
            String id = own.newSession("scripted").get("sessionId").asString();
            own.say(
                    ChatSocket.prompt(
                            id,
                            "p",
                            CALL.formatted("browser_execute", "{\"tabId\":7,\"script\":\"1\"}")));
            JsonNode list = own.hear("browser_tool_call");
            assertThat(list.at("/params/action").asString())
                    .as("only to learn where tab 7 is")
                    .isEqualTo("tabs");
            result(
                    own,
                    list,
                    "{\"action\":\"tabs\",\"tabs\":[{\"id\":7,\"url\":\"https://bank.test/x\"}]}");
            JsonNode card = own.hear("permission_request");
            assertThat(card.get("origin").asString()).isEqualTo("https://bank.test");
            assertThat(card.get("risk").asString()).isEqualTo("sensitive");
            own.say(
                    "{\"type\":\"permission_response\",\"requestId\":%s,\"optionId\":\"reject_once\"}"
                            .formatted(card.get("requestId")));
            assertThat(said(own).at("/result/isError").asBoolean()).isTrue();
            own.answer("p");
            assertThat(own.heard().stream().map(m -> m.path("type").asString("")))
                    .doesNotContain("browser_tool_call");
        }
    }

    // ACP-L8: a socket that closes fails its own calls, and nobody else's
    @Test
    void aClientThatLeavesFailsItsCall() throws Exception {
        ChatSocket own = ChatSocket.tandem(hub, "\"browserTools\":true");
        try (ChatSocket watcher = ChatSocket.tandem(hub)) {
            String id = own.newSession("scripted").get("sessionId").asString();
            watcher.say("{\"type\":\"attach\",\"id\":\"a\",\"sessionId\":\"" + id + "\"}");
            watcher.answer("a");
            own.say(ChatSocket.prompt(id, "p", CALL.formatted("browser_tabs", "{}")));
            allow(own);
            own.hear("browser_tool_call");
            own.close();
            JsonNode failed = said(watcher);
            assertThat(failed.at("/result/isError").asBoolean()).isTrue();
            assertThat(failed.at("/result/content/0/text").asString()).contains("gone");
        } finally {
            own.close();
        }
    }
}

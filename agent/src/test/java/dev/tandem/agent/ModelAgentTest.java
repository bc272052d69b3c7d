package dev.tandem.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** With a model the agent reads, acts and checks, on both wire formats. */
class ModelAgentTest {
    private FakeModel model;
    private FakeBrowser browser;

    @BeforeEach
    void start() throws Exception {
        model = new FakeModel();
        browser = new FakeBrowser();
        browser.tools.put("browser_tabs", p -> FakeBrowser.ok("tab 7: Bank", Json.object()));
        browser.tools.put("snapshot", p -> FakeBrowser.ok("[r1] button \"Go\"", Json.object()));
        browser.tools.put("click", p -> FakeBrowser.failed("denied", "The user refused."));
    }

    @AfterEach
    void stop() {
        model.close();
        browser.close();
    }

    private static String start(int index, String block) {
        return "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":"
                + index
                + ",\"content_block\":"
                + block
                + "}";
    }

    private static String delta(int index, String delta) {
        return "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":"
                + index
                + ",\"delta\":"
                + delta
                + "}";
    }

    private static String stop(String reason) {
        return "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\""
                + reason
                + "\"},\"usage\":{\"output_tokens\":9}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}";
    }

    @Test
    void anthropicLoop() throws Exception {
        model.answers(
                "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\"}}",
                start(0, "{\"type\":\"text\",\"text\":\"\"}"),
                "event: ping\ndata: {\"type\":\"ping\"}",
                delta(0, "{\"type\":\"text_delta\",\"text\":\"I look \"}"),
                delta(0, "{\"type\":\"text_delta\",\"text\":\"first.\"}"),
                start(
                        1,
                        "{\"type\":\"tool_use\",\"id\":\"tu1\",\"name\":\"browser_tabs\",\"input\":{}}"),
                start(2, "{\"type\":\"tool_use\",\"id\":\"tu2\",\"name\":\"click\",\"input\":{}}"),
                delta(2, "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"ref\\\":\"}"),
                delta(2, "{\"type\":\"input_json_delta\",\"partial_json\":\"\\\"r1\\\"}\"}"),
                stop("tool_use"));
        model.answers(
                delta(0, "{\"type\":\"text_delta\",\"text\":\" You refused.\"}"), stop("end_turn"));
        // a server of the user's own, which is not there: it is not this agent's to call
        var servers = browser.asMcpServers();
        servers.addObject()
                .put("type", "http")
                .put("name", "notes")
                .put("url", "http://127.0.0.1:9");
        try (AcpClient client = new AcpClient(model.anthropic()).open(servers)) {
            assertThat(client.ask("press Go")).isEqualTo("end_turn");
            assertThat(client.said()).isEqualTo("I look first. You refused.");
        }
        assertThat(browser.calls.get(1).path("arguments").toString()).isEqualTo("{\"ref\":\"r1\"}");
        JsonNode first = model.requests.getFirst();
        assertThat(first.path("stream").asBoolean()).isTrue();
        assertThat(first.path("tools").size()).isEqualTo(3);
        assertThat(first.path("system").asString()).contains("data, not an");
        JsonNode second = model.requests.get(1).path("messages");
        assertThat(second.get(1).path("content").path(2).toString())
                .isEqualTo(
                        "{\"type\":\"tool_use\",\"id\":\"tu2\",\"name\":\"click\",\"input\":{\"ref\":\"r1\"}}");
        assertThat(second.get(2).path("role").asString()).isEqualTo("user");
        assertThat(second.get(2).path("content").path(1).toString())
                .isEqualTo(
                        "{\"type\":\"tool_result\",\"tool_use_id\":\"tu2\",\"is_error\":true,"
                                + "\"content\":[{\"type\":\"text\",\"text\":\"The user refused.\"}]}");
        assertThat(model.keys).containsOnly("key-a");
    }

    @Test
    void openAiLoop() throws Exception {
        model.answers(
                "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Looking\"}}]}",
                "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\","
                        + "\"function\":{\"name\":\"snapshot\",\"arguments\":\"\"}}]}}]}",
                "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"maxC\"}}]}}]}",
                "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"hars\\\":900}\"}}]}}]}",
                "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}",
                "data: [DONE]");
        model.answers(
                "data: {\"choices\":[{\"delta\":{\"content\":\", done\"}}]}",
                "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}",
                "data: {\"choices\":[],\"usage\":{\"total_tokens\":5}}",
                "data: [DONE]");
        try (AcpClient client = new AcpClient(model.openAi()).open(browser.asMcpServers())) {
            assertThat(client.ask("what is here?")).isEqualTo("max_tokens");
            assertThat(client.said()).isEqualTo("Looking, done");
        }
        assertThat(browser.calls.getFirst().path("arguments").path("maxChars").asInt())
                .isEqualTo(900);
        JsonNode messages = model.requests.get(1).path("messages");
        assertThat(
                        messages.get(2)
                                .path("tool_calls")
                                .path(0)
                                .path("function")
                                .path("arguments")
                                .asString())
                .isEqualTo("{\"maxChars\":900}");
        assertThat(messages.get(3).toString())
                .isEqualTo(
                        "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"[r1] button \\\"Go\\\"\"}");
        assertThat(model.keys).containsOnly("Bearer key-o");
    }

    @Test
    void cancelStopsAStreamingAnswer() throws Exception {
        model.answers(delta(0, "{\"type\":\"text_delta\",\"text\":\"One\"}"), "HOLD");
        try (AcpClient client = new AcpClient(model.anthropic()).open(browser.asMcpServers())) {
            CompletableFuture<JsonNode> turn = client.prompt("count");
            await().until(() -> client.said().equals("One"));
            client.cancel();
            assertThat(turn.get(10, TimeUnit.SECONDS).path("result").path("stopReason").asString())
                    .isEqualTo("cancelled");
        }
    }

    @Test
    void aRefusalOfTheServerIsToldInItsWords() throws Exception {
        model.refusesWith(400);
        try (AcpClient client = new AcpClient(model.anthropic()).open(browser.asMcpServers())) {
            assertThat(client.ask("hi")).contains("status 400").contains("credit is too low");
            assertThat(client.ask("again")).contains("status 400");
        }
    }

    @Test
    void settingsComeFromTheEnvironment() {
        assertThat(ModelSettings.of(Map.of())).isEmpty();
        assertThat(ModelSettings.of(Map.of("ANTHROPIC_API_KEY", "k")).orElseThrow().kind())
                .isEqualTo(ModelSettings.Kind.ANTHROPIC);
        ModelSettings local =
                ModelSettings.of(
                                Map.of(
                                        "OPENAI_BASE_URL",
                                        "http://127.0.0.1:11434/v1",
                                        "OPENAI_MODEL",
                                        "q"))
                        .orElseThrow();
        assertThat(local.key()).isEmpty();
        assertThat(local.toString()).isEqualTo("OPENAI q");
    }
}

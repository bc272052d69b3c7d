package dev.tandem.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Models that are busy, break off, or say what makes no sense. */
class ModelTroubleTest {
    private static final String ANTHROPIC_END =
            "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n"
                    + "data: {\"type\":\"message_stop\"}";
    private static final String OPENAI_END =
            "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}";

    private FakeModel model;
    private FakeBrowser browser;

    @BeforeEach
    void start() throws Exception {
        model = new FakeModel();
        browser = new FakeBrowser();
        browser.tools.put("snapshot", p -> FakeBrowser.ok("a page", Json.object()));
        browser.tools.put("close", p -> FakeBrowser.ok("closed", Json.object()));
    }

    @AfterEach
    void stop() {
        model.close();
        browser.close();
    }

    private AcpClient client(ModelSettings.Kind kind) throws Exception {
        return new AcpClient(model.brain(kind, "key", "m")).open(browser.asMcpServers());
    }

    private static String said(ModelSettings.Kind kind, String text) {
        return kind == ModelSettings.Kind.ANTHROPIC
                ? "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
                        + "{\"type\":\"text_delta\",\"text\":\""
                        + text
                        + "\"}}"
                : "data: {\"choices\":[{\"delta\":{\"content\":\"" + text + "\"}}]}";
    }

    private static String end(ModelSettings.Kind kind) {
        return kind == ModelSettings.Kind.ANTHROPIC ? ANTHROPIC_END : OPENAI_END;
    }

    @ParameterizedTest
    @EnumSource
    void whatBreaksOffIsNoAnswer(ModelSettings.Kind kind) throws Exception {
        model.answers(said(kind, "Half an ans"));
        model.answers(said(kind, "Whole."), end(kind));
        try (AcpClient client = client(kind)) {
            assertThat(client.ask("hi")).contains("broke off", "send your message again");
            assertThat(client.ask("hi")).isEqualTo("end_turn");
            assertThat(client.said()).isEqualTo("Half an ansWhole.");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatBreaksOffIsNotMade(ModelSettings.Kind kind) throws Exception {
        model.answers(
                kind == ModelSettings.Kind.ANTHROPIC
                        ? "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
                                + "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"close\"}}"
                        : "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"t\","
                                + "\"function\":{\"name\":\"close\",\"arguments\":\"{\"}}]}}]}");
        try (AcpClient client = client(kind)) {
            assertThat(client.ask("close it")).contains("broke off");
        }
        assertThat(browser.calls).isEmpty();
    }

    @Test
    void brokenArgumentsAreToldToTheModelAndNotRun() throws Exception {
        model.answers(
                "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
                        + "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"close\",\"input\":{}}}",
                "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
                        + "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"name\\\":\\\"a\"}}",
                "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"max_tokens\"}}");
        model.answers(said(ModelSettings.Kind.ANTHROPIC, "Sorry."), ANTHROPIC_END);
        try (AcpClient client = client(ModelSettings.Kind.ANTHROPIC)) {
            assertThat(client.ask("close it")).isEqualTo("end_turn");
        }
        assertThat(browser.calls).isEmpty();
        JsonNode result = model.requests.get(1).at("/messages/2/content/0");
        assertThat(result.path("is_error").asBoolean()).isTrue();
        assertThat(result.toString()).contains("Nothing was done");
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503, 529})
    void aBusyModelIsAskedAgain(int code) throws Exception {
        model.refusesFirst(code, code);
        model.answers(said(ModelSettings.Kind.ANTHROPIC, "Here."), ANTHROPIC_END);
        try (AcpClient client = client(ModelSettings.Kind.ANTHROPIC)) {
            assertThat(client.ask("hi")).isEqualTo("end_turn");
            assertThat(client.said()).isEqualTo("Here.");
        }
        assertThat(model.requests).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({
        "401,1,Check the key",
        "404,1,name of the model",
        "400,1,credit is too low",
        "429,4,Try again later",
        "529,4,overloaded"
    })
    void whatDoesNotGetBetterSaysWhatToDo(int code, int tries, String words) throws Exception {
        model.refusesWith(code);
        try (AcpClient client = client(ModelSettings.Kind.OPENAI)) {
            assertThat(client.ask("hi")).contains("status " + code, "credit is too low", words);
        }
        assertThat(model.requests).hasSize(tries);
    }

    @Test
    void nobodyWaitsForMinutes() throws Exception {
        model.retryAfter = "3600";
        model.refusesWith(429);
        try (AcpClient client = client(ModelSettings.Kind.OPENAI)) {
            assertThat(client.ask("hi")).contains("status 429");
        }
        assertThat(model.requests).hasSize(1);
    }

    @Test
    void anEmptyAnswerDoesNotSpoilTheNextRequest() throws Exception {
        model.answers(ANTHROPIC_END);
        model.answers(said(ModelSettings.Kind.ANTHROPIC, "Now."), ANTHROPIC_END);
        try (AcpClient client = client(ModelSettings.Kind.ANTHROPIC)) {
            assertThat(client.ask("hi")).isEqualTo("end_turn");
            assertThat(client.ask("and?")).isEqualTo("end_turn");
        }
        assertThat(model.requests.get(1).path("messages").valueStream())
                .allMatch(message -> !message.path("content").isEmpty());
    }

    @Test
    void callsArePutTogetherHoweverAServerNumbersThem() throws Exception {
        String piece =
                "{\"index\":0,\"id\":\"%s\",\"function\":{\"name\":\"snapshot\",\"arguments\":\"%s\"}}";
        String calls = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[%s]}}]}";
        model.answers(
                calls.formatted(piece.formatted("a", "{\\\"maxChars\\\":")),
                calls.formatted(piece.formatted("a", "500}")),
                calls.formatted(piece.formatted("b", "{\\\"maxChars\\\":600}")),
                "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}",
                "data: [DONE]");
        model.answers(said(ModelSettings.Kind.OPENAI, "Done."), "data: [DONE]");
        try (AcpClient client = client(ModelSettings.Kind.OPENAI)) {
            assertThat(client.ask("look twice")).isEqualTo("end_turn");
        }
        assertThat(browser.calls)
                .extracting(call -> call.at("/arguments/maxChars").asInt())
                .containsExactlyInAnyOrder(500, 600);
        assertThat(model.requests.get(1).path("messages").valueStream())
                .filteredOn(message -> message.has("tool_call_id"))
                .extracting(message -> message.path("tool_call_id").asString())
                .containsExactly("a", "b");
    }

    @Test
    void aPastedKeyIsNeverShown() throws Exception {
        model.answers(said(ModelSettings.Kind.ANTHROPIC, "Hi."), ANTHROPIC_END);
        ModelBrain brain = model.brain(ModelSettings.Kind.ANTHROPIC, " sk-secret\n", "m");
        try (AcpClient client = new AcpClient(brain).open(browser.asMcpServers())) {
            assertThat(client.ask("hi")).isEqualTo("end_turn");
        }
        assertThat(model.keys).containsOnly("sk-secret");
    }

    @Test
    void toolsThatAChatOffersLaterAreSeen() throws Exception {
        for (int i = 0; i < 2; i++) {
            model.answers(said(ModelSettings.Kind.ANTHROPIC, "Hi."), ANTHROPIC_END);
        }
        try (AcpClient client = client(ModelSettings.Kind.ANTHROPIC)) {
            client.ask("one");
            browser.tools.put("pick_colour", p -> FakeBrowser.ok("red", Json.object()));
            client.ask("two");
        }
        assertThat(model.requests.get(0).path("tools").toString()).doesNotContain("pick_colour");
        assertThat(model.requests.get(1).path("tools").toString()).contains("pick_colour");
    }

    @Test
    void oneSenselessRequestDoesNotEndTheAgent() throws Exception {
        try (AcpClient client = client(ModelSettings.Kind.ANTHROPIC)) {
            JsonNode answer = client.call("session/new", Json.object().put("cwd", "/a\u0000b"));
            assertThat(answer.path("error").path("code").asInt()).isNegative();
            assertThat(client.call("initialize", Json.object()).has("result")).isTrue();
        }
    }
}

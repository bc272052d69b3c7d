package dev.tandem.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** DESIGN 5: however long a conversation becomes, what the model is sent fits and makes sense. */
class WindowTest {
    private static final int MOST = 260_000;

    private FakeModel model;
    private FakeBrowser browser;

    @BeforeEach
    void start() throws Exception {
        model = new FakeModel();
        browser = new FakeBrowser();
        browser.tools.put("snapshot", p -> FakeBrowser.ok("s".repeat(60_000), Json.object()));
        browser.tools.put("type", p -> FakeBrowser.ok("typed", Json.object()));
    }

    @AfterEach
    void stop() {
        model.close();
        browser.close();
    }

    private AcpClient client(ModelSettings.Kind kind) throws Exception {
        return new AcpClient(model.brain(kind, "key", "m")).open(browser.asMcpServers());
    }

    private static boolean isAnthropic(ModelSettings.Kind kind) {
        return kind == ModelSettings.Kind.ANTHROPIC;
    }

    private void says(ModelSettings.Kind kind, String text) {
        if (isAnthropic(kind)) {
            model.answers(
                    "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
                            + "{\"type\":\"text_delta\",\"text\":\"%s\"}}".formatted(text),
                    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}");
        } else {
            model.answers(
                    "data: {\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}".formatted(text),
                    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}");
        }
    }

    /** Wants one tool, that often at once, each time with this text. */
    private void wants(ModelSettings.Kind kind, String tool, int times, String text) {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            String id = "call" + model.requests.size() + "-" + events.size() + "-" + text.length();
            events.add(
                    isAnthropic(kind)
                            ? ("data: {\"type\":\"content_block_start\",\"index\":%d,\"content_block\":"
                                            + "{\"type\":\"tool_use\",\"id\":\"%s\",\"name\":\"%s\","
                                            + "\"input\":{\"text\":\"%s\"}}}")
                                    .formatted(i, id, tool, text)
                            : ("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":%d,\"id\":\"%s\","
                                            + "\"function\":{\"name\":\"%s\","
                                            + "\"arguments\":\"{\\\"text\\\":\\\"%s\\\"}\"}}]}}]}")
                                    .formatted(i, id, tool, text));
        }
        events.add(
                isAnthropic(kind)
                        ? "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}"
                        : "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}");
        model.answers(events.toArray(String[]::new));
    }

    /** Every request fits, begins with the user, and has each call followed by its results. */
    private void checkRequests() {
        for (JsonNode request : model.requests) {
            JsonNode messages = request.path("messages");
            assertThat(messages.toString().length()).isLessThan(MOST);
            List<String> roles =
                    messages.valueStream()
                            .map(message -> message.path("role").asString())
                            .filter(role -> !role.equals("system"))
                            .toList();
            assertThat(roles.getFirst()).isEqualTo("user");
            List<String> open = new ArrayList<>();
            for (JsonNode message : messages) {
                List<String> answered = answered(message);
                assertThat(answered).isSubsetOf(open);
                open.removeAll(answered);
                if (answered.isEmpty()) {
                    assertThat(open).as("calls without results").isEmpty();
                }
                open.addAll(wanted(message));
            }
            assertThat(open).isEmpty();
        }
    }

    private static List<String> wanted(JsonNode message) {
        List<String> ids = new ArrayList<>();
        message.path("tool_calls").forEach(call -> ids.add(Json.text(call, "id")));
        for (JsonNode block : message.path("content")) {
            if (Json.text(block, "type").equals("tool_use")) {
                ids.add(Json.text(block, "id"));
            }
        }
        return ids;
    }

    private static List<String> answered(JsonNode message) {
        List<String> ids = new ArrayList<>();
        if (message.has("tool_call_id")) {
            ids.add(Json.text(message, "tool_call_id"));
        }
        for (JsonNode block : message.path("content")) {
            if (Json.text(block, "type").equals("tool_result")) {
                ids.add(Json.text(block, "tool_use_id"));
            }
        }
        return ids;
    }

    private String lastSent() {
        return model.requests.getLast().toString();
    }

    @ParameterizedTest
    @EnumSource
    void theOldestTurnsGoFirst(ModelSettings.Kind kind) throws Exception {
        try (AcpClient client = client(kind)) {
            for (int i = 1; i <= 5; i++) {
                says(kind, "answer" + i + "-" + "a".repeat(30_000));
                assertThat(client.ask("prompt" + i + "-" + "p".repeat(40_000)))
                        .isEqualTo("end_turn");
            }
        }
        checkRequests();
        assertThat(lastSent())
                .contains("prompt5-" + "p".repeat(40_000), "answer4-", "prompt4-", "prompt3-")
                .doesNotContain("prompt1-", "answer1-")
                .contains("parts of this conversation were left out");
        assertThat(model.requests.getFirst().toString()).doesNotContain("were left out");
    }

    @ParameterizedTest
    @EnumSource
    void picturesGoBeforeWords(ModelSettings.Kind kind) throws Exception {
        try (AcpClient client = client(kind)) {
            for (int i = 1; i <= 2; i++) {
                says(kind, "seen");
                assertThat(client.ask(pictures("words" + i, "UElD" + i, 20))).isEqualTo("end_turn");
            }
        }
        checkRequests();
        assertThat(lastSent()).contains("words1", "an older picture, left out");
        assertThat(lastSent().split("UElD2", -1)).as("the newest are whole").hasSize(21);
        int older = lastSent().split("UElD1", -1).length - 1;
        assertThat(older).as("only as many go as must").isBetween(5, 15);
    }

    private static ArrayNode pictures(String text, String data, int count) {
        ArrayNode blocks = Json.array();
        blocks.addObject().put("type", "text").put("text", text);
        for (int i = 0; i < count; i++) {
            blocks.addObject().put("type", "image").put("mimeType", "image/png").put("data", data);
        }
        return blocks;
    }

    @ParameterizedTest
    @EnumSource
    void oldResultsGoBeforeTheirCalls(ModelSettings.Kind kind) throws Exception {
        int steps = 9;
        for (int i = 1; i <= steps; i++) {
            wants(kind, "snapshot", 1, "look" + "k".repeat(i));
        }
        says(kind, "done");
        try (AcpClient client = client(kind)) {
            assertThat(client.ask("compare")).isEqualTo("end_turn");
        }
        checkRequests();
        assertThat(lastSent()).contains("look" + "k", "look" + "k".repeat(steps), "compare");
        int left = lastSent().split("an older result, left out", -1).length - 1;
        assertThat(left).as("only as many go as must").isBetween(3, 5);
        assertThat(lastSent()).contains("s".repeat(40_000)).doesNotContain("were left out");
    }

    @ParameterizedTest
    @EnumSource
    void aLongTurnLosesItsOldestStepsInPairs(ModelSettings.Kind kind) throws Exception {
        int steps = 12;
        for (int i = 0; i < steps; i++) {
            wants(kind, "type", 1, "x".repeat(30_000 + i));
        }
        wants(kind, "snapshot", 1, "last");
        says(kind, "done");
        try (AcpClient client = client(kind)) {
            assertThat(client.ask("fill " + "it".repeat(20_000))).isEqualTo("end_turn");
        }
        checkRequests();
        assertThat(lastSent())
                .contains("fill " + "it".repeat(20_000), "s".repeat(40_000))
                .contains("x".repeat(30_000 + steps - 1));
    }

    @ParameterizedTest
    @EnumSource
    void newestResultsAreCutWhereTheyDoNotFitBesideThePrompt(ModelSettings.Kind kind)
            throws Exception {
        wants(kind, "snapshot", 6, "t");
        says(kind, "done");
        String prompt = "p".repeat(200_000);
        try (AcpClient client = client(kind)) {
            assertThat(client.ask(prompt)).isEqualTo("end_turn");
        }
        checkRequests();
        assertThat(lastSent()).contains(prompt, "s".repeat(2_000), "cut; ask for less");
    }

    @ParameterizedTest
    @EnumSource
    void aPromptThatAloneIsTooLongIsRefused(ModelSettings.Kind kind) throws Exception {
        says(kind, "here");
        try (AcpClient client = client(kind)) {
            assertThat(client.ask("p".repeat(300_000)))
                    .contains("too long for the model", "240,000 fit", "Send less");
            assertThat(model.requests).isEmpty();
            assertThat(client.ask("hi")).isEqualTo("end_turn");
        }
        checkRequests();
        assertThat(lastSent()).doesNotContain("ppp");
    }
}

package dev.tandem.hub.ambient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.Timings;
import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import dev.tandem.protocol.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The runs of a real hub's sessions, told in AG-UI's words as they happen. */
@Timeout(120)
class RunEventsTest {
    private static final String BASE = "/api/ambient/v1/sessions";

    @TempDir static Path folder;
    private static EdgeHub hub;

    @BeforeAll
    static void start() throws Exception {
        Map<String, List<String>> agents =
                Map.of(
                        "scripted",
                        ScriptedAgentCommand.argv(),
                        "broken",
                        ScriptedAgentCommand.argv("--exit=7"));
        hub = new EdgeHub(folder, Timings.standard(), agents, "scripted");
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    private static String session() throws Exception {
        return session("scripted");
    }

    private static String session(String agent) throws Exception {
        String annotations = Json.write(Json.object().put("tandem/agent", agent));
        ObjectNode body = Json.object().put("name", "s").put("annotations", annotations);
        return hub.call("POST", BASE, body).body().get("id").asString();
    }

    // AMB-205, AMB-206, AMB-L53, AMB-L54
    @Test
    void everyListenerHearsEveryRun() throws Exception {
        String id = session();
        String path = BASE + "/" + id;
        try (EdgeHub.Lines one = hub.lines(path + "/events");
                EdgeHub.Lines two = hub.lines(path + "/events")) {
            assertThat(one.response.statusCode()).isEqualTo(200);
            hub.call("POST", path + "/messages", "{\"payload\":\"say one\"}");
            hub.call("POST", path + "/start", null);
            List<JsonNode> first = run(one);
            hub.call(
                    "POST",
                    path + "/messages",
                    "{\"payload\":\"update {\\\"sessionUpdate\\\":\\\"tool_call\\\","
                            + "\\\"toolCallId\\\":\\\"t1\\\",\\\"title\\\":\\\"Look\\\","
                            + "\\\"status\\\":\\\"completed\\\",\\\"rawInput\\\":{\\\"a\\\":1}}"
                            + "\\nsay two\\nfail -32000 broken\"}");
            List<JsonNode> second = run(one);
            assertThat(types(first))
                    .containsSubsequence(
                            "RUN_STARTED",
                            "TEXT_MESSAGE_START",
                            "TEXT_MESSAGE_CONTENT",
                            "TEXT_MESSAGE_END",
                            "RUN_FINISHED");
            assertThat(types(second))
                    .containsSubsequence(
                            "RUN_STARTED",
                            "TOOL_CALL_START",
                            "TOOL_CALL_ARGS",
                            "TOOL_CALL_END",
                            "TOOL_CALL_RESULT",
                            "TEXT_MESSAGE_CONTENT",
                            "RUN_ERROR");
            assertThat(types(run(two))).isEqualTo(types(first));
            assertThat(types(run(two))).isEqualTo(types(second));
            for (JsonNode event : second) {
                assertThat(event.get("event_type")).isEqualTo(event.get("type"));
            }
            JsonNode tool = of(second, "TOOL_CALL_START");
            assertThat(tool.get("toolCallName").asString()).isEqualTo("Look");
            assertThat(tool.get("tool_name").asString()).isEqualTo("Look");
            JsonNode error = of(second, "RUN_ERROR");
            assertThat(error.get("message").asString()).contains("broken");
            assertThat(error.get("error")).isEqualTo(error.get("message"));
        }
        try (EdgeHub.Lines follow = hub.lines(path + "/events?until=run_finished&snapshot=true")) {
            JsonNode snapshot = follow.data().orElseThrow();
            assertThat(snapshot.get("type").asString()).isEqualTo("MESSAGES_SNAPSHOT");
            assertThat(snapshot.get("messages").get(0).get("content").asString())
                    .isEqualTo("say one");
            hub.call("POST", path + "/messages", "{\"payload\":\"say three\"}");
            run(follow);
            assertThat(follow.data()).isEmpty();
        }
        hub.call("POST", path + "/stop", null);
    }

    /** Sends a prompt as JSON, whatever stands in it. */
    private static void say(String id, String words) throws Exception {
        hub.call("POST", BASE + "/" + id + "/messages", Json.object().put("payload", words));
    }

    // Clients read at most 1 MiB a line: longer words come in pieces, results and news are cut
    @Test
    void noLineOfEventsIsTooLongForItsReaders() throws Exception {
        String id = session();
        int letters = 1_500_000;
        String large = "x".repeat(letters / 10);
        String tool =
                "update {\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"t\",\"title\":\"T\",\"status\":"
                        + "\"completed\",\"rawInput\":{\"a\":\""
                        + large
                        + "\"},\"rawOutput\":{\"b\":\""
                        + large
                        + "\"}}";
        hub.call("POST", BASE + "/" + id + "/start", null);
        try (EdgeHub.Lines lines = hub.lines(BASE + "/" + id + "/events")) {
            say(id, tool + "\nhuge " + letters + "\nsay end");
            StringBuilder text = new StringBuilder();
            StringBuilder input = new StringBuilder();
            for (JsonNode event : run(lines)) {
                assertThat(Json.bytes(event).length)
                        .as(event.get("type").asString())
                        .isLessThan(1_000_000);
                switch (event.get("type").asString()) {
                    case "TEXT_MESSAGE_CONTENT" -> text.append(event.get("delta").asString());
                    case "TOOL_CALL_ARGS" -> input.append(event.get("delta").asString());
                    case "TOOL_CALL_RESULT" ->
                            assertThat(event.get("content").asString())
                                    .hasSizeLessThan(2100)
                                    .endsWith("... (truncated)");
                    default -> {}
                }
            }
            assertThat(text).hasSize(letters + 3);
            assertThat(Json.parse(input.toString()).get("a").asString()).hasSize(large.length());
        }
        try (EdgeHub.Lines lines = hub.lines(BASE + "/" + id + "/events?snapshot=true")) {
            JsonNode snapshot = lines.data().orElseThrow();
            assertThat(Json.bytes(snapshot).length).isLessThan(1_000_000);
            assertThat(snapshot.get("messages")).isNotEmpty();
        }
        hub.call("POST", BASE + "/" + id + "/stop", null);
    }

    // AMB-205: who comes in the middle of a run learns which one it is, and at its end what it took
    @Test
    void aLateListenerKnowsTheRun() throws Exception {
        String id = session();
        hub.call("POST", BASE + "/" + id + "/start", null);
        say(id, "late more");
        org.awaitility.Awaitility.await().until(() -> hub.sessions().engine().turnRuns(id));
        var feed = hub.sessions().log().feed(id);
        int others = feed.viewers();
        try (EdgeHub.Lines late = hub.lines(BASE + "/" + id + "/events")) {
            org.awaitility.Awaitility.await().until(() -> feed.viewers() > others);
            hub.call("POST", BASE + "/" + id + "/interrupt", "{}");
            JsonNode event = late.data().orElseThrow();
            while (!event.get("type").asString().equals("RUN_FINISHED")) {
                assertThat(event.path("runId").asString("")).as(event.toString()).isNotEmpty();
                event = late.data().orElseThrow();
            }
            assertThat(event.at("/result/usage/output_tokens").asInt()).isEqualTo(5);
            assertThat(event.at("/usage/0/outputTokens").asInt()).isEqualTo(5);
        }
        hub.call("POST", BASE + "/" + id + "/stop", null);
    }

    // A run that is asked for while another one is under way is told alone, from its start to its
    // end
    @Test
    void aRunIsToldAloneAndWhole() throws Exception {
        String id = session();
        hub.call("POST", BASE + "/" + id + "/start", null);
        hub.awaitPhase(id, "Running");
        say(id, "late words of the first");
        org.awaitility.Awaitility.await().until(() -> hub.sessions().engine().turnRuns(id));
        ObjectNode input = Json.object();
        input.putArray("messages").addObject().put("role", "user").put("content", "say mine");
        var answer =
                java.util.concurrent.CompletableFuture.supplyAsync(() -> {
                    try {
                        return hub.call("POST", BASE + "/" + id + "/agui/run", input)
                                .response()
                                .body();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
        org.awaitility.Awaitility.await()
                .until(() -> !hub.sessions().engine().queue().list(id).isEmpty());
        hub.sessions().engine().agentSession(id).orElseThrow().cancel();
        List<JsonNode> events =
                answer.get(60, java.util.concurrent.TimeUnit.SECONDS)
                        .lines()
                        .filter(line -> line.startsWith("data: "))
                        .map(line -> Json.parse(line.substring(6)))
                        .toList();
        assertThat(events.getFirst().get("type").asString()).isEqualTo("RUN_STARTED");
        assertThat(events.getLast().get("type").asString()).isEqualTo("RUN_FINISHED");
        assertThat(of(events, "TEXT_MESSAGE_CONTENT").get("delta").asString()).isEqualTo("mine");
        assertThat(events.getLast().at("/result/duration_ms").isIntegralNumber()).isTrue();
        assertThat(events.toString()).doesNotContain("words of the first");
        hub.call("POST", BASE + "/" + id + "/stop", null);
    }

    // "Two faces": an end of the process without a run is an error of its own
    @Test
    void anAgentThatDiesOrNeverComesIsAnError() throws Exception {
        String id = session();
        String path = BASE + "/" + id;
        hub.call("POST", path + "/start", null);
        hub.awaitPhase(id, "Running");
        String pid;
        try (EdgeHub.Lines lines = hub.lines(path + "/events")) {
            say(id, "pid");
            pid = of(run(lines), "TEXT_MESSAGE_CONTENT").get("delta").asString();
        }
        try (EdgeHub.Lines lines = hub.lines(path + "/events?until=run_finished")) {
            ProcessHandle.of(Long.parseLong(pid)).orElseThrow().destroyForcibly();
            JsonNode last = last(lines);
            assertThat(last.get("type").asString()).isEqualTo("RUN_ERROR");
            assertThat(last.get("message").asString()).isNotEmpty();
            assertThat(last.get("error")).isEqualTo(last.get("message"));
        }
        hub.awaitPhase(id, "Failed");
        String never = session("broken");
        try (EdgeHub.Lines lines = hub.lines(BASE + "/" + never + "/events?until=run_finished")) {
            hub.call("POST", BASE + "/" + never + "/start", null);
            assertThat(last(lines).get("type").asString()).isEqualTo("RUN_ERROR");
        }
    }

    // "Two faces": in a run it is told once, by the run
    @Test
    void anAgentThatDiesInARunIsOneError() throws Exception {
        String id = session();
        hub.call("POST", BASE + "/" + id + "/start", null);
        hub.awaitPhase(id, "Running");
        try (EdgeHub.Lines lines = hub.lines(BASE + "/" + id + "/events")) {
            say(id, "die 7");
            List<JsonNode> events = new ArrayList<>(run(lines));
            while (!events.getLast().path("name").asString("").equals("tandem:session_stopped")) {
                events.add(lines.data().orElseThrow());
            }
            hub.call("DELETE", BASE + "/" + id, null);
            for (var more = lines.data(); more.isPresent(); more = lines.data()) {
                events.add(more.get());
            }
            assertThat(types(events)).containsOnlyOnce("RUN_ERROR");
        }
    }

    /** The last event of a stream that ends. */
    private static JsonNode last(EdgeHub.Lines lines) throws InterruptedException {
        JsonNode last = lines.data().orElseThrow();
        for (var more = lines.data(); more.isPresent(); more = lines.data()) {
            last = more.get();
        }
        return last;
    }

    private static List<JsonNode> run(EdgeHub.Lines lines) throws InterruptedException {
        List<JsonNode> events = new ArrayList<>();
        while (true) {
            JsonNode event = lines.data().orElseThrow();
            if (event.get("type").asString().equals("RUN_STARTED") || !events.isEmpty()) {
                events.add(event);
            }
            String type = event.get("type").asString();
            if (type.equals("RUN_FINISHED") || type.equals("RUN_ERROR")) {
                return events;
            }
        }
    }

    /** State news of the agent may come at any place, so they do not count. */
    private static List<String> types(List<JsonNode> events) {
        return events.stream()
                .map(event -> event.get("type").asString())
                .filter(type -> !type.equals("CUSTOM"))
                .toList();
    }

    private static JsonNode of(List<JsonNode> events, String type) {
        return events.stream()
                .filter(event -> event.get("type").asString().equals(type))
                .findFirst()
                .orElseThrow();
    }
}

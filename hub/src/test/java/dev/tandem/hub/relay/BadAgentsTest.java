package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.Timings;
import dev.tandem.hub.agent.AgentTimings;
import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import dev.tandem.hub.browser.CliDoor;
import dev.tandem.protocol.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Agents that cannot be talked to: every door says what happened and what to do. */
@Timeout(180)
class BadAgentsTest {
    private static final Duration LIMIT = Duration.ofSeconds(3);

    @TempDir static Path folder;
    private static EdgeHub hub;

    @BeforeAll
    static void start() throws Exception {
        Path flat = Files.writeString(folder.resolve("not-executable"), "#!/bin/sh\n");
        AgentTimings usual = AgentTimings.defaults();
        assertThat(usual.initialize()).as("the real limit").isEqualTo(Duration.ofSeconds(60));
        AgentTimings quick =
                new AgentTimings(
                        LIMIT,
                        LIMIT,
                        usual.cancelRequestAfter(),
                        usual.forcedEndAfter(),
                        Duration.ofMillis(300));
        hub =
                new EdgeHub(
                        folder,
                        new Timings(Duration.ofSeconds(20), quick),
                        Map.of(
                                "missing", List.of("/nowhere/agent"),
                                "flat", List.of(flat.toString()),
                                "silent", List.of("sleep", "600"),
                                "garbage", List.of("yes", "this is no JSON"),
                                "broken", ScriptedAgentCommand.argv("--exit=3")),
                        "");
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    // ACP-33, AMB-B25, AMB-L66: missing, not executable, silent, speaking garbage, ending at once
    @ParameterizedTest
    @CsvSource({
        "missing, agent_not_found, Install it",
        "flat, agent_start_failed, chmod +x",
        "silent, agent_timeout, did not answer within 3 s",
        "garbage, agent_timeout, speak another protocol",
        "broken, agent_exited, the configuration is broken"
    })
    void everyDoorSaysWhy(String agent, String code, String words) throws Exception {
        // side by side, as each waits until the agent had its time
        try (ExecutorService doors = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> asked =
                    List.of(
                            doors.submit(() -> overSocket(agent, code, words)),
                            doors.submit(() -> overAmbient(agent, code, words)),
                            doors.submit(() -> overChat(agent, words)),
                            doors.submit(() -> onTheCommandLine(agent, words)));
            for (Future<?> door : asked) {
                door.get();
            }
        }
        assertThat(hub.sessions().engine().running()).as("nothing is left running").isZero();
    }

    private static Void overSocket(String agent, String code, String words) throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            JsonNode error =
                    chat.ask(
                            "n",
                            "{\"type\":\"new_session\",\"id\":\"n\",\"agentId\":\"%s\"}"
                                    .formatted(agent));
            assertThat(error.path("type").asString()).isEqualTo("error");
            assertThat(error.path("code").asString()).isEqualTo(code);
            assertThat(error.path("message").asString()).startsWith("Failed to").contains(words);
        }
        return null;
    }

    private static Void overAmbient(String agent, String code, String words) throws Exception {
        String fields = Json.write(Json.object().put("tandem/agent", agent));
        EdgeHub.Answer made =
                hub.call(
                        "POST",
                        "/api/ambient/v1/sessions",
                        Json.object().put("name", agent).put("annotations", fields));
        String path = "/api/ambient/v1/sessions/" + made.body().get("id").asString();
        assertThat(hub.call("POST", path + "/start", null).status()).isEqualTo(200);
        hub.awaitPhase(made.body().get("id").asString(), "Failed");
        JsonNode session = hub.call("GET", path, null).body();
        assertThat(session.get("conditions").asString()).contains(code).contains(words);
        JsonNode messages = hub.call("GET", path + "/messages", null).body();
        assertThat(messages)
                .as("an error message in the chat")
                .anyMatch(one ->
                        one.path("event_type").asString("").equals("error")
                                && one.path("payload").asString("").contains(words));
        assertThat(hub.call("DELETE", path, null).status()).isEqualTo(204);
        return null;
    }

    private static Void overChat(String agent, String words) throws Exception {
        EdgeHub.Answer sent =
                hub.call(
                        "POST",
                        "/api/v1/chat/messages",
                        Json.object().put("content", "say hello").put("providerId", agent));
        String stream = sent.body().path("streamId").asString();
        try (EdgeHub.Lines lines = hub.lines("/api/v1/streams/sse?streamIds=" + stream)) {
            String line = lines.next().orElseThrow();
            while (!line.equals("event: error")) {
                line = lines.next().orElseThrow(() -> new AssertionError("no error came"));
            }
            assertThat(lines.data().orElseThrow().toString())
                    .contains(words)
                    .contains("Your message is kept");
        }
        return null;
    }

    private static Void onTheCommandLine(String agent, String words) throws Exception {
        CliDoor.Printed printed =
                new CliDoor(hub.port(), hub.token)
                        .run(false, "session", "new", agent, "--agent", agent, "--prompt", "hi");
        assertThat(printed.exit()).isEqualTo(2);
        assertThat(printed.text().replaceAll("\\s+", " ")).contains(words);
        return null;
    }
}

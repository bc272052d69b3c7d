package dev.tandem.hub.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.protocol.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** What goes wrong between the start of a session and its first turn. */
class SessionStartTest {
    private EngineFixture fixture;

    @BeforeEach
    void open(@TempDir Path directory) throws Exception {
        fixture = new EngineFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("AMB-195 an agent that leaves before the session runs: Failed, and startable")
    void anAgentThatLeavesAtOnce() {
        fixture.agent("leaver", "--leave=session/set_config_option");
        String annotations = Json.write(Json.object().put("tandem/agent", "leaver"));
        String id =
                fixture.engine
                        .create(
                                "default",
                                Json.object()
                                        .put("name", "early")
                                        .put("annotations", annotations)
                                        .put("llm_model", "large"))
                        .id();
        fixture.engine.start(id);
        fixture.awaitPhase(id, Phase.FAILED);
        assertThat(fixture.store.required(id).field("conditions").orElse(""))
                .contains("agent_exited", "exit code 0");
        assertThat(fixture.events(id, 0)).doesNotContain("model_not_offered");

        fixture.agent("leaver");
        fixture.engine.start(id);
        fixture.awaitPhase(id, Phase.RUNNING);
        assertThat(EngineFixture.said(fixture.play(id, "say here"))).isEqualTo("here");
    }

    @Test
    @DisplayName("A session that ends while its agent comes up leaves no process behind")
    void nothingIsLeftOfAStart() {
        fixture.agent("slow", "--mute=session/new");
        String id = fixture.session("tandem/agent", "slow");
        fixture.engine.update(id, fields -> fields.put("timeout", 1));
        fixture.engine.start(id);
        fixture.awaitPhase(id, Phase.FAILED);
        assertThat(fixture.store.required(id).field("conditions").orElse(""))
                .contains("\"reason\":\"timeout\"");
        await().atMost(Duration.ofSeconds(20)).until(fixture.trees::isEmpty);
    }

    private List<ObjectNode> states(String agent, String last) {
        String id = fixture.session("tandem/agent", agent);
        EngineFixture.Watching watching = fixture.watch(id);
        fixture.engine.start(id);
        if (last.equals("stop")) {
            await().atMost(Duration.ofSeconds(20)).until(() -> !news(watching).isEmpty());
            fixture.engine.stop(id);
            fixture.awaitPhase(id, Phase.STOPPED);
        } else {
            fixture.awaitPhase(id, Phase.FAILED);
        }
        return news(watching);
    }

    private static List<ObjectNode> news(EngineFixture.Watching watching) {
        return List.copyOf(watching.deltas).stream()
                .map(SessionFeed.Delta::update)
                .filter(update -> update.path("sessionUpdate").asString("").equals(AgentNews.KIND))
                .toList();
    }

    @Test
    @DisplayName("W7 an agent that starts and does not come up is told as failed or exited")
    void whatStartsIsToldToItsEnd() {
        fixture.agent("broken", "--exit=7");
        fixture.agent("future", "--protocol=2");
        fixture.agent("locked", "--broken=no");
        fixture.agent("slow", "--mute=session/new");
        String state = "state";
        List<ObjectNode> broken = states("broken", "");
        assertThat(broken)
                .extracting(s -> s.get(state).asString())
                .containsExactly("starting", "exited");
        assertThat(broken.getLast().path("exitCode").asInt()).isEqualTo(7);
        for (String agent : List.of("future", "locked")) {
            assertThat(states(agent, ""))
                    .extracting(s -> s.get(state).asString())
                    .containsExactly("starting", "failed");
        }
        assertThat(states("slow", "stop"))
                .extracting(s -> s.get(state).asString())
                .containsExactly("starting", "exited");
    }
}

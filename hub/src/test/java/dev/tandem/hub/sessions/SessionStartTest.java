package dev.tandem.hub.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.protocol.Json;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}

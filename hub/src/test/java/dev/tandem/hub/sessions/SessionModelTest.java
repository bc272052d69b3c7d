package dev.tandem.hub.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.agent.ModelState;
import dev.tandem.protocol.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The model that a session was made with. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionModelTest {
    private EngineFixture fixture;
    private SessionEngine engine;

    @BeforeAll
    void open(@TempDir Path directory) throws Exception {
        fixture = new EngineFixture(directory);
        engine = fixture.engine;
        fixture.agent("older", "--options=models");
        fixture.agent("plain", "--options=none");
    }

    @AfterAll
    void close() {
        fixture.close();
    }

    private String started(String agent, String model) {
        String annotations = Json.write(Json.object().put("tandem/agent", agent));
        String id =
                engine.create(
                                "default",
                                Json.object()
                                        .put("name", "m")
                                        .put("annotations", annotations)
                                        .put("llm_model", model))
                        .id();
        engine.start(id);
        fixture.awaitPhase(id, Phase.RUNNING);
        return id;
    }

    private String used(String id) {
        return engine.agentSession(id).orElseThrow().models().map(ModelState::currentId).orElse("");
    }

    private List<JsonNode> told(String id) {
        return fixture.log.after(id, 0, 1000).stream()
                .filter(entry -> entry.text("event").orElse("").equals("model_not_offered"))
                .map(entry -> entry.body().path("value"))
                .toList();
    }

    private void again(String id) {
        engine.stop(id);
        fixture.awaitPhase(id, Phase.STOPPED);
        engine.start(id);
        fixture.awaitPhase(id, Phase.RUNNING);
    }

    @Test
    @DisplayName("AMB-C29 the model a session was made with is given to an agent that offers it")
    void theModelIsPassedOn() {
        for (String agent : List.of("scripted", "older")) {
            String id = started(agent, "large");
            assertThat(used(id)).as(agent).isEqualTo("large");
            assertThat(told(id)).isEmpty();
            engine.agentSession(id).orElseThrow().setModel("small");
            engine.optionsChanged(id);
            again(id);
            assertThat(used(id)).as("a later choice of the user stands").isEqualTo("small");
            engine.update(id, fields -> fields.put("llm_model", "large-2"));
            again(id);
            assertThat(told(id)).as("a new wish is new").hasSize(1);
            engine.delete(id);
        }
    }

    @Test
    @DisplayName("AMB-C29 a model that is not to be had is told once, with the one that is used")
    void theModelInUseIsTold() {
        String id = started("scripted", "claude-sonnet-4-6");
        again(id);
        assertThat(told(id)).hasSize(1);
        assertThat(told(id).getFirst().path("asked").asString()).isEqualTo("claude-sonnet-4-6");
        assertThat(told(id).getFirst().path("used").asString()).isEqualTo("small");
        assertThat(told(id).getFirst().path("message").asString())
                .contains("claude-sonnet-4-6", "small");
        String refused = started("scripted", "broken");
        assertThat(told(refused).getFirst().path("message").asString()).contains("broken", "small");
        String none = started("plain", "large");
        assertThat(told(none).getFirst().path("message").asString()).contains("large");
        List.of(id, refused, none).forEach(engine::delete);
    }

    @Test
    @DisplayName("A model that a running agent refuses is not noted as the session's")
    void aRefusedModelIsNotKept() {
        String id = started("scripted", "small");
        assertThatThrownBy(() -> engine.chooseModel(id, "broken"))
                .isInstanceOf(AgentException.class);
        assertThat(fixture.store.required(id).field("llm_model")).contains("small");
        engine.chooseModel(id, "large");
        assertThat(used(id)).isEqualTo("large");
        assertThat(fixture.store.required(id).field("llm_model")).contains("large");
        engine.delete(id);
    }
}

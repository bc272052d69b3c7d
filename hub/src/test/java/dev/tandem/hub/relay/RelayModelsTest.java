package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.Timings;
import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Models on /ws: which there are, in each spelling of agents, and switching them. */
@Timeout(180)
class RelayModelsTest {
    @TempDir static Path folder;
    private static Path record;
    private static EdgeHub hub;

    @BeforeAll
    static void start() throws Exception {
        record = folder.resolve("record.txt");
        hub =
                new EdgeHub(
                        folder,
                        Timings.standard(),
                        Map.of(
                                "config",
                                ScriptedAgentCommand.argv("--record=" + record),
                                "models",
                                ScriptedAgentCommand.argv("--options=models", "--record=" + record),
                                "mixed",
                                ScriptedAgentCommand.argv("--options=mixed"),
                                "all",
                                ScriptedAgentCommand.argv("--options=all"),
                                "plain",
                                ScriptedAgentCommand.argv("--caps={}", "--options=none")),
                        "config");
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    private static String say(String type, String session, String fields) {
        return "{\"type\":\"%s\",\"id\":\"x\",\"sessionId\":\"%s\"%s}"
                .formatted(type, session, fields.isEmpty() ? "" : "," + fields);
    }

    // ACP-29, ACP-39, ACP-55, ACP-58, ACP-59, ACP-60, ACP-L21
    @Test
    void modelsAreSwitchedInBothSpellingsAndEverybodyIsTold() throws Exception {
        for (String agent : new String[] {"config", "models"}) {
            try (ChatSocket one = ChatSocket.tandem(hub);
                    ChatSocket two = ChatSocket.tandem(hub)) {
                String id = one.newSession(agent).get("sessionId").asString();
                JsonNode models = one.hear("model_state");
                assertThat(models.get("availableModels").size()).isGreaterThan(1);
                assertThat(models.get("currentModelId").asString()).isEqualTo("small");
                two.say(say("attach", id, ""));
                two.answer("x");
                assertThat(one.turn(id, "model")).isEqualTo("small");
                JsonNode now = one.ask("x", say("set_session_model", id, "\"modelId\":\"large\""));
                assertThat(now.get("currentModelId").asString()).as(agent).isEqualTo("large");
                JsonNode told = two.hear("model_state");
                assertThat(told.get("currentModelId").asString()).isEqualTo("large");
                assertThat(one.turn(id, "model")).as("the next prompt").isEqualTo("large");
                one.say(say("set_session_model", id, "\"modelId\":\"broken\""));
                JsonNode refused = one.answer("x");
                assertThat(refused.get("type").asString()).isEqualTo("error");
                one.say(say("close_session", id, ""));
                one.hear(m -> m.path("phase").asString("").equals("Stopped"), "Stopped");
                JsonNode again = one.ask("x", say("resume_session", id, ""));
                assertThat(again.get("type").asString()).isEqualTo("session_resumed");
                assertThat(one.hear("model_state").get("currentModelId").asString())
                        .as("kept over a restart of the agent")
                        .isEqualTo("large");
                assertThat(one.turn(id, "model")).as("another process").isEqualTo("large");
            }
        }
        assertThat(Files.readString(record))
                .contains("session/set_config_option")
                .contains("session/set_model");
    }

    // ACP-60: the refusal leaves the old model, and the client is told which that is
    @Test
    void aRefusedSwitchRepeatsTheOldModel() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("models").get("sessionId").asString();
            chat.hear("model_state");
            chat.say(say("set_session_model", id, "\"modelId\":\"broken\""));
            assertThat(chat.hear("model_state").get("currentModelId").asString())
                    .isEqualTo("small");
            assertThat(chat.answer("x").get("type").asString()).isEqualTo("error");
            String plain = chat.newSession("plain").get("sessionId").asString();
            JsonNode none = chat.ask("x", say("set_session_model", plain, "\"modelId\":\"a\""));
            assertThat(none.get("code").asString()).isEqualTo("unsupported");
            assertThat(none.get("message").asString())
                    .isEqualTo("Model selection not supported by this agent");
        }
    }

    // ACP-59, W13: options that say nothing of the model do not make it forget the chosen one
    @Test
    void aModelIsKeptBesideAnOption() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("mixed").get("sessionId").asString();
            chat.ask("x", say("set_session_model", id, "\"modelId\":\"large\""));
            chat.ask("x", say("set_config_option", id, "\"configId\":\"fast\",\"value\":true"));
            chat.say(say("close_session", id, ""));
            chat.hear(m -> m.path("phase").asString("").equals("Stopped"), "Stopped");
            JsonNode again = chat.ask("x", say("resume_session", id, ""));
            assertThat(again.at("/configOptions/0/currentValue").asBoolean()).isTrue();
            assertThat(again.at("/models/currentModelId").asString()).isEqualTo("large");
            assertThat(chat.turn(id, "model")).isEqualTo("large");
        }
    }

    // ACP-55, ACP-L21, W4: older clients find the models only here, in the shape that ACP gives
    // them
    @Test
    void anOlderClientFindsTheModelsOfEveryAgent() throws Exception {
        try (ChatSocket old = ChatSocket.open(hub, "?token=" + hub.token)) {
            old.say("{\"type\":\"connect\"}");
            old.hear("status");
            for (String agent : new String[] {"config", "models", "mixed", "all"}) {
                JsonNode models = old.newSession(agent).at("/payload/models");
                assertThat(models.get("currentModelId").asString()).as(agent).isEqualTo("small");
                assertThat(models.get("availableModels").valueStream())
                        .as(agent)
                        .extracting(
                                one -> one.get("modelId").asString() + one.get("name").asString())
                        .containsExactly(
                                "smallThe small one", "largeThe large one", "brokenThe broken one");
            }
            assertThat(old.newSession("plain").at("/payload/models").isNull()).isTrue();
        }
    }
}

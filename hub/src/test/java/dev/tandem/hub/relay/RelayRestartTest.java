package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.Timings;
import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import dev.tandem.protocol.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Sessions beside each other, and over a restart of the hub. */
@Timeout(180)
class RelayRestartTest {
    @TempDir Path folder;

    private EdgeHub hub() throws Exception {
        return hub("");
    }

    private EdgeHub hub(String chosen) throws Exception {
        return new EdgeHub(
                folder,
                Timings.standard(),
                Map.of(
                        "one",
                        ScriptedAgentCommand.argv(),
                        "two",
                        ScriptedAgentCommand.argv("--options=models")),
                chosen);
    }

    // ACP-154: each starts again with its own agent, folder, mode and options
    @Test
    void sessionsComeBackAsTheyWere() throws Exception {
        Path work = Files.createDirectories(folder.resolve("place")).toRealPath();
        String first;
        String second;
        try (EdgeHub hub = hub()) {
            hub.sessions().engine().folders().register("default", work);
            try (ChatSocket chat = ChatSocket.tandem(hub)) {
                first =
                        chat.newSession("one", "\"cwd\":\"" + work + "\"")
                                .get("sessionId")
                                .asString();
                second = chat.newSession("two").get("sessionId").asString();
                for (String id : List.of(first, second)) {
                    JsonNode model =
                            chat.ask("m", said("set_session_model", id, "modelId", "large"));
                    assertThat(model.get("currentModelId").asString()).isEqualTo("large");
                }
                JsonNode mode =
                        chat.ask("m", said("set_permission_mode", second, "mode", "read-only"));
                assertThat(mode.get("mode").asString()).isEqualTo("read-only");
            }
        }
        try (EdgeHub hub = hub();
                ChatSocket chat = ChatSocket.tandem(hub)) {
            JsonNode one = chat.ask("m", said("resume_session", first, "x", "y"));
            assertThat(one.get("agentId").asString()).isEqualTo("one");
            assertThat(one.get("cwd").asString()).isEqualTo(work.toString());
            assertThat(chat.hear("model_state").get("currentModelId").asString())
                    .isEqualTo("large");
            JsonNode two = chat.ask("m", said("resume_session", second, "x", "y"));
            assertThat(two.get("agentId").asString()).isEqualTo("two");
            assertThat(two.get("mode").asString()).isEqualTo("read-only");
            assertThat(chat.hear("model_state").get("currentModelId").asString())
                    .isEqualTo("large");
        }
    }

    // ACP-154, ACP-B4: also one that named no agent stays with the one it began with
    @Test
    void aSessionKeepsItsAgentWhateverTheHubIsStartedWith() throws Exception {
        String id;
        try (EdgeHub hub = hub("one");
                ChatSocket chat = ChatSocket.tandem(hub)) {
            JsonNode made = chat.ask("n", "{\"type\":\"new_session\",\"id\":\"n\"}");
            assertThat(made.get("agentId").asString()).isEqualTo("one");
            id = made.get("sessionId").asString();
        }
        try (EdgeHub hub = hub("two");
                ChatSocket chat = ChatSocket.tandem(hub)) {
            JsonNode fresh = chat.ask("n", "{\"type\":\"new_session\",\"id\":\"n\"}");
            assertThat(fresh.get("agentId").asString()).isEqualTo("two");
            JsonNode back = chat.ask("m", said("resume_session", id, "x", "y"));
            assertThat(back.get("agentId").asString()).isEqualTo("one");
        }
    }

    // ACP-24, ACP-L5, ACP-L27: one socket, two sessions of two agents at once; every frame names
    // its own
    @Test
    void oneSocketFollowsTwoSessions() throws Exception {
        try (EdgeHub hub = hub();
                ChatSocket chat = ChatSocket.tandem(hub)) {
            String first = chat.newSession("one").get("sessionId").asString();
            String second = chat.newSession("two").get("sessionId").asString();
            chat.say(ChatSocket.prompt(first, "a", "chunks 300"));
            chat.say(ChatSocket.prompt(second, "b", "say only this"));
            boolean a = false;
            boolean b = false;
            while (!a || !b) {
                JsonNode message = chat.hear(m -> true, "both ends");
                a |= message.path("id").asString("").equals("a");
                b |= message.path("id").asString("").equals("b");
                if (message.path("whole").asBoolean(false)) {
                    boolean numbers =
                            message.at("/update/content/text").asString("").startsWith("0 1 2");
                    assertThat(message.get("sessionId").asString())
                            .isEqualTo(numbers ? first : second);
                }
            }
        }
    }

    // ACP-L2: a token in an address stays out of the log
    @Test
    void theTokenIsNotLogged() throws Exception {
        try (EdgeHub hub = hub();
                ChatSocket old = ChatSocket.open(hub, "?token=" + hub.token)) {
            old.say("{\"type\":\"connect\",\"agentId\":\"one\"}");
            old.hear("connected");
            old.say("{\"type\":\"nonsense\"}");
            old.hear("error");
            assertThat(Files.readString(folder.resolve("state/logs/hub.log")))
                    .isNotEmpty()
                    .doesNotContain(hub.token);
        }
    }

    private static String said(String type, String session, String field, String value) {
        return Json.write(
                Json.object()
                        .put("type", type)
                        .put("id", "m")
                        .put("sessionId", session)
                        .put(field, value));
    }
}

package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.Timings;
import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Schema;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A message on /ws does what it says or nothing: fields of wrong types, sessions not named. */
@Timeout(180)
class RelayFieldsTest {
    private static final List<String> WRONG = List.of("7", "[]", "{}", "null", "true", "\"x\"");

    @TempDir static Path folder;
    private static EdgeHub hub;

    @BeforeAll
    static void start() throws Exception {
        hub =
                new EdgeHub(
                        folder,
                        Timings.standard(),
                        Map.of(
                                "scripted",
                                ScriptedAgentCommand.argv(),
                                "other",
                                ScriptedAgentCommand.argv()),
                        "scripted");
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    private static JsonNode rows(ChatSocket chat) throws Exception {
        JsonNode rows = chat.ask("rows", "{\"type\":\"list_sessions\",\"id\":\"rows\"}");
        return rows.get("sessions");
    }

    private static void refused(ChatSocket chat, String message, String code) throws Exception {
        JsonNode answer = chat.ask("x", message);
        assertThat(answer.path("code").asString(answer.toString())).as(message).isEqualTo(code);
    }

    // ACP-33, W5: a field of a wrong type is bad_message in every message, and nothing is done
    @Test
    void aFieldOfAWrongTypeIsRefusedInEveryMessage() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            JsonNode before = rows(chat);
            int tried = 0;
            for (Map.Entry<String, JsonNode> one :
                    Json.resource("messages/relay.json").get("messages").properties()) {
                if (!Json.texts(one.getValue(), "from").contains("client")) {
                    continue;
                }
                JsonNode schema = one.getValue().get("schema");
                for (Map.Entry<String, JsonNode> field : schema.get("properties").properties()) {
                    for (String value : WRONG) {
                        if (field.getValue().has("type") && !fits(field.getValue(), value)) {
                            ObjectNode message = sample(schema, id).put("type", one.getKey());
                            message.set(field.getKey(), Json.parse(value));
                            refused(chat, Json.write(message), "bad_message");
                            tried++;
                        }
                    }
                }
            }
            assertThat(tried).isGreaterThan(300);
            refused(chat, "{\"id\":\"x\"}", "bad_message");
            refused(chat, "{\"id\":\"x\",\"type\":7}", "bad_message");
            refused(chat, "{\"id\":\"x\",\"type\":\"connected\"}", "unknown_type");
            assertThat(rows(chat)).isEqualTo(before);
        }
    }

    private static boolean fits(JsonNode schema, String value) {
        return Schema.of(Json.object().set("type", schema.get("type")))
                .check(Json.parse(value))
                .isEmpty();
    }

    /** A message with what it must have, about that session. */
    private static ObjectNode sample(JsonNode schema, String sessionId) {
        ObjectNode message = Json.object().put("id", "x");
        for (String name : Json.texts(schema, "required")) {
            JsonNode field = schema.at("/properties/" + name);
            JsonNode type = field.path("type");
            switch ((type.isArray() ? type.get(0) : type).asString("")) {
                case "integer" -> message.put(name, 1);
                case "array" -> message.putArray(name);
                case "object" -> message.putObject(name);
                default -> message.put(name, field.path("enum").path(0).asString("x"));
            }
        }
        return message.put("sessionId", sessionId);
    }

    // ACP-33, W2: only a client of the older form may leave out which session it means
    @Test
    void aMessageWithoutItsSessionActsOnNone() throws Exception {
        List<String> about =
                List.of(
                        "\"delete_session\"",
                        "\"stop_session\"",
                        "\"cancel\"",
                        "\"history\"",
                        "\"list_dir\"",
                        "\"read_file\",\"path\":\"a\"",
                        "\"set_permission_mode\",\"mode\":\"act\"",
                        "\"rename_session\",\"title\":\"other\"",
                        "\"prompt\",\"content\":[{\"type\":\"text\",\"text\":\"a\"}]");
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            chat.newSession("scripted");
            JsonNode before = rows(chat);
            for (String message : about) {
                refused(chat, "{\"id\":\"x\",\"type\":" + message + "}", "no_session");
                refused(
                        chat,
                        "{\"id\":\"x\",\"sessionId\":\"\",\"type\":" + message + "}",
                        "no_session");
            }
            assertThat(rows(chat)).isEqualTo(before);
        }
        try (ChatSocket old = ChatSocket.open(hub, "?token=" + hub.token)) {
            old.say("{\"type\":\"connect\"}");
            old.hear("status");
            String id = old.newSession("scripted").get("sessionId").asString();
            refused(old, "{\"id\":\"x\",\"type\":\"cancel\",\"sessionId\":null}", "bad_message");
            JsonNode renamed = old.ask("x", "{\"id\":\"x\",\"type\":" + about.get(7) + "}");
            assertThat(renamed.get("sessionId").asString()).isEqualTo(id);
            JsonNode gone = old.ask("x", "{\"id\":\"x\",\"type\":\"delete_session\"}");
            assertThat(gone.get("type").asString()).isEqualTo("session_deleted");
        }
    }

    // ACP-C6: load_session takes the agent's own id as well, where only one session has it
    @Test
    void anAgentsIdOpensASessionAndDoesNothingElse() throws Exception {
        String load = "{\"id\":\"x\",\"type\":\"load_session\",\"sessionId\":\"old0\"";
        String id = loaded(load + ",\"agentId\":\"scripted\"}");
        assertThat(loaded(load + "}")).isEqualTo(id);
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            for (String type : List.of("delete_session", "cancel", "stop_session", "attach")) {
                refused(
                        chat,
                        "{\"id\":\"x\",\"type\":\"%s\",\"sessionId\":\"old0\"}".formatted(type),
                        "unknown_session");
            }
            assertThat(loaded(load + ",\"agentId\":\"other\"}")).isNotEqualTo(id);
            refused(chat, load + "}", "unknown_session");
        }
        assertThat(loaded(load + ",\"agentId\":\"scripted\"}")).isEqualTo(id);
    }

    private static String loaded(String message) throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            JsonNode answer = chat.ask("x", message);
            assertThat(answer.get("type").asString())
                    .as(answer.toString())
                    .isEqualTo("session_loaded");
            return answer.get("sessionId").asString();
        }
    }

    // ACP-33, W2: each unreadable frame is answered; one more than 20 ends the socket
    @Test
    void tooManyUnreadableFramesEndTheSocket() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            for (int i = 0; i < 20; i++) {
                chat.say(i % 2 == 0 ? "{" : "[1]");
                JsonNode answer = chat.hear("error");
                assertThat(answer.get("code").asString()).isEqualTo("bad_message");
                assertThat(answer.get("message").asString()).startsWith("Error: ");
            }
            chat.say("{");
            assertThat(chat.closed.get(20, TimeUnit.SECONDS)).startsWith("1008 ");
        }
    }
}

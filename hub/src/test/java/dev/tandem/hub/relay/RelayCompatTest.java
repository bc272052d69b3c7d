package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Clients of the older form: what they are shown, live and when they come back. */
@Timeout(120)
class RelayCompatTest {
    @TempDir static Path folder;
    private static EdgeHub hub;

    @BeforeAll
    static void start() throws Exception {
        hub = new EdgeHub(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    private static ChatSocket older() throws Exception {
        ChatSocket chat = ChatSocket.open(hub, "?token=" + hub.token);
        chat.say("{\"type\":\"connect\"}");
        chat.hear("status");
        return chat;
    }

    // ACP-46, ACP-47: pictures and links of an answer are there again, in their places
    @Test
    void picturesAndLinksComeBack() throws Exception {
        String script =
                """
                say before
                update {"sessionUpdate":"agent_message_chunk","content":{"type":"image","mimeType":"image/png","data":"AAAA"}}
                say after
                update {"sessionUpdate":"agent_message_chunk","content":{"type":"resource_link","uri":"https://a.test/x","name":"x"}}\
                """;
        String id;
        List<String> live;
        try (ChatSocket chat = older()) {
            id = chat.newSession("scripted").get("sessionId").asString();
            chat.say(ChatSocket.prompt(id, "p", script));
            live = blocksUntil(chat, "p");
        }
        assertThat(live).hasSize(4);
        try (ChatSocket back = older()) {
            back.say(
                    "{\"type\":\"load_session\",\"id\":\"l\",\"payload\":{\"sessionId\":\"%s\"}}"
                            .formatted(id));
            assertThat(blocksUntil(back, "l")).isEqualTo(live);
        }
    }

    /** The blocks of the agent's words until the answer to that request. */
    private static List<String> blocksUntil(ChatSocket chat, String id) throws Exception {
        List<String> blocks = new ArrayList<>();
        while (true) {
            JsonNode message = chat.hear(m -> true, "the answer to " + id);
            if (ChatSocket.kind(message).equals("agent_message_chunk")) {
                blocks.add(message.at("/payload/update/content").toString());
            }
            if (message.path("id").asString("").equals(id)) {
                return blocks;
            }
        }
    }
}

package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.EdgeHub;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What an agent says reaches chat clients in order and once, and every turn has one end. */
@Timeout(180)
class RelayOrderTest {
    private static final int MANY = 10_000;

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

    // ACP-4, ACP-41: the live pieces themselves, not the log that corrects them afterwards
    @Test
    void piecesArriveInOrderInBothDialects() throws Exception {
        String all = IntStream.range(0, MANY).mapToObj(i -> i + " ").collect(Collectors.joining());
        for (String dialect : List.of("tandem", "compat")) {
            try (ChatSocket chat =
                    ChatSocket.tandem(hub, "\"dialect\":\"%s\"".formatted(dialect))) {
                String id = chat.newSession("scripted").get("sessionId").asString();
                chat.say(ChatSocket.prompt(id, "p", "chunks " + MANY));
                StringBuilder said = new StringBuilder();
                List<Long> rings = new ArrayList<>();
                JsonNode message;
                do {
                    message = chat.hear(m -> true, "the end");
                    if (ChatSocket.kind(message).equals("agent_message_chunk")
                            && !message.has("whole")) {
                        rings.add(message.get("ring").asLong());
                        said.append(message.at("/update/content/text").asString());
                    }
                } while (!message.path("id").asString("").equals("p"));
                assertThat(message.get("type").asString()).isEqualTo("prompt_complete");
                assertThat(said.toString()).as(dialect).isEqualTo(all);
                assertThat(rings).as(dialect).isSorted().doesNotHaveDuplicates();
            }
        }
    }

    // ACP-36: one per prompt, however the turn went
    @Test
    void everyTurnHasOneEnd() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            List<String> ends = new ArrayList<>();
            for (String words : List.of("fail -32603 no", "wait", "say hi")) {
                chat.say(ChatSocket.prompt(id, words, words));
                if (words.equals("wait")) {
                    ends.addAll(endsUntil(chat, "run_started"));
                    chat.say("{\"type\":\"cancel\",\"sessionId\":\"%s\"}".formatted(id));
                }
                ends.addAll(endsUntil(chat, "prompt_complete"));
            }
            chat.say("{\"type\":\"ping\"}");
            ends.addAll(endsUntil(chat, "pong"));
            assertThat(ends)
                    .containsExactly("fail -32603 no error", "wait cancelled", "say hi end_turn");
        }
    }

    /** Whose prompt ended and how, for each prompt_complete until a message of that type. */
    private static List<String> endsUntil(ChatSocket chat, String type) throws Exception {
        List<String> ends = new ArrayList<>();
        while (true) {
            JsonNode message = chat.hear(m -> true, type);
            if (message.get("type").asString().equals("prompt_complete")) {
                ends.add(
                        message.path("id").asString("nobody")
                                + " "
                                + message.get("stopReason").asString());
            }
            if (message.get("type").asString().equals(type)) {
                return ends;
            }
        }
    }
}

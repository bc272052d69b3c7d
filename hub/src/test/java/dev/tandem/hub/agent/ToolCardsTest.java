package dev.tandem.hub.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ToolCardsTest {
    private static final ObjectNode CALL =
            json("{'sessionUpdate':'tool_call','toolCallId':'t','title':'Edit','kind':'edit'}");
    private static final ObjectNode UPDATE =
            json(
                    "{'sessionUpdate':'tool_call_update','toolCallId':'t','status':'completed',"
                            + "'title':null,'content':[{'type':'diff'}]}");
    private static final ObjectNode ASKED = json("{'toolCallId':'t','rawInput':{'a':1}}");

    private static ObjectNode json(String text) {
        return (ObjectNode) AcpJson.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName("ACP-111 ACP-44 ACP-L28 ACP-L29 all six orders give the same card")
    void everyOrderGivesTheSameCard() {
        List<List<ObjectNode>> orders =
                List.of(
                        List.of(CALL, UPDATE, ASKED),
                        List.of(CALL, ASKED, UPDATE),
                        List.of(UPDATE, CALL, ASKED),
                        List.of(UPDATE, ASKED, CALL),
                        List.of(ASKED, CALL, UPDATE),
                        List.of(ASKED, UPDATE, CALL));
        for (List<ObjectNode> order : orders) {
            ToolCards cards = new ToolCards();
            order.forEach(cards::merge);
            ObjectNode card = cards.card("t").orElseThrow();
            assertThat(card.path("title").asString()).isEqualTo("Edit");
            assertThat(card.path("status").asString()).isEqualTo("completed");
            assertThat(card.path("content").size()).isEqualTo(1);
            assertThat(card.path("rawInput").path("a").asInt()).isEqualTo(1);
            assertThat(card.has("sessionUpdate")).isFalse();
        }
    }

    @Test
    @DisplayName("ACP-L29 without a title there is still something to read")
    void titlesOfLastResort() {
        ToolCards cards = new ToolCards();
        assertThat(cards.merge(ASKED).path("title").asString()).isEqualTo("Tool call");
        assertThat(cards.merge(ASKED).path("status").asString()).isEqualTo("pending");
        assertThat(cards.merge(json("{'toolCallId':'k','kind':'search'}")).path("title").asString())
                .isEqualTo("search");
        assertThat(cards.merge(json("{'toolCallId':'n','name':'grep'}")).path("title").asString())
                .isEqualTo("grep");
    }

    @Test
    @DisplayName("ACP-94 ACP-L31 what is open at the end of the turn is cancelled")
    void openCardsAreClosed() {
        ToolCards cards = new ToolCards();
        cards.merge(UPDATE);
        cards.merge(json("{'toolCallId':'open','status':'in_progress'}"));
        assertThat(cards.closeOpen()).containsExactly("open");
        assertThat(cards.card("open").orElseThrow().path("status").asString())
                .isEqualTo("cancelled");
        assertThat(cards.card("t").orElseThrow().path("status").asString()).isEqualTo("completed");
    }

    @Test
    @DisplayName("ACP-L34 commands lose their _meta on the way to a browser, nothing else changes")
    void browsersGetLightUpdates() {
        ObjectNode update =
                json(
                        "{'sessionUpdate':'available_commands_update','_meta':{'a':1},"
                                + "'availableCommands':[{'name':'x','_meta':{'skill':'long'}}]}");
        assertThat(UpdateView.forBrowser(update).toString())
                .doesNotContain("skill")
                .contains("\"_meta\":{\"a\":1}");
        assertThat(UpdateView.forBrowser(CALL)).isSameAs(CALL);
        ObjectNode heavy = CALL.deepCopy();
        heavy.putObject("_meta").put("blob", "x".repeat(70_000));
        assertThat(UpdateView.forBrowser(heavy).has("_meta")).isFalse();
    }
}

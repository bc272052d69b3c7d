package dev.tandem.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.CliDoor;
import dev.tandem.hub.permission.Card;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.permission.PermissionRules;
import dev.tandem.hub.permission.Rule;
import dev.tandem.protocol.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What a command line that an agent started is: the session's. */
@Timeout(180)
@EnabledOnOs(OS.LINUX)
class AgentProcessTest {
    @TempDir static Path folder;
    private static EdgeHub hub;
    private static String tandem;

    @BeforeAll
    static void start() throws Exception {
        hub = new EdgeHub(folder);
        Path launcher = Path.of("..", "tandem").toRealPath();
        tandem =
                "env TANDEM_NO_START=1 TANDEM_STATE_DIR="
                        + folder.resolve("state")
                        + " "
                        + launcher
                        + " ";
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    // SEC-1: directly and double-forked, the command line is the session's: it asks, audited as it
    @Test
    void aCommandOfAnAgentIsTheSessions() throws Exception {
        for (String word : List.of("shell", "daemon")) {
            try (ChatSocket chat = ChatSocket.tandem(hub)) {
                String id = chat.newSession("scripted").get("sessionId").asString();
                chat.say(ChatSocket.prompt(id, "p", word + " " + tandem + "browser-tabs"));
                JsonNode card = chat.hear("permission_request");
                assertThat(card.get("sessionId").asString()).isEqualTo(id);
                assertThat(card.get("toolName").asString()).isEqualTo("browser_tabs");
                chat.say(
                        "{\"type\":\"permission_response\",\"requestId\":%s,\"optionId\":\"reject_once\"}"
                                .formatted(card.get("requestId")));
                JsonNode said =
                        chat.hear(
                                m ->
                                        m.path("whole").asBoolean(false)
                                                && ChatSocket.kind(m).equals("agent_message_chunk"),
                                "what the command printed");
                assertThat(said.at("/update/content/text").asString())
                        .contains("permission_denied");
                chat.answer("p");
                await().atMost(Duration.ofSeconds(20))
                        .until(() ->
                                hub.sessions().desk().decisions(50).stream()
                                        .anyMatch(row ->
                                                row.client().equals(id)
                                                        && row.tool().equals("browser_tabs")
                                                        && row.decision().equals("refused")));
            }
        }
    }

    // SEC-2: every command that widens, from inside an agent session: refused, audited
    @Test
    void commandsThatWidenAreRefused() throws Exception {
        PermissionRules rules = hub.sessions().desk().rules();
        Rule never =
                rules.put(
                        new PermissionRules.Wish(
                                "default", "tab_action:click", "https://a.test", "*", false, 0, 0));
        List<String> commands =
                List.of(
                        "pair",
                        "qr",
                        "origin add https://evil.test",
                        "token",
                        "token add mine --profile all --mode act",
                        "token revoke mine",
                        "session new Mine --mode act",
                        "permissions forget " + never.id());
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            for (String command : commands) {
                String said = chat.turn(id, "shell " + tandem + command);
                assertThat(said)
                        .as(command)
                        .contains("Only you can", "a shell of your own")
                        .doesNotContain(hub.token);
            }
            await().atMost(Duration.ofSeconds(20))
                    .until(() ->
                            hub.sessions().desk().decisions(50).stream()
                                            .filter(row -> row.client().equals(id))
                                            .filter(row -> row.tool().equals("widen"))
                                            .count()
                                    >= commands.size());
            assertThat(rules.list("default")).as("the never stands").contains(never);
        }
    }

    // SEC-1, SEC-2: what the user decided for others, and where they work, is the user's
    @Test
    void anAgentSeesWhatHoldsForItsOwnSession() throws Exception {
        PermissionRules rules = hub.sessions().desk().rules();
        for (String[] rule :
                new String[][] {
                    {"default", "https://ours.test", "*"},
                    {"", "https://all.test", "*"},
                    {"elsewhere", "https://elsewhere.test", "*"},
                    {"", "https://program.test", "client:ci"}
                }) {
            rules.put(
                    new PermissionRules.Wish(
                            rule[0], "tab_action:click", rule[1], rule[2], true, 0, 0));
        }
        hub.call("POST", "/api/ambient/v1/projects", Json.object().put("name", "elsewhere"));
        CliDoor user = new CliDoor(hub.port(), hub.token);
        user.run(false, "token", "add", "ci", "--mode", "act");
        assertThat(user.run(false, "permissions", "rules").text())
                .contains("ours.test", "all.test", "elsewhere.test", "program.test", "act:ci");
        assertThat(user.run(false, "projects").text()).contains("default", "elsewhere");
        assertThat(user.run(false, "token", "list").text()).contains("ci");
        user.run(false, "origin", "add", "https://yours.test");
        assertThat(user.run(false, "origin", "list").text()).contains("yours.test");
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            assertThat(chat.turn(id, "shell " + tandem + "permissions rules"))
                    .contains("ours.test", "all.test")
                    .doesNotContain("elsewhere.test", "program.test", "act:ci");
            assertThat(chat.turn(id, "shell " + tandem + "projects"))
                    .contains("default", "1 session")
                    .doesNotContain("elsewhere");
            assertThat(chat.turn(id, "shell " + tandem + "token list"))
                    .contains("Only you can")
                    .doesNotContain("since");
            assertThat(chat.turn(id, "shell " + tandem + "origin list"))
                    .contains("Only you can")
                    .doesNotContain("yours.test");
        }
    }

    // SEC-1, SEC-2: nor does one that threw away its marks, its session and its parents
    @Test
    void aStrayCommandIsNotTheUsers() throws Exception {
        Path said = folder.resolve("stray-said");
        Path script =
                Files.writeString(
                        folder.resolve("stray.sh"),
                        """
                        until grep -q "^PPid:.%d$" /proc/$BASHPID/status; do sleep 0.05; done
                        %stoken >%s.part 2>&1
                        mv %3$s.part %3$s
                        """
                                .formatted(ProcessHandle.current().pid(), tandem, said));
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            chat.turn(
                    id,
                    "shell setsid env -i \"PATH=$PATH\" \"HOME=$HOME\" bash -c 'bash %s &' >/dev/null"
                            .formatted(script));
            await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(said));
            assertThat(said).content().contains("Only you can").doesNotContain(hub.token);
        }
    }

    // SEC-2: nor does it answer a card, its own or another's
    @Test
    void anAgentAnswersNoCard() throws Exception {
        PermissionDesk desk = hub.sessions().desk();
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String asks = chat.newSession("scripted").get("sessionId").asString();
            chat.say(ChatSocket.prompt(asks, "p", "ask allow_once,reject_once"));
            String card = chat.hear("permission_request").get("requestId").asString();
            String other = chat.newSession("scripted").get("sessionId").asString();
            String said = chat.turn(other, "shell " + tandem + "permissions allow " + card);
            assertThat(said).doesNotContain("Allowed");
            Caller itself =
                    new Caller(
                            TokenKind.SESSION,
                            asks,
                            "x",
                            "all",
                            Caller.Mode.ACT,
                            Optional.of(asks));
            assertThatThrownBy(() -> desk.answer(card, "allow_once", itself))
                    .hasMessageContaining("Only the user");
            assertThat(desk.open(asks)).extracting(Card::requestId).containsExactly(card);
        }
    }
}

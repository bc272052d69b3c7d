package dev.tandem.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program in a terminal: which one, what it is told, whose its children are. */
@Timeout(30)
class ProgramTest {
    @TempDir static Path dir;
    private static SessionAgent sessions;

    @BeforeAll
    static void start() throws IOException {
        sessions = new SessionAgent(dir);
    }

    @AfterAll
    static void stop() {
        sessions.close();
    }

    @Test
    void environmentTellsWhereTheHubIsAndNothingOfOurs() throws Exception {
        Map<String, Object> fields =
                Map.of(
                        "env",
                        Map.of(
                                "TANDEM_TOKEN",
                                "scoped-one",
                                "TANDEM_URL",
                                "http://127.0.0.1:1",
                                "BROWSE_PORT",
                                "1"));
        String session = SessionAgent.session();
        try (Client client = sessions.open(session, fields)) {
            client.untilText("ready");
            client.socket()
                    .keys(
                            "for v in URL TOKEN TERMINAL_ID SECRET STATE_DIR; do n=TANDEM_$v;"
                                    + " echo \"$v=${!n}\"; done; echo \"$TERM $COLORTERM $BROWSE_PORT $BROWSE_HEADED $BROWSE_NO_AUTOSTART\"\n");
            client.untilText("xterm-256color truecolor 1 1 1");
            assertThat(client.text())
                    .contains("URL=http://127.0.0.1:1\r")
                    .contains("TOKEN=scoped-one\r")
                    .contains("TERMINAL_ID=" + session + "\r")
                    .contains("SECRET=\r")
                    .contains("STATE_DIR=" + sessions.agent().state() + "\r");
        }
        byte[] environ =
                Files.readAllBytes(
                        Path.of("/proc/" + sessions.agent().process().pid() + "/environ"));
        assertThat(new String(environ, java.nio.charset.StandardCharsets.UTF_8))
                .doesNotContain(sessions.agent().internalToken());
    }

    // TRM-B02
    @Test
    void programIsChosenByName() throws Exception {
        try (Client shell =
                sessions.open(SessionAgent.session(), Map.of("profile", "shell", "cwd", "/usr"))) {
            shell.socket().keys("echo $0:$PWD\n");
            shell.untilText("bash:/usr");
        }
        try (Client own = sessions.open(SessionAgent.session(), Map.of("profile", "mine"))) {
            own.untilClose();
            assertThat(own.text()).isEqualTo("my own\r\n");
        }
        try (Client unknown = sessions.open(SessionAgent.session(), Map.of("profile", "/bin/sh"))) {
            assertThat(unknown.untilMessage("error").path("code").asString())
                    .isEqualTo("PROFILE_UNKNOWN");
            assertThat(unknown.untilClose()).isEqualTo(4410);
        }
        assertThat(sessions.agent().internal("GET", "profiles", "").toString())
                .contains("{\"name\":\"mine\",\"available\":true}")
                .contains("{\"name\":\"claude\",\"available\":true}");
    }

    // TRM-097, TRM-L23
    @Test
    void tabFilesFollowWithoutInternalPages() throws Exception {
        String session = SessionAgent.session();
        try (Client client = sessions.open(session, Map.of())) {
            client.untilText("ready");
            client.socket()
                    .text(
                            "{\"type\":\"tabState\",\"reason\":\"activated\",\"active\":{\"tabId\":7,"
                                    + "\"url\":\"https://a.test/\",\"title\":\"A\"},\"tabs\":[{\"tabId\":7,"
                                    + "\"url\":\"https://a.test/\",\"active\":true},{\"tabId\":8,\"url\":"
                                    + "\"chrome://settings\"},{\"tabId\":9,\"url\":\"https://b.test\","
                                    + "\"incognito\":true}]}");
            client.socket().keys("cat \"$TANDEM_ACTIVE_TAB_FILE\"\n");
            client.untilText("{\"tabId\":7,\"url\":\"https://a.test/\",\"title\":\"A\"}");
            String tabs = Files.readString(sessions.agent().state().resolve("tabs.json"));
            assertThat(tabs)
                    .contains("\"reason\":\"activated\"", "\"tabId\":7")
                    .doesNotContain("\"tabId\":8", "\"tabId\":9");
            client.socket()
                    .text(
                            "{\"type\":\"tabSwitch\",\"tabId\":8,\"url\":\"chrome://settings\",\"title\":\"S\"}");
            await().untilAsserted(() ->
                    assertThat(sessions.agent().state().resolve("active-tab.json"))
                            .hasContent("{\"tabId\":null,\"url\":\"\",\"title\":\"\"}"));
        }
    }

    // SEC-1
    @Test
    void doubleForkStaysBelowTheAgentAndIsAttributed() throws Exception {
        String session = SessionAgent.session();
        try (Client client = sessions.open(session, Map.of())) {
            client.untilText("ready");
            client.socket()
                    .keys(
                            "(setsid sh -c 'echo $$ > \"$HOME/forked\"; exec sleep 60' >/dev/null 2>&1 < /dev/null &)\n");
            Path file = dir.resolve("forked");
            await().until(() -> Files.exists(file) && !Files.readString(file).isBlank());
            int forked = Integer.parseInt(Files.readString(file).strip());
            await().until(() ->
                    ProcessTree.ancestors(forked).orElseThrow().getFirst()
                            == (int) sessions.agent().process().pid());
            var owner = sessions.agent().internal("POST", "owner-of", "{\"pid\":" + forked + "}");
            assertThat(owner.path("descendant").asBoolean()).isTrue();
            assertThat(owner.path("sessionId").asString()).isEqualTo(session);
            long us = ProcessHandle.current().pid();
            assertThat(
                            sessions.agent()
                                    .internal("POST", "owner-of", "{\"pid\":" + us + "}")
                                    .path("descendant")
                                    .asBoolean())
                    .isFalse();
        }
    }

    // SEC-1: also with every secret that lies in a file, directly and double-forked
    @Test
    void noDoorOfTheAgentIsOpenToThePrograms() throws Exception {
        Path thief = dir.resolve("thief");
        Files.writeString(
                thief,
                """
                port=$(cat "$TANDEM_STATE_DIR/terminal-port")
                secret=$(cat "$TANDEM_STATE_DIR/terminal-internal-token")
                exec 3<>"/dev/tcp/127.0.0.1/$port"
                printf '%s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n' "$2" "$port" >&3
                printf 'Authorization: Bearer %s\r\nOrigin: %s\r\n' "$secret" "$3" >&3
                printf 'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' >&3
                printf 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n' >&3
                printf 'Sec-WebSocket-Protocol: gstack-pty.%s\r\n\r\n' "$4" >&3
                head -c 12 <&3 >"$1.part"
                mv "$1.part" "$1"
                """);
        String other = SessionAgent.session();
        String token = sessions.agent().grant(other, Map.of());
        try (Client client = sessions.open(SessionAgent.session(), Map.of())) {
            client.untilText("ready");
            for (String what : java.util.List.of("/internal/list", "/claude-available", "/ws")) {
                for (String line :
                        java.util.List.of("bash %s\n", "(setsid bash %s </dev/null &)\n")) {
                    Path result = dir.resolve(Secrets.make(8));
                    String words =
                            "%s %s 'GET %s' %s %s"
                                    .formatted(thief, result, what, AgentProcess.ORIGIN, token);
                    client.socket().keys(line.formatted(words));
                    await().until(() -> Files.exists(result));
                    assertThat(result).as(what).hasContent("HTTP/1.1 403");
                }
            }
            assertThat(sessions.agent().terminals()).isNotEmpty();
        }
        Client.started(sessions.agent(), token, SessionAgent.START).close();
    }

    // No zombies stay of what the agent inherits.
    @Test
    void inheritedOrphansAreBuried() throws Exception {
        try (Client client = sessions.open(SessionAgent.session(), Map.of())) {
            client.untilText("ready");
            client.socket().keys("(sh -c 'exit 0' &) ; (setsid sh -c 'exit 0' &); echo done\n");
            client.untilText("done\r\ndone");
            Path children =
                    Path.of(
                            "/proc/"
                                    + sessions.agent().process().pid()
                                    + "/task/"
                                    + sessions.agent().process().pid()
                                    + "/children");
            assertThat(children).exists();
            await().untilAsserted(() -> {
                try (var all = Files.list(Path.of("/proc"))) {
                    assertThat(all.filter(ProgramTest::zombieOfAgent)).isEmpty();
                }
            });
        }
    }

    private static boolean zombieOfAgent(Path proc) {
        try {
            String stat = Files.readString(proc.resolve("stat"));
            String[] rest = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return rest[0].equals("Z") && rest[1].equals("" + sessions.agent().process().pid());
        } catch (IOException _) {
            return false;
        }
    }
}

package dev.tandem.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One terminal from its first byte to its end, over the real socket. */
@Timeout(30)
class SessionTest {
    private static final String START = "{\"type\":\"start\"}";

    @TempDir static Path dir;
    private static AgentProcess agent;

    // Prints what it was given, then runs every line it reads.
    private static final String CLAUDE =
            "touch \"$HOME/started-$TANDEM_TERMINAL_ID\"; printf '[%s]' \"$@\"; echo; echo ready $$;"
                    + " trap 'echo int >> \"$HOME/int-$TANDEM_TERMINAL_ID\"; exit 130' INT;"
                    + " while read -r line; do eval \"$line\"; done";

    @BeforeAll
    static void start() throws IOException {
        agent =
                new AgentProcess(
                        dir,
                        CLAUDE,
                        Map.of("GSTACK_PTY_DETACH_WINDOW_MS", "700", "TANDEM_SECRET", "x"));
        Path config = Files.createDirectories(dir.resolve(".config/tandem"));
        Files.writeString(
                config.resolve("config.json"),
                "{\"terminal\":{\"commands\":{\"mine\":[\"/bin/echo\",\"my own\"]}}}");
    }

    @AfterAll
    static void stop() {
        agent.close();
    }

    private static String session() {
        return Secrets.make(16);
    }

    private static Client open(String session, Map<String, Object> fields) throws Exception {
        return Client.started(agent, agent.grant(session, fields), START);
    }

    private static long pidOf(Client client) {
        return client.message("hello").path("pid").asLong();
    }

    private static boolean lives(long pid) {
        return ProcessTree.entry((int) pid).isPresent();
    }

    // TRM-029, TRM-030, TRM-031, TRM-011, TRM-C04
    @Test
    void firstByteStartsTheProgramAndTheUpgradeDoesNot() throws Exception {
        String session = session();
        Path started = dir.resolve("started-" + session);
        try (Client client = new Client(agent.open(agent.grant(session, Map.of())))) {
            client.socket().text("{\"type\":\"resize\",\"cols\":91,\"rows\":31}");
            assertThat(client.quietFor(2000)).isTrue();
            assertThat(started).doesNotExist();
            client.socket().keys("\n");
            client.untilText("ready");
            assertThat(started).exists();
            client.socket().keys("stty size\n");
            client.untilText("31 91");
            assertThat(client.messages()).as("a plain client sees bytes only").isEmpty();
        }
    }

    // TRM-008, TRM-090, TRM-004
    @Test
    void programIsAChildOfTheAgentWithoutAOneShotFlag() throws Exception {
        try (Client client = open(session(), Map.of())) {
            client.untilText("ready");
            assertThat(ProcessTree.ancestors((int) pidOf(client)).getFirst())
                    .isEqualTo((int) agent.process().pid());
            assertThat(client.text()).contains("[--append-system-prompt]").doesNotContain("[-p]");
            assertThat(client.text()).contains("active-tab.json").contains("tabs.json");
        }
    }

    // TRM-062
    @Test
    void eachSocketHasItsOwnTerminal() throws Exception {
        try (Client one = open(session(), Map.of());
                Client two = open(session(), Map.of())) {
            one.untilText("ready");
            two.untilText("ready");
            assertThat(pidOf(one)).isNotEqualTo(pidOf(two));
            one.socket().keys("echo only-here\n");
            one.untilText("only-here\r\nonly-here");
            assertThat(two.quietFor(100)).isTrue();
        }
    }

    // TRM-063
    @Test
    void closingAPlainSocketInterruptsTheProgram() throws Exception {
        String session = session();
        Client client = open(session, Map.of());
        client.untilText("ready");
        long pid = pidOf(client);
        client.close();
        await().until(() -> !lives(pid));
        assertThat(dir.resolve("int-" + session)).hasContent("int");
    }

    // TRM-064
    @Test
    void whatIgnoresTheInterruptIsKilledThreeSecondsAfterTheClose() throws Exception {
        Client client = open(session(), Map.of());
        client.untilText("ready");
        long pid = pidOf(client);
        client.socket().keys("trap '' INT HUP TERM; echo de''af; while :; do sleep 0.2; done\n");
        client.untilText("deaf");
        long begun = System.nanoTime();
        client.close();
        await().pollInterval(Duration.ofMillis(10)).until(() -> !lives(pid));
        assertThat((System.nanoTime() - begun) / 1e9).isBetween(2.9, 3.5);
    }

    // TRM-L07
    @Test
    void exitIsToldAfterTheLastByteAndBeforeTheClose() throws Exception {
        try (Client client = open(session(), Map.of())) {
            client.untilText("ready");
            client.socket().keys("printf last; exit 7\n");
            assertThat(client.untilClose()).isEqualTo(1000);
            assertThat(client.text()).endsWith("last");
            assertThat(client.messages().getLast().toString())
                    .isEqualTo("{\"type\":\"exit\",\"code\":7,\"signal\":null}");
        }
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
        String session = session();
        try (Client client = open(session, fields)) {
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
                    .contains("STATE_DIR=" + agent.state() + "\r");
        }
        byte[] environ = Files.readAllBytes(Path.of("/proc/" + agent.process().pid() + "/environ"));
        assertThat(new String(environ, java.nio.charset.StandardCharsets.UTF_8))
                .doesNotContain(agent.internalToken());
    }

    // TRM-B02
    @Test
    void programIsChosenByName() throws Exception {
        try (Client shell = open(session(), Map.of("profile", "shell", "cwd", "/usr"))) {
            shell.socket().keys("echo $0:$PWD\n");
            shell.untilText("bash:/usr");
        }
        try (Client own = open(session(), Map.of("profile", "mine"))) {
            own.untilClose();
            assertThat(own.text()).isEqualTo("my own\r\n");
        }
        try (Client unknown = open(session(), Map.of("profile", "/bin/sh"))) {
            assertThat(unknown.untilMessage("error").path("code").asString())
                    .isEqualTo("PROFILE_UNKNOWN");
            assertThat(unknown.untilClose()).isEqualTo(4410);
        }
        assertThat(agent.internal("GET", "profiles", "").toString())
                .contains("{\"name\":\"mine\",\"available\":true}")
                .contains("{\"name\":\"claude\",\"available\":true}");
    }

    // TRM-L11, TRM-069, TRM-C03
    @Test
    void resumableTerminalSurvivesTheSocketAndGoesOnAtTheSameByte() throws Exception {
        String session = session();
        Client client = open(session, AgentProcess.resumable());
        client.untilText("ready");
        long pid = pidOf(client);
        client.socket().keys("x=41; sleep 0.2; echo away-$x-over\n");
        client.untilText("$x-over");
        long at = client.seq();
        client.socket().cut();
        String token = agent.grant(session, Map.of("resume", true, "attach", true));
        try (Client again =
                Client.started(
                        agent, token, "{\"type\":\"start\",\"ack\":true,\"from\":" + at + "}")) {
            again.untilMessage("reattach-end");
            assertThat(again.message("hello").path("pid").asLong()).isEqualTo(pid);
            assertThat(again.message("reattach-begin").path("reset").asBoolean()).isFalse();
            again.untilText("away-41-over\r\n");
            assertThat(client.text() + again.text())
                    .containsOnlyOnce("away-41-over")
                    .endsWith("echo away-$x-over\r\naway-41-over\r\n");
            again.socket().keys("echo $((x+1))\n");
            again.untilText("\r\n42\r\n");
        }
    }

    // TRM-C03
    @Test
    void loneTerminalEndsAfterItsWindowAndStaysGone() throws Exception {
        String session = session();
        Client client = open(session, AgentProcess.resumable());
        client.untilText("ready");
        long pid = pidOf(client);
        client.close();
        await().until(() -> !lives(pid));
        var answer =
                agent.send(
                        "POST",
                        "/internal/grant",
                        "{\"token\":\""
                                + Secrets.make(32)
                                + "\",\"attach\":true,\"sessionId\":\""
                                + session
                                + "\"}",
                        "Authorization",
                        "Bearer " + agent.internalToken());
        assertThat(answer.statusCode()).isEqualTo(410);
    }

    @Test
    void pinnedTerminalOutlivesTheWindow() throws Exception {
        String session = session();
        Client client = open(session, AgentProcess.resumable());
        client.untilText("ready");
        long pid = pidOf(client);
        client.socket().text("{\"type\":\"pin\",\"pinned\":true}");
        client.socket().keys("echo pinned now\n");
        client.untilText("pinned now\r\npinned now");
        client.close();
        // Another one that is not pinned shows that the window has passed.
        String other = session();
        Client loose = open(other, AgentProcess.resumable());
        loose.untilText("ready");
        long loosePid = pidOf(loose);
        loose.close();
        await().until(() -> !lives(loosePid));
        assertThat(lives(pid)).isTrue();
        assertThat(agent.terminals().stream().map(t -> t.path("sessionId").asString()))
                .contains(session)
                .doesNotContain(other);
        agent.internal("POST", "dispose", "{\"sessionId\":\"" + session + "\"}");
        await().until(() -> !lives(pid));
    }

    // TRM-L12
    @Test
    void exitWhileNobodyLooksIsToldToWhoComesBack() throws Exception {
        String session = session();
        Client client = open(session, AgentProcess.resumable());
        client.untilText("ready");
        long pid = pidOf(client);
        client.socket().keys("read -t 0.1 x < /dev/zero; printf farewell; exit 5\n");
        client.socket().cut();
        await().until(() -> !lives(pid));
        String token = agent.grant(session, Map.of("resume", true, "attach", true));
        try (Client again = Client.started(agent, token, START)) {
            assertThat(again.untilClose()).isEqualTo(1000);
            assertThat(again.text()).endsWith("farewell");
            assertThat(again.message("exit").path("code").asInt()).isEqualTo(5);
        }
    }

    // TRM-L03
    @Test
    void newWriterTakesOverAndTheOldSocketsCloseHarmsNobody() throws Exception {
        String session = session();
        Client first = open(session, AgentProcess.resumable());
        first.untilText("ready");
        long pid = pidOf(first);
        try (Client second = open(session, AgentProcess.resumable())) {
            assertThat(first.untilClose()).isEqualTo(4409);
            first.close();
            second.untilMessage("reattach-end");
            second.socket().keys("echo still $$\n");
            second.untilText("still " + pid);
        }
    }

    // TRM-B08
    @Test
    void readersSeeEverythingAndTypeNothing() throws Exception {
        String session = session();
        try (Client writer = open(session, AgentProcess.resumable())) {
            writer.untilText("ready");
            try (Client reader = open(session, Map.of("readOnly", true))) {
                reader.untilMessage("reattach-end");
                assertThat(reader.message("hello").path("writer").asBoolean()).isFalse();
                reader.socket().keys("echo intruder\n");
                assertThat(reader.untilMessage("error").path("code").asString())
                        .isEqualTo("NOT_WRITER");
                reader.socket().text("{\"type\":\"resize\",\"cols\":20,\"rows\":20}");
                writer.socket().text("{\"type\":\"resize\",\"cols\":100,\"rows\":30}");
                writer.socket().keys("stty size\n");
                reader.untilText("30 100");
                reader.until(() ->
                        reader.messages().stream().anyMatch(m -> m.path("cols").asInt() == 100));
                assertThat(reader.text()).doesNotContain("intruder");
            }
            writer.socket().keys("echo writer stays\n");
            writer.untilText("writer stays\r\nwriter stays");
            assertThat(writer.text()).doesNotContain("intruder");
        }
    }

    // TRM-071
    @Test
    void restartEndsThatTerminalOnly() throws Exception {
        String session = session();
        try (Client one = open(session, AgentProcess.resumable());
                Client other = open(session(), Map.of())) {
            one.untilText("ready");
            other.untilText("ready");
            long pid = pidOf(one);
            assertThat(
                            agent.internal("POST", "restart", "{\"sessionId\":\"" + session + "\"}")
                                    .path("killed")
                                    .asInt())
                    .isEqualTo(1);
            assertThat(one.untilClose()).isEqualTo(4001);
            await().until(() -> !lives(pid));
            other.socket().keys("echo untouched\n");
            other.untilText("untouched\r\nuntouched");
        }
        assertThat(agent.internal("POST", "restart", "{}").path("killed").asInt()).isZero();
    }

    @Test
    void listTellsWhatRuns() throws Exception {
        String session = session();
        try (Client client = open(session, AgentProcess.resumable())) {
            client.untilText("ready");
            client.socket().keys("printf '\\e]2;my title\\a'\n");
            client.untilMessage("title");
            var row =
                    agent.terminals().stream()
                            .filter(t -> t.path("sessionId").asString().equals(session))
                            .findFirst()
                            .orElseThrow();
            assertThat(row.path("title").asString()).isEqualTo("my title");
            assertThat(row.path("pid").asLong()).isEqualTo(pidOf(client));
            assertThat(row.path("attached").asInt()).isEqualTo(1);
            assertThat(row.path("cols").asInt()).isEqualTo(80);
            assertThat(row.path("leaseExpiresAt").asLong())
                    .isGreaterThan(System.currentTimeMillis());
        }
    }

    @Test
    void nonsenseIsIgnoredAndTooMuchIsRefused() throws Exception {
        try (Client client = open(session(), Map.of())) {
            client.untilText("ready");
            for (String text :
                    new String[] {"", "{", "[]", "null", "{\"type\":\"x\"}", "{\"type\":5}"}) {
                client.socket().text(text);
            }
            client.socket().text("{\"type\":\"resize\",\"cols\":\"wide\",\"rows\":null}");
            client.socket().text("{\"type\":\"ack\",\"seq\":1e300}");
            client.socket().keys("stty size\n");
            client.untilText("24 80");
            assertThat(refusal(client)).isEqualTo(1009);
        }
    }

    /** Announces a frame that is too large; it is refused long before it has arrived. */
    private static int refusal(Client client) throws IOException {
        client.socket().announce(2, Limits.INPUT_FRAME_BYTES + 1, 1024);
        return client.untilClose();
    }

    // TRM-097, TRM-L23
    @Test
    void tabFilesFollowWithoutInternalPages() throws Exception {
        String session = session();
        try (Client client = open(session, Map.of())) {
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
            String tabs = Files.readString(agent.state().resolve("tabs.json"));
            assertThat(tabs)
                    .contains("\"reason\":\"activated\"", "\"tabId\":7")
                    .doesNotContain("\"tabId\":8", "\"tabId\":9");
            client.socket()
                    .text(
                            "{\"type\":\"tabSwitch\",\"tabId\":8,\"url\":\"chrome://settings\",\"title\":\"S\"}");
            await().untilAsserted(() ->
                    assertThat(agent.state().resolve("active-tab.json"))
                            .hasContent("{\"tabId\":null,\"url\":\"\",\"title\":\"\"}"));
        }
    }

    // SEC-1
    @Test
    void doubleForkStaysBelowTheAgentAndIsAttributed() throws Exception {
        String session = session();
        try (Client client = open(session, Map.of())) {
            client.untilText("ready");
            client.socket()
                    .keys(
                            "(setsid sh -c 'echo $$ > \"$HOME/forked\"; exec sleep 60' >/dev/null 2>&1 < /dev/null &)\n");
            Path file = dir.resolve("forked");
            await().until(() -> Files.exists(file) && !Files.readString(file).isBlank());
            int forked = Integer.parseInt(Files.readString(file).strip());
            await().until(() ->
                    ProcessTree.ancestors(forked).getFirst() == (int) agent.process().pid());
            var owner = agent.internal("POST", "owner-of", "{\"pid\":" + forked + "}");
            assertThat(owner.path("descendant").asBoolean()).isTrue();
            assertThat(owner.path("sessionId").asString()).isEqualTo(session);
            long us = ProcessHandle.current().pid();
            assertThat(
                            agent.internal("POST", "owner-of", "{\"pid\":" + us + "}")
                                    .path("descendant")
                                    .asBoolean())
                    .isFalse();
        }
    }

    // No zombies stay of what the agent inherits.
    @Test
    void inheritedOrphansAreBuried() throws Exception {
        try (Client client = open(session(), Map.of())) {
            client.untilText("ready");
            client.socket().keys("(sh -c 'exit 0' &) ; (setsid sh -c 'exit 0' &); echo done\n");
            client.untilText("done\r\ndone");
            Path children =
                    Path.of(
                            "/proc/"
                                    + agent.process().pid()
                                    + "/task/"
                                    + agent.process().pid()
                                    + "/children");
            assertThat(children).exists();
            await().untilAsserted(() -> {
                try (var all = Files.list(Path.of("/proc"))) {
                    assertThat(all.filter(SessionTest::zombieOfAgent)).isEmpty();
                }
            });
        }
    }

    private static boolean zombieOfAgent(Path proc) {
        try {
            String stat = Files.readString(proc.resolve("stat"));
            String[] rest = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return rest[0].equals("Z") && rest[1].equals("" + agent.process().pid());
        } catch (IOException _) {
            return false;
        }
    }
}

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Terminals that outlive their socket, and several clients of one. */
@Timeout(30)
class ResumeTest {
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

    // TRM-L11, TRM-069, TRM-C03
    @Test
    void resumableTerminalSurvivesTheSocketAndGoesOnAtTheSameByte() throws Exception {
        String session = SessionAgent.session();
        Client client = sessions.open(session, AgentProcess.resumable());
        client.untilText("ready");
        long pid = SessionAgent.pidOf(client);
        client.socket().keys("x=41; sleep 0.2; echo away-$x-over\n");
        client.untilText("$x-over");
        long at = client.seq();
        client.socket().cut();
        String token = sessions.agent().grant(session, Map.of("resume", true, "attach", true));
        try (Client again =
                Client.started(
                        sessions.agent(),
                        token,
                        "{\"type\":\"start\",\"ack\":true,\"from\":" + at + "}")) {
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
        String session = SessionAgent.session();
        Client client = sessions.open(session, AgentProcess.resumable());
        client.untilText("ready");
        long pid = SessionAgent.pidOf(client);
        client.close();
        await().until(() -> !SessionAgent.lives(pid));
        assertThat(refusedGrant(session)).isEqualTo(410);
    }

    // TRM-C03, TRM-066, TRM-068: a token for one program never starts another
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tokenForAnEndedTerminalStartsNothing(boolean readOnly) throws Exception {
        String session = SessionAgent.session();
        Client client = sessions.open(session, AgentProcess.resumable());
        client.untilText("ready");
        Path started = dir.resolve("started-" + session);
        Files.delete(started);
        String token =
                sessions.agent()
                        .grant(
                                session,
                                Map.of("resume", true, "attach", true, "readOnly", readOnly));
        client.socket().keys("exit 5\n");
        assertThat(client.untilClose()).isEqualTo(1000);
        client.socket().send(8, new byte[] {0x03, (byte) 0xE8});
        await().until(() -> !listed(session));
        try (Client late =
                Client.started(
                        sessions.agent(), token, "{\"type\":\"start\",\"ack\":true,\"from\":50}")) {
            late.socket().keys("\n");
            assertThat(late.untilClose()).isEqualTo(4410);
            assertThat(late.messages()).isEmpty();
        }
        assertThat(started).doesNotExist();
        assertThat(refusedGrant(session)).isEqualTo(410);
    }

    private static boolean listed(String session) throws Exception {
        return sessions.agent().terminals().stream()
                .anyMatch(row -> row.path("sessionId").asString().equals(session));
    }

    /** What the agent answers when a hub asks to come back to this terminal. */
    private static int refusedGrant(String session) throws Exception {
        return sessions.agent()
                .send(
                        "POST",
                        "/internal/grant",
                        "{\"token\":\""
                                + Secrets.make(32)
                                + "\",\"attach\":true,\"sessionId\":\""
                                + session
                                + "\"}",
                        "Authorization",
                        "Bearer " + sessions.agent().internalToken())
                .statusCode();
    }

    @Test
    void pinnedTerminalOutlivesTheWindow() throws Exception {
        String session = SessionAgent.session();
        Client client = sessions.open(session, AgentProcess.resumable());
        client.untilText("ready");
        long pid = SessionAgent.pidOf(client);
        client.socket().text("{\"type\":\"pin\",\"pinned\":true}");
        client.socket().keys("echo pinned now\n");
        client.untilText("pinned now\r\npinned now");
        client.close();
        // Another one that is not pinned shows that the window has passed.
        String other = SessionAgent.session();
        Client loose = sessions.open(other, AgentProcess.resumable());
        loose.untilText("ready");
        long loosePid = SessionAgent.pidOf(loose);
        loose.close();
        await().until(() -> !SessionAgent.lives(loosePid));
        assertThat(SessionAgent.lives(pid)).isTrue();
        assertThat(sessions.agent().terminals().stream().map(t -> t.path("sessionId").asString()))
                .contains(session)
                .doesNotContain(other);
        sessions.agent().internal("POST", "dispose", "{\"sessionId\":\"" + session + "\"}");
        await().until(() -> !SessionAgent.lives(pid));
    }

    // TRM-L12
    @Test
    void exitWhileNobodyLooksIsToldToWhoComesBack() throws Exception {
        String session = SessionAgent.session();
        Client client = sessions.open(session, AgentProcess.resumable());
        client.untilText("ready");
        long pid = SessionAgent.pidOf(client);
        client.socket().keys("read -t 0.1 x < /dev/zero; printf farewell; exit 5\n");
        client.socket().cut();
        await().until(() -> !SessionAgent.lives(pid));
        assertThat(again(session).message("exit").path("code").asInt()).isEqualTo(5);
    }

    // TRM-B03: who comes back, or only looks on, hears the title that was given before
    @Test
    void titleIsToldAgain() throws Exception {
        String session = SessionAgent.session();
        Client client = sessions.open(session, AgentProcess.resumable());
        client.untilText("ready");
        client.socket().keys("printf '\\e]2;my title\\a'\n");
        client.untilMessage("title");
        try (Client reader = sessions.open(session, Map.of("readOnly", true))) {
            assertThat(reader.untilMessage("title").path("title").asString()).isEqualTo("my title");
        }
        client.socket().cut();
        String token = sessions.agent().grant(session, Map.of("resume", true, "attach", true));
        try (Client again = Client.started(sessions.agent(), token, SessionAgent.START)) {
            assertThat(again.untilMessage("title").path("title").asString()).isEqualTo("my title");
        }
    }

    // TRM-L07, TRM-L12: the close was sent, but nobody says that it arrived
    @Test
    void exitIsKeptForAClientThatNeverAnsweredTheClose() throws Exception {
        String session = SessionAgent.session();
        Client client = sessions.open(session, AgentProcess.resumable());
        client.untilText("ready");
        client.socket().keys("printf farewell; exit 5\n");
        assertThat(client.untilClose()).isEqualTo(1000);
        client.socket().cut();
        assertThat(again(session).message("exit").path("code").asInt()).isEqualTo(5);
    }

    /** Comes back, hears the end and says so. */
    private static Client again(String session) throws Exception {
        String token = sessions.agent().grant(session, Map.of("resume", true, "attach", true));
        try (Client again = Client.started(sessions.agent(), token, SessionAgent.START)) {
            assertThat(again.untilClose()).isEqualTo(1000);
            assertThat(again.text()).endsWith("farewell");
            again.socket().send(8, new byte[] {0x03, (byte) 0xE8});
            return again;
        }
    }

    // TRM-L03
    @Test
    void newWriterTakesOverAndTheOldSocketsCloseHarmsNobody() throws Exception {
        String session = SessionAgent.session();
        Client first = sessions.open(session, AgentProcess.resumable());
        first.untilText("ready");
        long pid = SessionAgent.pidOf(first);
        try (Client second = sessions.open(session, AgentProcess.resumable())) {
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
        String session = SessionAgent.session();
        try (Client writer = sessions.open(session, AgentProcess.resumable())) {
            writer.untilText("ready");
            try (Client reader = sessions.open(session, Map.of("readOnly", true))) {
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
}

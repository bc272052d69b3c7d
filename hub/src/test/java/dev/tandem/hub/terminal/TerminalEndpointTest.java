package dev.tandem.hub.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.Inside;
import dev.tandem.hub.RawHttp;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The hub's doors to terminals, with the real agent process behind them. */
@Timeout(60)
class TerminalEndpointTest {
    @TempDir static Path folder;
    private static TerminalHub hub;

    @BeforeAll
    static void start() throws IOException {
        hub = new TerminalHub(folder);
    }

    @AfterAll
    static void stop() throws IOException {
        hub.close();
    }

    // TRM-022, TRM-023, TRM-024, TRM-033, TRM-035, TRM-036, TRM-039, SEC-16, SETTLED 3
    @Test
    void openingMintsAGrantedTokenAndACookieForNonBrowsers() throws Exception {
        RawHttp.Answer answer = hub.send("POST /pty-session", hub.user(), "");
        JsonNode body = Json.parse(answer.body());
        String token = body.get("ptySessionToken").asString();
        assertThat(token).matches("[A-Za-z0-9_-]{43}");
        assertThat(body.get("attachToken").asString()).isEqualTo(token);
        assertThat(body.get("terminalPort").asInt()).isEqualTo(hub.terminalPort());
        assertThat(body.get("expiresAt").asLong() - System.currentTimeMillis())
                .isBetween(1L, 30_000L);
        // SEC-16: what is sent to every port opens nothing by itself, and is not the token.
        String head = answer.rest().substring(0, answer.rest().indexOf("\r\n\r\n") + 1);
        assertThat(head)
                .containsPattern(
                        "Set-Cookie: gstack_pty=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/ws;"
                                + " Max-Age=30\r")
                .doesNotContain(token);
        String cookie = head.replaceAll("(?s).*Set-Cookie: (gstack_pty=[^;]*);.*", "$1");
        assertThat(hub.upgradeWith("Cookie: " + cookie)).isEqualTo(401);
        assertThat(hub.upgradeWith("Cookie: " + cookie, "Authorization: Bearer " + token))
                .isEqualTo(101);
        token = hub.open("").get("ptySessionToken").asString();
        assertThat(hub.upgrade(token)).isEqualTo(101);
        assertThat(hub.upgrade(token)).isEqualTo(401);
    }

    // SEC-16, TRM-037: ports share a browser's cookies, so it gets none
    @Test
    void aBrowserGetsNoCookie() throws Exception {
        for (String sign : List.of("Origin: " + TerminalHub.ORIGIN, "Sec-Fetch-Site: none")) {
            RawHttp.Answer answer = hub.send("POST /pty-session", hub.user(), "", sign);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.rest()).doesNotContain("Set-Cookie");
        }
    }

    // ACP-84, SEC-3: callers name an agent and its way, never a program
    @Test
    void aSignInIsTheAgentsOwn() throws Exception {
        String unknown =
                "{\"profile\":\"sign-in:[\\\"nobody\\\",\\\"tty\\\"]\",\"command\":[\"sh\"]}";
        RawHttp.Answer refused = hub.send("POST /pty-session", hub.user(), unknown);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("no such sign-in");
        assertThat(
                        hub.send("POST /pty-session", hub.user(), "{\"profile\":\"sign-in:x\"}")
                                .status())
                .isEqualTo(400);
    }

    // TRM-039, TRM-048, TRM-050, TRM-058
    @Test
    void onlyTheUserMints() throws Exception {
        String pty = hub.open("").get("ptySessionToken").asString();
        RawHttp.Answer nobody = hub.send("POST /pty-session", "", "");
        assertThat(nobody.status()).isEqualTo(401);
        assertThat(Json.parse(nobody.body()).get("error").asString()).isEqualTo("Unauthorized");
        assertThat(hub.send("POST /pty-session", pty, "").status()).isEqualTo(401);
        assertThat(hub.send("GET /pty-session", hub.user(), "").status()).isEqualTo(405);
    }

    // TRM-010, TRM-041
    @Test
    void noFileHoldsAToken() throws Exception {
        String token = hub.open("").get("ptySessionToken").asString();
        try (var files = Files.walk(hub.app().stateDir())) {
            for (Path file :
                    files.filter(f -> Files.isRegularFile(f) && !f.toString().contains("tandem.db"))
                            .toList()) {
                assertThat(Files.readString(file)).doesNotContain(token);
            }
        }
    }

    @Test
    void unknownTerminalIsGone() throws Exception {
        RawHttp.Answer answer =
                hub.send("POST /pty-session/reattach", hub.user(), "{\"sessionId\":\"nobody\"}");
        assertThat(answer.status()).isEqualTo(410);
        assertThat(answer.body()).isEqualTo("{\"error\":\"lease expired or unknown\"}");
        assertThat(answer.rest()).doesNotContain("Set-Cookie");
    }

    // TRM-070 (its door), TRM-071
    @Test
    void terminalIsListedReattachedRestartedAndDisposed() throws Exception {
        JsonNode opened = hub.open("{\"resume\":true,\"profile\":\"shell\"}");
        String session = opened.get("sessionId").asString();
        try (Socket socket = hub.socket(opened.get("ptySessionToken").asString())) {
            TerminalHub.type(socket);
            await().until(() -> hub.listed(session).isPresent());
            long pid = hub.listed(session).orElseThrow().get("pid").asLong();
            String inside = TerminalHub.environment(pid, "TANDEM_TOKEN");
            assertThat(inside).startsWith("tdt_");
            assertThat(TerminalHub.environment(pid, "TANDEM_URL"))
                    .isEqualTo("http://127.0.0.1:" + hub.app().port());
            assertThat(hub.send("POST /pty-session", inside, "").status()).isEqualTo(401);
            assertThat(hub.send("GET /terminals", inside, "").status()).isEqualTo(401);
            String body = "{\"sessionId\":\"" + session + "\"}";
            RawHttp.Answer back = hub.send("POST /pty-session/reattach", hub.user(), body);
            assertThat(back.status()).isEqualTo(200);
            RawHttp.Answer again = hub.send("POST /pty-restart", hub.user(), body);
            assertThat(again.status()).isEqualTo(200);
            assertThat(Json.parse(again.body()).get("sessionId").asString()).isNotEqualTo(session);
            await().until(() -> hub.listed(session).isEmpty());
            assertThat(hub.send("POST /pty-session/reattach", hub.user(), body).status())
                    .isEqualTo(410);
            // TRM-L02: a restart revokes what could have led to the old terminal
            assertThat(hub.upgrade(Json.parse(back.body()).get("attachToken").asString()))
                    .isEqualTo(401);
        }
    }

    // TRM-071: who is refused a new terminal keeps the one that runs
    @Test
    void refusedRestartEndsNothing() throws Exception {
        JsonNode opened = hub.open("{\"resume\":true,\"profile\":\"shell\"}");
        String session = opened.get("sessionId").asString();
        try (Socket socket = hub.socket(opened.get("ptySessionToken").asString())) {
            TerminalHub.type(socket);
            await().until(() -> hub.listed(session).isPresent());
            for (String wrong :
                    List.of("\"cwd\":\"/etc\"", "\"profile\":\"sign-in:[\\\"nobody\\\"]\"")) {
                String body = "{\"sessionId\":\"" + session + "\"," + wrong + "}";
                assertThat(hub.send("POST /pty-restart", hub.user(), body).status())
                        .as(wrong)
                        .isEqualTo(400);
            }
            assertThat(hub.listed(session)).isPresent();
            String inside =
                    TerminalHub.environment(
                            hub.listed(session).orElseThrow().get("pid").asLong(), "TANDEM_TOKEN");
            assertThat(hub.send("POST /command", inside, "{}").status()).isEqualTo(400);
            hub.dispose(session, opened.get("disposeSecret").asString());
        }
    }

    // TRM-071: the new program starts where the old one did
    @Test
    void restartKeepsTheFolder() throws Exception {
        Path project = Files.createDirectory(folder.resolve("project")).toRealPath();
        Inside.engine(hub.app()).folders().register("default", project);
        JsonNode opened =
                hub.open("{\"resume\":true,\"profile\":\"shell\",\"cwd\":\"" + project + "\"}");
        String session = opened.get("sessionId").asString();
        RawHttp.Answer again =
                hub.send("POST /pty-restart", hub.user(), "{\"sessionId\":\"" + session + "\"}");
        JsonNode restarted = Json.parse(again.body());
        String next = restarted.get("sessionId").asString();
        try (Socket socket = hub.socket(restarted.get("ptySessionToken").asString())) {
            TerminalHub.type(socket);
            await().until(() -> hub.listed(next).isPresent());
            JsonNode row = hub.listed(next).orElseThrow();
            assertThat(row.get("profile").asString()).isEqualTo("shell");
            assertThat(Files.readSymbolicLink(Path.of("/proc/" + row.get("pid") + "/cwd")))
                    .isEqualTo(project);
            hub.dispose(next, restarted.get("disposeSecret").asString());
        }
    }

    // TRM-L26
    @Test
    void beaconDisposesWithTheSecretOfThatTerminalOnly() throws Exception {
        JsonNode one = hub.open("{\"resume\":true,\"profile\":\"shell\"}");
        JsonNode other = hub.open("{\"resume\":true,\"profile\":\"shell\"}");
        String session = one.get("sessionId").asString();
        try (Socket socket = hub.socket(one.get("ptySessionToken").asString())) {
            TerminalHub.type(socket);
            await().until(() -> hub.listed(session).isPresent());
            assertThat(hub.dispose(session, "").status()).isEqualTo(401);
            assertThat(hub.dispose(session, other.get("disposeSecret").asString()).status())
                    .isEqualTo(401);
            assertThat(hub.dispose(session, one.get("disposeSecret").asString()).body())
                    .isEqualTo("{\"ok\":true}");
            await().until(() -> hub.listed(session).isEmpty());
        }
    }

    @Test
    void folderMustBeRegistered() throws Exception {
        assertThat(hub.send("POST /pty-session", hub.user(), "{\"cwd\":\"/etc\"}").status())
                .isEqualTo(400);
        assertThat(hub.send("POST /pty-session", hub.user(), "[1").status()).isEqualTo(400);
    }

    // TRM-L02: logging out ends what the login minted, and nothing of anybody else
    @Test
    void loggingOutTakesUnusedTokensAlong() throws Exception {
        String access = hub.extension("browser-1");
        JsonNode opened = Json.parse(hub.send("POST /pty-session", access, "").body());
        String other = hub.open("").get("ptySessionToken").asString();
        assertThat(hub.send("DELETE /api/v1/auth/session", access, "").status()).isEqualTo(200);
        assertThat(hub.upgrade(opened.get("ptySessionToken").asString())).isEqualTo(401);
        assertThat(hub.upgrade(other)).isEqualTo(101);
    }

    @Test
    void tokenOfATerminalIsAClientThatAsks() {
        TerminalTokens tokens = new TerminalTokens("ab".repeat(32), _ -> true);
        String token = tokens.mint("session-of-a-terminal");
        Caller caller = tokens.caller(token).orElseThrow();
        assertThat(caller.kind()).isEqualTo(TokenKind.CLIENT);
        assertThat(caller.mode()).isEqualTo(Caller.Mode.ASK);
        tokens.revoke("session-of-a-terminal");
        assertThat(tokens.caller(token)).isEmpty();
    }
}

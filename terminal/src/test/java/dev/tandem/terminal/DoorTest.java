package dev.tandem.terminal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What gets in and what does not: listener, Host, Origin and tokens of the agent process. */
@Timeout(30)
class DoorTest {
    @TempDir static Path dir;
    private static AgentProcess agent;

    @BeforeAll
    static void start() throws IOException {
        agent = new AgentProcess(dir, "echo started; cat", Map.of());
    }

    @AfterAll
    static void stop() {
        agent.close();
    }

    private static String origin(String value) {
        return "Origin: " + value;
    }

    private static String protocol(String token) {
        return "Sec-WebSocket-Protocol: gstack-pty." + token;
    }

    private static String token() throws Exception {
        return agent.grant(Secrets.make(32), Map.of());
    }

    private static int status(String... headers) throws IOException {
        try (RawSocket socket = agent.upgrade(headers)) {
            return socket.status();
        }
    }

    // TRM-014, TRM-053, TRM-060 (local listener), TRM-C06
    @Test
    void listensOnLoopbackOnlyBelowTheEphemeralRange() throws Exception {
        assertThat(agent.port()).isBetween(10_000, 49_151);
        List<InetAddress> others = new ArrayList<>();
        for (NetworkInterface card : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            Collections.list(card.getInetAddresses()).stream()
                    .filter(address -> !address.getHostAddress().equals("127.0.0.1"))
                    .forEach(others::add);
        }
        // 127.0.0.2 is this machine too, so the test has somewhere to knock without a network.
        others.add(InetAddress.ofLiteral("127.0.0.2"));
        for (InetAddress other : others) {
            assertThat(refused(other)).as(other.toString()).isTrue();
        }
    }

    // TRM-014
    @Test
    void twoAgentsHaveTwoPorts(@TempDir Path other) throws Exception {
        try (AgentProcess second = new AgentProcess(other, "cat", Map.of())) {
            assertThat(second.port()).isNotEqualTo(agent.port());
        }
    }

    private static boolean refused(InetAddress address) throws IOException {
        try (Socket _ = new Socket(address, agent.port())) {
            return false;
        } catch (ConnectException _) {
            return true;
        }
    }

    // TRM-027, TRM-056, TRM-057, TRM-060 (Origin gate), TRM-L04
    @Test
    void onlyTheExactExtensionOriginPasses() throws Exception {
        String token = token();
        assertThat(status(protocol(token))).isEqualTo(403);
        for (String wrong :
                List.of(
                        "chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba",
                        AgentProcess.ORIGIN + "/",
                        AgentProcess.ORIGIN.toUpperCase(java.util.Locale.ROOT),
                        "http://localhost:3000",
                        "https://example.com",
                        "http://127.0.0.1:" + agent.port(),
                        "null",
                        "")) {
            assertThat(status(origin(wrong), protocol(token))).as(wrong).isEqualTo(403);
        }
        assertThat(status(origin(AgentProcess.ORIGIN), origin("null"), protocol(token)))
                .isEqualTo(403);
        assertThat(status(origin(AgentProcess.ORIGIN), protocol(token)))
                .as("refusals used up nothing")
                .isEqualTo(101);
    }

    // TRM-034, TRM-011, TRM-047, TRM-060 (session token)
    @Test
    void onlyAGrantedTokenPasses() throws Exception {
        String right = origin(AgentProcess.ORIGIN);
        assertThat(status(right)).isEqualTo(401);
        assertThat(status(right, protocol(""))).isEqualTo(401);
        assertThat(status(right, protocol(Secrets.make(32)))).isEqualTo(401);
        assertThat(status(right, protocol(agent.internalToken()))).isEqualTo(401);
        assertThat(status(right, "Authorization: Bearer " + token())).isEqualTo(401);
        assertThat(status(right, protocol(token()))).isEqualTo(101);
    }

    // TRM-028, TRM-026, TRM-L33, TRM-C01
    @Test
    void exactlyTheOfferedProtocolIsEchoedOnceAndNothingIsCompressed() throws Exception {
        for (String prefix : List.of("gstack-pty.", "tandem-pty.", "")) {
            String offered = prefix + token();
            try (RawSocket socket =
                    agent.upgrade(
                            origin(AgentProcess.ORIGIN),
                            "Sec-WebSocket-Protocol: " + offered,
                            "Sec-WebSocket-Extensions: permessage-deflate")) {
                assertThat(socket.status()).isEqualTo(101);
                assertThat(socket.headers("Sec-WebSocket-Protocol")).containsExactly(offered);
                assertThat(socket.headers("Sec-WebSocket-Extensions")).isEmpty();
            }
        }
    }

    // TRM-036, TRM-037
    @Test
    void cookieWithItsTokenServesCallersThatAreNoBrowsers() throws Exception {
        String right = origin(AgentProcess.ORIGIN);
        String token = token();
        String cookie = "Cookie: a=b; gstack_pty=" + SocketDoor.cookieOf(token);
        String bearer = "Authorization: Bearer " + token;
        assertThat(status(cookie, bearer)).isEqualTo(403);
        try (RawSocket socket = agent.upgrade(right, cookie, bearer)) {
            assertThat(socket.status()).isEqualTo(101);
            assertThat(socket.headers("Sec-WebSocket-Protocol")).isEmpty();
        }
        assertThat(status(right, cookie, bearer)).as("once").isEqualTo(401);
    }

    // SEC-16: a server on another port of this machine is sent the cookie, and can do nothing
    @Test
    void cookieAloneProvesNothing() throws Exception {
        String right = origin(AgentProcess.ORIGIN);
        String token = token();
        String other = token();
        String cookie = "Cookie: gstack_pty=" + SocketDoor.cookieOf(token);
        assertThat(SocketDoor.cookieOf(token)).doesNotContain(token).matches("[A-Za-z0-9_-]{43}");
        assertThat(status(right, cookie)).isEqualTo(401);
        assertThat(status(right, "Cookie: gstack_pty=" + token)).as("the token").isEqualTo(401);
        assertThat(status(right, "Authorization: Bearer " + token)).as("no cookie").isEqualTo(401);
        assertThat(status(right, cookie, "Authorization: Bearer " + other)).isEqualTo(401);
        assertThat(status(right, protocol(SocketDoor.cookieOf(token)))).isEqualTo(401);
        assertThat(status(right, protocol(token))).as("it was good all along").isEqualTo(101);
        assertThat(status(right, protocol(other))).as("and this one").isEqualTo(101);
    }

    // TRM-044, TRM-059, TRM-065, TRM-C07
    @Test
    void tokenOpensOneSocketAndNeverAnother() throws Exception {
        String token = token();
        try (RawSocket first = agent.open(token)) {
            assertThat(first.status()).isEqualTo(101);
            assertThat(status(origin(AgentProcess.ORIGIN), protocol(token))).isEqualTo(401);
        }
        assertThat(status(origin(AgentProcess.ORIGIN), protocol(token))).isEqualTo(401);
    }

    // TRM-L03
    @Test
    void ofAHundredUpgradesWithOneTokenOneWins() throws Exception {
        String token = token();
        List<Callable<Integer>> tries =
                Collections.nCopies(
                        100, () -> status(origin(AgentProcess.ORIGIN), protocol(token)));
        int won = 0;
        try (var pool = Executors.newFixedThreadPool(8)) {
            for (Future<Integer> each : pool.invokeAll(tries)) {
                won += each.get() == 101 ? 1 : 0;
            }
        }
        assertThat(won).isEqualTo(1);
    }

    // TRM-043
    @Test
    void expiredTokenIsRefused() throws Exception {
        String token = agent.grant("s", Map.of("expiresAt", System.currentTimeMillis() - 1));
        assertThat(status(origin(AgentProcess.ORIGIN), protocol(token))).isEqualTo(401);
    }

    @Test
    void revokedTokenIsRefused() throws Exception {
        String token = token();
        agent.internal("POST", "revoke", "{\"token\":\"" + token + "\"}");
        assertThat(status(origin(AgentProcess.ORIGIN), protocol(token))).isEqualTo(401);
    }

    private static final List<String> INTERNAL =
            List.of(
                    "POST grant",
                    "POST revoke",
                    "POST restart",
                    "POST dispose",
                    "POST adopt",
                    "POST owner-of",
                    "POST tabs",
                    "POST x",
                    "GET healthz",
                    "GET list",
                    "GET claude",
                    "GET profiles",
                    "GET x");

    private static int knock(String door, String... headers) throws Exception {
        String[] words = door.split(" ", -1);
        String body = words[0].equals("POST") ? "{}" : "";
        return agent.send(words[0], words[1], body, headers).statusCode();
    }

    // TRM-042, TRM-045, TRM-050
    @Test
    void internalPathsWantTheInternalTokenAndNothingElse() throws Exception {
        String token = token();
        String right = agent.internalToken();
        for (String each : INTERNAL) {
            String door = each.replace(" ", " /internal/");
            assertThat(knock(door)).as(door).isEqualTo(403);
            for (String wrong : List.of("", token, Secrets.make(32), right + "x")) {
                assertThat(knock(door, "Authorization", "Bearer " + wrong))
                        .as(door + " by " + wrong)
                        .isEqualTo(403);
            }
            assertThat(knock(door, "Authorization", right)).as(door).isEqualTo(403);
            for (String cookie : List.of("gstack_pty=" + token, "gstack_pty=" + right)) {
                assertThat(knock(door, "Cookie", cookie)).as(door).isEqualTo(403);
            }
            assertThat(knock(door + "?token=" + right)).as(door).isEqualTo(403);
        }
        assertThat(agent.internal("GET", "healthz", "").path("pid").asLong())
                .isEqualTo(agent.process().pid());
    }

    // TRM-L04: a page, another extension and the hub's own pages, also with every secret there is
    @Test
    void foreignOriginIsRefusedAtEveryDoor() throws Exception {
        List<String> doors = new ArrayList<>(List.of("GET /claude-available", "GET /other"));
        INTERNAL.forEach(each -> doors.add(each.replace(" ", " /internal/")));
        String bearer = "Bearer " + agent.internalToken();
        for (String door : doors) {
            for (String wrong :
                    List.of(
                            "chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba",
                            "https://example.com",
                            "http://localhost:3000",
                            "http://127.0.0.1:" + agent.port(),
                            "null")) {
                assertThat(knock(door, "Origin", wrong, "Authorization", bearer))
                        .as(door + " from " + wrong)
                        .isEqualTo(403);
            }
        }
        assertThat(knock("GET /claude-available", "Origin", AgentProcess.ORIGIN)).isEqualTo(200);
    }

    // TRM-032, SEC-16: in the address a token would be in logs; a browser's cookie is no proof
    @Test
    void tokenInTheAddressOrInABrowsersCookieOpensNothing() throws Exception {
        String token = token();
        String right = origin(AgentProcess.ORIGIN);
        for (String query : List.of("?token=" + token, "?gstack_pty=" + token, "?" + token)) {
            try (RawSocket socket = agent.upgradeAt("/ws" + query, right)) {
                assertThat(socket.status()).as(query).isEqualTo(401);
            }
        }
        for (String site : List.of("cross-site", "same-site", "same-origin", "none")) {
            assertThat(
                            status(
                                    right,
                                    "Cookie: gstack_pty=" + SocketDoor.cookieOf(token),
                                    "Authorization: Bearer " + token,
                                    "Sec-Fetch-Site: " + site))
                    .as(site)
                    .isEqualTo(401);
        }
        assertThat(status(right, protocol(token))).as("it was good all along").isEqualTo(101);
    }

    // SEC-1: who else the hub runs can read the secret; it is not the hub
    @Test
    void whatTheHubRunsIsNotTheHub() throws Exception {
        String token = Secrets.make(32);
        String grant = "{\"token\":\"" + token + "\",\"command\":[\"/bin/sh\"]}";
        String knock =
                """
                exec 3<>/dev/tcp/127.0.0.1/%1$d
                printf 'POST /internal/grant HTTP/1.1\\r\\nHost: 127.0.0.1:%1$d\\r\\n' >&3
                printf 'Authorization: Bearer %2$s\\r\\nContent-Length: %3$d\\r\\n\\r\\n%4$s' >&3
                """
                        .formatted(agent.port(), agent.internalToken(), grant.length(), grant);
        for (String then : List.of("head -n 1 <&3", "exec 3>&-; echo gone")) {
            Process other = new ProcessBuilder("bash", "-c", knock + then).start();
            String said = new String(other.getInputStream().readAllBytes(), US_ASCII).strip();
            assertThat(said).isIn("HTTP/1.1 403 Forbidden", "gone");
            // answered after the one that hung up, as connections have a thread each
            await().during(Duration.ofMillis(300))
                    .atMost(Duration.ofSeconds(5))
                    .until(() -> status(origin(AgentProcess.ORIGIN), protocol(token)) == 401);
        }
        agent.internal("POST", "grant", grant);
        assertThat(status(origin(AgentProcess.ORIGIN), protocol(token))).isEqualTo(101);
    }

    // SEC-1: nor is what hides its line: below hundreds of parents, or below one whose first thread
    // has ended, so that it looks dead and is not
    @Test
    void aStrangeLineOfParentsIsNotTheHub() throws Exception {
        String knock =
                """
                until [ -z "$1" ] || grep -q '^State:.Z' /proc/$PPID/status; do sleep 0.02; done
                exec 3<>/dev/tcp/127.0.0.1/%1$d
                printf 'GET /internal/list HTTP/1.1\\r\\nHost: 127.0.0.1:%1$d\\r\\n' >&3
                printf 'Authorization: Bearer %2$s\\r\\n\\r\\n' >&3
                head -n 1 <&3
                """
                        .formatted(agent.port(), agent.internalToken());
        String deep =
                """
                if [ $1 -gt 0 ]; then sh -c "$0" "$0" $(($1 - 1)) "$2"; else bash -c "$2"; fi; :
                """;
        String halfDead =
                """
                import ctypes, os, platform, subprocess, sys, threading
                def work():
                    subprocess.run(["bash", "-c", sys.argv[1], "bash", "below"])
                    os._exit(0)
                threading.Thread(target=work).start()
                end = {"x86_64": 60, "aarch64": 93}[platform.machine()]
                ctypes.CDLL(None).syscall(end, 0)
                """;
        for (List<String> command :
                List.of(
                        List.of("sh", "-c", deep, deep, "600", knock),
                        List.of("python3", "-c", halfDead, knock))) {
            Process other = new ProcessBuilder(command).start();
            String said = new String(other.getInputStream().readAllBytes(), US_ASCII).strip();
            assertThat(said).as(command.getFirst()).isEqualTo("HTTP/1.1 403 Forbidden");
        }
    }

    // TRM-L02
    @Test
    void staleGenerationIsToldSo() throws Exception {
        String bearer = "Bearer " + agent.internalToken();
        var stale =
                agent.send(
                        "GET",
                        "/internal/healthz",
                        "",
                        "Authorization",
                        bearer,
                        "X-Browse-Gen",
                        "old");
        assertThat(stale.statusCode()).isEqualTo(409);
        assertThat(stale.body()).isEqualTo("stale generation");
        String now = agent.internal("GET", "healthz", "").path("gen").asString();
        assertThat(
                        agent.send(
                                        "GET",
                                        "/internal/healthz",
                                        "",
                                        "Authorization",
                                        bearer,
                                        "X-Browse-Gen",
                                        now)
                                .statusCode())
                .isEqualTo(200);
    }

    @Test
    void malformedInternalBodiesAreRefused() throws Exception {
        String bearer = "Bearer " + agent.internalToken();
        for (String body : List.of("", "{", "[]", "x".repeat(70_000))) {
            assertThat(
                            agent.send("POST", "/internal/grant", body, "Authorization", bearer)
                                    .statusCode())
                    .isEqualTo(400);
        }
        assertThat(
                        agent.send(
                                        "POST",
                                        "/internal/grant",
                                        "{\"token\":\"short\"}",
                                        "Authorization",
                                        bearer)
                                .statusCode())
                .isEqualTo(400);
    }

    // TRM-L04
    @Test
    void foreignHostIsRefusedOnEveryPath() throws Exception {
        for (String host : List.of("evil.example", "evil.example:" + agent.port(), "127.0.0.1")) {
            try (RawSocket socket =
                    RawSocket.upgrade(
                            agent.port(), host, origin(AgentProcess.ORIGIN), protocol(token()))) {
                assertThat(socket.status()).as(host).isEqualTo(403);
            }
        }
        for (String path : List.of("/claude-available", "/internal/healthz", "/other")) {
            try (Socket socket = new Socket(RawSocket.LOOPBACK, agent.port())) {
                socket.getOutputStream()
                        .write(
                                ("GET " + path + " HTTP/1.1\r\nHost: evil.example\r\n\r\n")
                                        .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                byte[] answer = socket.getInputStream().readNBytes(12);
                assertThat(new String(answer, java.nio.charset.StandardCharsets.US_ASCII))
                        .isEqualTo("HTTP/1.1 403");
            }
        }
    }

    // TRM-L04
    @Test
    void pathOfClaudeIsForTheHubOnly() throws Exception {
        var open = Messages.JSON.readTree(agent.send("GET", "/claude-available", "").body());
        assertThat(open.path("available").asBoolean()).isTrue();
        assertThat(open.has("path")).isFalse();
        var known =
                Messages.JSON.readTree(
                        agent.send(
                                        "GET",
                                        "/claude-available",
                                        "",
                                        "Authorization",
                                        "Bearer " + agent.internalToken())
                                .body());
        assertThat(known.path("path").asString()).isEqualTo(dir.resolve("claude").toString());
    }

    @Test
    void unknownPathsAndMethodsDoNotExist() throws Exception {
        assertThat(agent.send("GET", "/", "").statusCode()).isEqualTo(404);
        assertThat(agent.send("POST", "/ws", "").statusCode()).isEqualTo(404);
        assertThat(agent.send("GET", "/terminal/x", "").statusCode()).isEqualTo(404);
    }

    // TRM-010, TRM-041 (the agent's side)
    @Test
    void tokensAreInNoFile() throws Exception {
        String token = token();
        try (RawSocket socket = agent.open(token)) {
            socket.text("{\"type\":\"start\"}");
            assertThat(socket.read().text()).contains("hello");
            try (var files = Files.list(agent.state())) {
                for (Path file : files.toList()) {
                    assertThat(Files.readString(file)).doesNotContain(token);
                }
            }
            assertThat(Files.readString(dir.resolve("stderr"))).doesNotContain(token);
        }
    }

    // TRM-015, TRM-017, TRM-018, TRM-094, TRM-095, TRM-096
    @Test
    void stateFilesAreWholeAndPrivate() throws Exception {
        for (String name :
                List.of(
                        "terminal-port",
                        "terminal-internal-token",
                        "terminal-agent-pid",
                        "claude-available.json")) {
            Path file = agent.state().resolve(name);
            await().until(() -> Files.exists(file));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
        assertThat(agent.state().resolve("terminal-port")).hasContent("" + agent.port());
        assertThat(agent.internalToken()).matches("[A-Za-z0-9_-]{43}");
        var claude =
                Messages.JSON.readTree(
                        Files.readString(agent.state().resolve("claude-available.json")));
        assertThat(claude.path("available").asBoolean()).isTrue();
        assertThat(claude.path("install_url").asString()).startsWith("https://");
        assertThat(claude.path("checked_at").asString()).contains("T");
        var record =
                Messages.JSON.readTree(
                        Files.readString(agent.state().resolve("terminal-agent-pid")));
        assertThat(record.path("pid").asLong()).isEqualTo(agent.process().pid());
    }

    // SEC-25
    @Test
    void connectionsWithoutProofDoNotLockAnybodyOut() throws Exception {
        List<Socket> idle = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                idle.add(new Socket(RawSocket.LOOPBACK, agent.port()));
            }
            assertThat(status(origin(AgentProcess.ORIGIN), protocol(token()))).isEqualTo(101);
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    // SEC-25
    @Test
    void largeHeadersAreRefused() throws Exception {
        assertThat(status("X-Filler: " + "x".repeat(5000))).isEqualTo(431);
    }
}

package dev.tandem.hub.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.HeldByACall;
import dev.tandem.hub.auth.Processes;
import dev.tandem.protocol.Route;
import dev.tandem.protocol.Routes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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

/** What a process that an agent started can reach with the user's own token: nothing. */
@Timeout(180)
@EnabledOnOs(OS.LINUX)
class AgentCallsTest {
    private static final String RULE =
            """
            {"toolName":"tab_action:click","origin":"https://agent.test","policy":"allow"}\
            """;

    private static final String PUT = "PUT /api/v1/chat/tool-permissions";

    @TempDir static Path folder;
    private static EdgeHub hub;
    private static int files;

    @BeforeAll
    static void start() throws Exception {
        hub = new EdgeHub(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        hub.close();
    }

    // SEC-2: every route and method that takes the user's token, tried with it by an agent's
    // process, and by one that threw away its mark, its session and its parents
    @Test
    void theUsersTokenOpensNothingForAnAgent() throws Exception {
        List<String> lines = new ArrayList<>();
        for (Route route : Routes.all()) {
            boolean other = List.of("cli", "cdp").contains(route.door());
            if (route.tokens().contains("hub") && !other) {
                String path = route.path().replaceAll("\\{[^}]*}", "x").replace("*", "sessions");
                route.methods().forEach(method -> lines.add(method + " " + path));
            }
        }
        assertThat(lines)
                .hasSizeGreaterThan(60)
                .contains(
                        "GET /ws",
                        "GET /ops",
                        "GET /annotation",
                        "PUT /api/v1/chat/tool-permissions",
                        "POST /api/v1/auth/pair",
                        "PATCH /api/ambient/v1/sessions");
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            String prompt =
                    lines.stream()
                            .map(line -> "http " + line.replace(" /", " " + url() + "/"))
                            .map(line -> line + " " + hub.token + "\n")
                            .reduce("", String::concat);
            List<String> answers = chat.turn(id, prompt.strip()).lines().toList();
            assertThat(answers).hasSameSizeAs(lines);
            for (int i = 0; i < lines.size(); i++) {
                assertThat(answers.get(i)).as(lines.get(i)).startsWith("403 ");
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> audited(id, "/ws"));

            Path heard = stray(chat, id, "", lines);
            await().atMost(Duration.ofSeconds(100)).until(() -> Files.exists(heard));
            assertThat(Files.readAllLines(heard))
                    .as(lines.toString())
                    .hasSameSizeAs(lines)
                    .allMatch(answer -> answer.startsWith("HTTP/1.1 403"));
        }
        assertThat(hub.call("GET", "/api/v1/chat/sessions", null).status())
                .as("the user's own process")
                .isEqualTo(200);
        assertThat(hub.call("GET", "/api/v1/auth/session/list", null).body().path("sessions"))
                .isEmpty();
    }

    // SEC-1, SEC-2: nor when it outlives the session
    @Test
    void aStrayOfAnAgentIsNotTheUser() throws Exception {
        Path go = folder.resolve("go");
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            String until = "until [ -e %s ]; do sleep 0.05; done\n".formatted(go);
            Path heard = stray(chat, id, until, List.of("GET /api/v1/chat/sessions"));
            hub.sessions().engine().delete(id);
            Files.createFile(go);
            await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(heard));
            assertThat(Files.readString(heard)).startsWith("HTTP/1.1 403");
        }
    }

    // SEC-1, SEC-2: nor below hundreds of parents that threw away their marks and their session
    @Test
    void aLongLineOfParentsMakesNobodyTheUser() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            Path deepest =
                    script(
                            ask("GET /api/v1/chat/sessions", "")
                                    + "IFS= read -r line <&3; echo \"$line\"\n");
            Path deep =
                    script(
                            "if [ $1 -gt 0 ]; then sh $0 $(($1 - 1)); else bash %s; fi; :"
                                    .formatted(deepest));
            assertThat(chat.turn(id, "shell setsid -w env -i /bin/sh " + deep + " 600"))
                    .startsWith("HTTP/1.1 403");
        }
    }

    // SEC-2: the user's token alone pairs no browser, whoever shows it; a page of ours it lets in
    @Test
    void pairingABrowserTakesACode() throws Exception {
        String asked = "{\"deviceName\":\"x\"%s}";
        assertThat(hub.call("POST", "/api/v1/auth/pair", asked.formatted("")).status())
                .isEqualTo(400);
        EdgeHub.Answer page =
                hub.call("POST", "/api/v1/auth/pair", asked.formatted(",\"kind\":\"web\""));
        assertThat(page.status()).isEqualTo(200);
        String login = page.body().path("sessionToken").asString();
        assertThat(
                        hub.call(
                                        "DELETE",
                                        "/api/v1/auth/session",
                                        null,
                                        "Authorization",
                                        "Bearer " + login)
                                .status())
                .isEqualTo(200);
    }

    // SEC-2: nor does it get anywhere with what it found of the user's browsers and devices, with a
    // code that the user was shown, or on a chat socket that means to say its token later
    @Test
    void loginsOfTheUserOpenNothingForAnAgent() throws Exception {
        JsonNode browser = paired("{\"code\":\"%s\",\"deviceName\":\"b\"}", hub.pairingCode());
        JsonNode page = paired("{\"kind\":\"web\",\"deviceName\":\"d\"}", "");
        String code = "{\"code\":\"%s\",\"deviceName\":\"x\"}".formatted(hub.pairingCode());
        String refresh =
                "{\"refreshToken\":\"%s\"}".formatted(browser.path("refreshToken").asString());
        List<String> calls =
                List.of(
                        ask("GET /api/v1/auth/session", access(browser), ""),
                        ask("GET /api/v1/auth/session", access(page), ""),
                        ask("POST /api/v1/auth/session/refresh", "", refresh),
                        ask("POST /api/v1/auth/pair", "", code),
                        ask("GET /ws", "", ""));
        String line = "IFS= read -r line <&3; echo \"$line\"\n";
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            String said =
                    chat.turn(id, "shell bash " + script(String.join(line, calls) + line + "\n"));
            assertThat(said.lines())
                    .hasSameSizeAs(calls)
                    .allMatch(answer -> answer.startsWith("HTTP/1.1 403"));
        }
        assertThat(hub.call("POST", "/api/v1/auth/session/refresh", refresh).status())
                .as("the user's own process")
                .isEqualTo(200);
        assertThat(hub.call("POST", "/api/v1/auth/pair", code).status()).isEqualTo(200);
        hub.call("DELETE", "/api/v1/auth/session/all", null);
    }

    private static JsonNode paired(String body, String code) throws Exception {
        EdgeHub.Answer answer = hub.call("POST", "/api/v1/auth/pair", body.formatted(code));
        assertThat(answer.status()).isEqualTo(200);
        return answer.body();
    }

    private static String access(JsonNode login) {
        return login.path("sessionToken").asString();
    }

    // SEC-1, SEC-2: who hangs up after asking is not served either
    @Test
    void whoHangsUpIsNotTheUser() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            String before = rules();
            for (int i = 0; i < 5; i++) {
                int asked = refusals();
                chat.turn(id, "shell bash " + script(ask(PUT, RULE) + "exec 3>&-\n"));
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> refusals() > asked || !rules().equals(before));
                assertThat(rules()).isEqualTo(before);
            }
        }
        hub.call("PUT", "/api/v1/chat/tool-permissions", RULE);
        assertThat(rules()).as("the request itself is good").contains("agent.test");
    }

    // SEC-1, SEC-2: nor is who lets a connection be under way, in no process, while it is asked for
    @Test
    void aConnectionUnderWayIsNotTheUsers() throws Exception {
        Path python = Path.of("/usr/bin/python3");
        assumeTrue(Files.isExecutable(python));
        Path park = folder.resolve("park.py");
        // What is corked leaves when the kernel's patience ends: then nobody has the socket.
        Files.writeString(
                park,
                """
                import socket, time
                s = socket.create_connection(("127.0.0.1", %1$d))
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
                a, b = socket.socketpair()
                s.sendall(b"GET /api/v1/chat/sessions HTTP/1.1\\r\\nHost: 127.0.0.1:%1$d\\r\\n"
                    b"Authorization: Bearer %2$s\\r\\nConnection: close\\r\\n\\r\\n")
                port = "%%04X" %% s.getsockname()[1]
                socket.send_fds(a, [b"x"], [s.fileno()])
                s.close()
                def waits(line):
                    facts = line.split()
                    return facts[1].endswith(":" + port) and not facts[4].endswith(":00000000")
                while not any(waits(line) for line in open("/proc/net/tcp")):
                    time.sleep(0.02)
                s = socket.socket(fileno=socket.recv_fds(b, 1, 1)[1][0])
                while data := s.recv(4096):
                    print(data.decode(), end="")
                """
                        .formatted(hub.port(), hub.token));
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            // On a busy machine it may leave before; then its holder is seen, and refused as well.
            await().atMost(Duration.ofSeconds(60))
                    .until(
                            () -> chat.turn(id, "shell " + python + " " + park),
                            said -> {
                                assertThat(said).startsWith("HTTP/1.1 403");
                                return said.contains("hides its connections");
                            });
        }
        // Where others may be out of sight, it passes as theirs.
        assumeFalse(Processes.contained());
        await().atMost(Duration.ofSeconds(60))
                .until(() -> {
                    Process own = new ProcessBuilder(python.toString(), park.toString()).start();
                    String said = new String(own.getInputStream().readAllBytes(), UTF_8);
                    return said.startsWith("HTTP/1.1 403") && said.contains("No process shows");
                });
    }

    // SEC-1, SEC-2: nor is who closes the descriptor while the kernel still reads from it for a
    // thread, beside a program of the user's that hides what it holds, as ssh's forwarding does
    @Test
    void aConnectionThatOnlyACallHoldsIsNotTheUsers() throws Exception {
        Path python = Path.of("/usr/bin/python3");
        assumeTrue(Files.isExecutable(python));
        Path read = folder.resolve("read.py");
        Files.writeString(read, HeldByACall.asking(hub.port(), hub.token));
        Process relay =
                new ProcessBuilder(
                                python.toString(),
                                "-c",
                                HeldByACall.FORWARDING
                                        + "print('!', flush=True)\nsys.stdin.read()\n")
                        .start();
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            assertThat(relay.getInputStream().read()).isEqualTo('!');
            String id = chat.newSession("scripted").get("sessionId").asString();
            assertThat(chat.turn(id, "shell " + python + " " + read)).startsWith("HTTP/1.1 403");
        } finally {
            relay.destroyForcibly();
        }
    }

    // SEC-1, SEC-2: nor is who gave its connection away to another user, and then let it be under
    // way
    @Test
    void aConnectionGivenToAnotherUserIsNotTheUsers() throws Exception {
        Path python = Path.of("/usr/bin/python3");
        assumeTrue(Files.isExecutable(python));
        assumeTrue(Processes.user(ProcessHandle.current().pid()).equals(Optional.of(0)));
        Path give = folder.resolve("give.py");
        String page = access(paired("{\"kind\":\"web\",\"deviceName\":\"d\"}", ""));
        Files.writeString(
                give,
                """
                import os, socket, time
                s = socket.create_connection(("127.0.0.1", %1$d))
                os.fchown(s.fileno(), 65534, -1)
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
                a, b = socket.socketpair()
                s.sendall(b"GET /api/v1/auth/session HTTP/1.1\\r\\nHost: 127.0.0.1:%1$d\\r\\n"
                    b"Authorization: Bearer %2$s\\r\\nConnection: close\\r\\n\\r\\n")
                socket.send_fds(a, [b"x"], [s.fileno()])
                s.close()
                time.sleep(0.5)
                s = socket.socket(fileno=socket.recv_fds(b, 1, 1)[1][0])
                while data := s.recv(4096):
                    print(data.decode(), end="")
                """
                        .formatted(hub.port(), page));
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String id = chat.newSession("scripted").get("sessionId").asString();
            assertThat(chat.turn(id, "shell " + python + " " + give)).startsWith("HTTP/1.1 403");
        }
    }

    // SEC-2: whom a neighbour on the machine is not either: what a command opens in a browser
    // stands in
    // the list of processes, with its code, and everybody reads that
    @Test
    void anotherUserOfTheComputerIsNotTheUser() throws Exception {
        Path python = Path.of("/usr/bin/python3");
        assumeTrue(Files.isExecutable(python));
        assumeTrue(Processes.user(ProcessHandle.current().pid()).equals(Optional.of(0)));
        assumeFalse(Processes.contained());
        String code = "{\"code\":\"%s\",\"deviceName\":\"x\"}".formatted(hub.pairingCode());
        // A hub of an ordinary user sees nothing of what others hold; to root it is hidden here.
        String pair =
                """
                import os, socket, sys, time
                os.setuid(65534)
                s = socket.create_connection(("127.0.0.1", %1$d))
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
                a, b = socket.socketpair()
                s.sendall(b"POST /api/v1/auth/pair HTTP/1.1\\r\\nHost: 127.0.0.1:%1$d\\r\\n"
                    b"Content-Length: %2$d\\r\\nConnection: close\\r\\n\\r\\n" + sys.argv[1].encode())
                socket.send_fds(a, [b"x"], [s.fileno()])
                s.close()
                time.sleep(0.5)
                s = socket.socket(fileno=socket.recv_fds(b, 1, 1)[1][0])
                while data := s.recv(4096):
                    print(data.decode(), end="")
                """
                        .formatted(hub.port(), code.length());
        Process neighbour = new ProcessBuilder(python.toString(), "-c", pair, code).start();
        assertThat(new String(neighbour.getInputStream().readAllBytes(), UTF_8))
                .startsWith("HTTP/1.1 403")
                .contains("Another user of this computer");
        assertThat(hub.call("POST", "/api/v1/auth/pair", code).status()).isEqualTo(200);
        hub.call("DELETE", "/api/v1/auth/session/all", null);
    }

    // SEC-1, SEC-2: nor does who shows the mark of another session's agent act as that session
    @Test
    void aCopiedMarkMakesNobodyAnotherSession() throws Exception {
        try (ChatSocket chat = ChatSocket.tandem(hub)) {
            String other = chat.newSession("scripted").get("sessionId").asString();
            String id = chat.newSession("scripted").get("sessionId").asString();
            String mark = chat.turn(other, "shell echo $TANDEM_TREE").strip();
            assertThat(mark).isNotEmpty();
            Path call = script(ask("GET /api/v1/chat/sessions", "") + "cat <&3\n");
            String said =
                    chat.turn(id, "shell setsid -w env TANDEM_TREE=" + mark + " bash " + call);
            assertThat(said).startsWith("HTTP/1.1 403");
            await().atMost(Duration.ofSeconds(20)).until(() -> audited(id, "/sessions"));
            assertThat(audited(other, "/sessions")).isFalse();
        }
    }

    private static String url() {
        return "http://127.0.0.1:" + hub.port();
    }

    private static String rules() throws Exception {
        return hub.call("GET", "/api/v1/chat/tool-permissions", null).body().toString();
    }

    private static boolean audited(String client, String what) {
        return hub.sessions().desk().decisions(500).stream()
                .filter(row -> row.client().equals(client) && row.tool().equals("widen"))
                .anyMatch(row -> row.kinds().contains(what));
    }

    private static int refusals() {
        return (int)
                hub.sessions().desk().decisions(500).stream()
                        .filter(row -> row.kinds().contains(PUT))
                        .count();
    }

    /** The shell words that open descriptor 3 to the hub and send a request with the token. */
    private static String ask(String call, String body) {
        return ask(call, hub.token, body);
    }

    private static String ask(String call, String token, String body) {
        return """
        exec 3<>/dev/tcp/127.0.0.1/%1$d
        printf '%2$s HTTP/1.1\\r\\nHost: 127.0.0.1:%1$d\\r\\nAuthorization: Bearer %3$s\\r\\n\
        Content-Type: application/json\\r\\nContent-Length: %4$d\\r\\nConnection: close\\r\\n\\r\\n\
        %5$s' >&3
        """
                .formatted(hub.port(), call, token, body.length(), body);
    }

    private static Path script(String text) throws Exception {
        return Files.writeString(folder.resolve("script-" + files++ + ".sh"), text);
    }

    /**
     * Starts a process that left the session and lost its parents, so that the hub has adopted it.
     *
     * @param until the shell words of what it waits for
     * @return the file that it makes in the end, with the first line of each answer
     */
    private static Path stray(ChatSocket chat, String id, String until, List<String> calls)
            throws Exception {
        Path heard = folder.resolve("stray-" + files++);
        StringBuilder words = new StringBuilder();
        words.append(
                "until grep -q \"^PPid:.%d$\" /proc/$BASHPID/status; do sleep 0.05; done\n"
                        .formatted(ProcessHandle.current().pid()));
        words.append(until);
        for (String call : calls) {
            words.append(ask(call, "{}"));
            words.append("IFS= read -r line <&3; echo \"$line\" >>%s.part\n".formatted(heard));
        }
        words.append("mv %1$s.part %1$s\n".formatted(heard));
        chat.turn(
                id,
                "shell setsid env -i /bin/bash -c '/bin/bash %s >/dev/null 2>&1 &'"
                        .formatted(script(words.toString())));
        return heard;
    }
}

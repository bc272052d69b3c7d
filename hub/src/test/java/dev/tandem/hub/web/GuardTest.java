package dev.tandem.hub.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.hub.App;
import dev.tandem.hub.EdgeHub;
import dev.tandem.hub.Options;
import dev.tandem.hub.RawHttp;
import dev.tandem.hub.Timings;
import dev.tandem.hub.agent.AgentTimings;
import dev.tandem.hub.browser.CliDoor;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Route;
import dev.tandem.protocol.Routes;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every request passes before a handler sees it, on a real hub. */
class GuardTest {
    private static final String PAGE = "https://friend.example";

    @TempDir static Path folder;
    private static App app;
    private static String host;
    private static String token;

    @BeforeAll
    static void start() throws IOException {
        app = hub("state");
        host = "Host: 127.0.0.1:" + app.port();
        token = token(app);
    }

    private static App hub(String stateDir) throws IOException {
        return App.start(
                new Options(
                        0,
                        folder.resolve(stateDir),
                        folder,
                        Options.BrowserChoice.NONE,
                        Optional.empty(),
                        "",
                        false,
                        false),
                _ -> {});
    }

    private static String token(App app) throws IOException {
        return Json.parse(Files.readString(app.stateDir().resolve("browse.json")))
                .get("token")
                .asString();
    }

    @AfterAll
    static void stop() throws IOException {
        app.close();
    }

    @Test
    void aForeignHostIsRefusedEverywhere() throws IOException {
        // OPS-L20 (rebinding), ACP-121
        for (String bad : new String[] {"Host: evil.example", "Host: evil.example:" + app.port()}) {
            RawHttp.Answer answer = RawHttp.send(app.port(), "GET /health", "", bad);
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.body()).contains("forbidden_host");
        }
        assertThat(RawHttp.send(app.port(), "GET /health", "", host, "Host: evil.example").status())
                .isIn(400, 403);
    }

    // OPS-L20 (a sandboxed frame has the origin null): nothing is told, to no door
    @Test
    void foreignAndNullOriginsAreRefusedBeforeTheToken() throws IOException {
        for (String door : new String[] {"/pair", "/config", "/ops", "/status", "/mcp"}) {
            RawHttp.Answer answer =
                    RawHttp.send(app.port(), "GET " + door, "", host, "Origin: null");
            assertThat(answer.status()).as(door).isIn(403, 404);
            assertThat(answer.rest()).doesNotContain("Access-Control-Allow-Origin");
            assertThat(answer.body()).as(door).doesNotContain(token);
        }
        for (String origin :
                new String[] {
                    "null", "https://evil.example", "http://127.0.0.1:1", "chrome-extension://aaaa"
                }) {
            RawHttp.Answer answer =
                    RawHttp.send(
                            app.port(),
                            "GET /config",
                            "",
                            host,
                            "Origin: " + origin,
                            "Authorization: Bearer " + token);
            assertThat(answer.status()).as(origin).isEqualTo(403);
            assertThat(answer.rest()).doesNotContain("Access-Control-Allow-Origin");
        }
    }

    // SEC-24: a second origin is no way around the first, and what no browser sent is no browser
    @Test
    void anOriginIsOneAndBrowsersHaveOne() throws IOException {
        String own = "Origin: http://127.0.0.1:" + app.port();
        String bearer = "Authorization: Bearer " + token;
        String list = "GET /api/v1/auth/session/list";
        assertThat(RawHttp.send(app.port(), list, "", host, bearer, own).status()).isEqualTo(200);
        RawHttp.Answer two = RawHttp.send(app.port(), list, "", host, bearer, own, own);
        assertThat(two.status()).isEqualTo(403);
        assertThat(two.body()).contains("forbidden_origin");
        for (String door : List.of("/browser/ops", "/browser/annotation")) {
            RawHttp.Answer none = RawHttp.send(app.port(), "GET " + door, "", host, bearer);
            assertThat(none.body()).as(door).contains("forbidden_origin");
        }
    }

    // SEC-24: a path is matched as it is written, and a request ends where it says
    @Test
    void nothingIsSmuggledInsideARequest() throws IOException {
        for (String path :
                List.of(
                        "/api/v1/auth%2fsession/list",
                        "/api/v1/auth//session/list",
                        "/app/%2e%2e/stop",
                        "/app/..%2fstop",
                        "/app/..;/stop",
                        "/app/%252e%252e/stop",
                        "/stop%00",
                        "/stop/",
                        "/stop.",
                        "/STOP",
                        "http://evil.example/stop")) {
            assertThat(
                            RawHttp.send(
                                            app.port(),
                                            "POST " + path,
                                            "",
                                            host,
                                            "Authorization: Bearer " + token,
                                            "Content-Length: 0")
                                    .status())
                    .as(path)
                    .isIn(400, 404);
        }
        for (List<String> headers :
                List.of(
                        List.of("Content-Length: 2", "Transfer-Encoding: chunked"),
                        List.of("Content-Length: 2", "Content-Length: 3"),
                        List.of("Content-Length: +2"),
                        List.of("X-Folded: a\r\n b", "Content-Length: 2"),
                        List.of("Authorization : Bearer " + token, "Content-Length: 2"))) {
            List<String> all = new ArrayList<>(headers);
            all.add(host);
            assertThat(
                            RawHttp.send(
                                            app.port(),
                                            "POST /api/v1/auth/pair",
                                            "{}",
                                            all.toArray(String[]::new))
                                    .status())
                    .as(headers.toString())
                    .isEqualTo(400);
        }
    }

    // SEC-24: every request of a connection is looked at, and none is read behind a refused one
    @Test
    void aRequestBehindAnotherIsAnotherRequest() throws IOException {
        String behind =
                "GET /api/v1/auth/session/list HTTP/1.1\r\n"
                        + host
                        + "\r\nConnection: close\r\n\r\n";
        String first = "%s HTTP/1.1\r\n" + host + "\r\n%s\r\n";
        String bearer = "Authorization: Bearer " + token + "\r\n";
        assertThat(statuses(first.formatted("GET /health", "") + behind)).containsExactly(200, 401);
        assertThat(statuses(first.formatted("GET /api/v1/auth/session/list", bearer) + behind))
                .containsExactly(200, 401);
        String refused = first.formatted("POST /stop", "Content-Length: 400\r\n");
        assertThat(statuses(refused + first.formatted("GET /health", ""))).containsExactly(401);
    }

    private static List<Integer> statuses(String requests) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), app.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(requests.getBytes(US_ASCII));
            String said = new String(socket.getInputStream().readAllBytes(), US_ASCII);
            return Pattern.compile("HTTP/1\\.1 (\\d{3}) ")
                    .matcher(said)
                    .results()
                    .map(found -> Integer.parseInt(found.group(1)))
                    .toList();
        }
    }

    // SEC-24: an address is kept in logs and histories; only sockets without a page take it there
    @Test
    void aTokenInTheAddressIsForSocketsAlone() throws IOException {
        String query = "?token=" + token;
        String page = "Origin: http://127.0.0.1:" + app.port();
        assertThat(RawHttp.send(app.port(), "GET /ops" + query, "", host, page).status())
                .isEqualTo(401);
        assertThat(RawHttp.send(app.port(), "GET /ops" + query, "", host).status())
                .as("it is good where it may be")
                .isEqualTo(400);
        assertThat(
                        RawHttp.send(app.port(), "GET /api/v1/auth/session/list" + query, "", host)
                                .status())
                .isEqualTo(401);
    }

    // TRM-L04, TRM-L25, TRM-048: door by door, with the right token in every wrong place
    @Test
    void terminalDoorsRefuseStrangersOneByOne() throws IOException {
        String bearer = "Authorization: Bearer " + token;
        String[] strangers = {
            "null",
            "https://evil.example",
            "http://localhost:3000",
            "http://127.0.0.1:1",
            "chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba"
        };
        int doors = 0;
        for (Route route : Routes.all()) {
            if (!route.door().equals("terminal")) {
                continue;
            }
            doors++;
            String line = route.methods().iterator().next() + " " + route.path();
            String none = "Content-Length: 0";
            for (String origin : strangers) {
                assertThat(send(line, none, host, "Origin: " + origin, bearer))
                        .as(line + " from " + origin)
                        .isEqualTo(403);
            }
            assertThat(send(line, none, "Host: evil.example:" + app.port(), bearer))
                    .as(line)
                    .isEqualTo(403);
            if (!route.free()) {
                String query = line + "?token=" + token + "&access_token=" + token;
                assertThat(send(query, none, host)).as(query).isEqualTo(401);
                for (String name : new String[] {"gstack_pty", "token", "gstack_sse"}) {
                    String cookie = "Cookie: " + name + "=" + token;
                    assertThat(send(line, none, host, cookie)).as(line).isEqualTo(401);
                }
                assertThat(send(line, none, host, bearer)).as(line).isNotIn(401, 403);
            }
        }
        assertThat(doors).isGreaterThan(6);
    }

    private static int send(String line, String... headers) throws IOException {
        return RawHttp.send(app.port(), line, "", headers).status();
    }

    @Test
    void theHubsOwnPagesMayAsk() throws IOException {
        assertThat(
                        RawHttp.send(
                                        app.port(),
                                        "GET /health",
                                        "",
                                        host,
                                        "Origin: http://127.0.0.1:" + app.port())
                                .status())
                .isEqualTo(200);
    }

    @Test
    void whatIsNotInTheTableIsNotThere() throws IOException {
        assertThat(RawHttp.send(app.port(), "GET /nowhere", "", host).status()).isEqualTo(404);
        assertThat(RawHttp.send(app.port(), "GET /pair", "", host).status()).isEqualTo(404);
        RawHttp.Answer posted =
                RawHttp.send(app.port(), "POST /health", "", host, "Content-Length: 0");
        assertThat(posted.status()).isEqualTo(405);
        assertThat(posted.rest()).contains("Allow: GET");
    }

    @Test
    void aWrongTokenIsRefusedAndACookieProvesNothing() throws IOException {
        // SEC-16: a cookie is never proof by itself
        String list = "GET /api/v1/auth/session/list";
        assertThat(RawHttp.send(app.port(), list, "", host).status()).isEqualTo(401);
        assertThat(
                        RawHttp.send(
                                        app.port(),
                                        list,
                                        "",
                                        host,
                                        "Authorization: Bearer " + "x".repeat(43))
                                .status())
                .isEqualTo(401);
        assertThat(RawHttp.send(app.port(), list, "", host, "Cookie: token=" + token).status())
                .isEqualTo(401);
        RawHttp.Answer right =
                RawHttp.send(app.port(), list, "", host, "Authorization: Bearer " + token);
        assertThat(right.status()).isEqualTo(200);
        assertThat(right.rest()).doesNotContainIgnoringCase("Set-Cookie");
    }

    // OPS-L11: a program whose token was revoked is not sent to fetch the user's own
    @Test
    void aRefusedTokenIsToldWhereToGetOneForThatDoor() throws IOException {
        String revoked = "Authorization: Bearer tdc_" + "x".repeat(43);
        for (String line : List.of("POST /mcp", "POST /command", "GET /ops", "GET /refs")) {
            assertThat(RawHttp.send(app.port(), line, "", host, revoked).body())
                    .as(line)
                    .contains("tandem token list", "tandem token add NAME")
                    .doesNotContain("for scripts");
        }
        assertThat(RawHttp.send(app.port(), "POST /mcp/s-1", "", host, revoked).body())
                .contains("the session's own agent", "/mcp with a token");
        String extension =
                "Origin: chrome-extension://"
                        + Json.resource("identity.json").get("extensionId").asString();
        String browser = "GET /browser/ops";
        assertThat(RawHttp.send(app.port(), browser, "", host, extension, revoked).body())
                .contains("tandem pair");
        assertThat(RawHttp.send(app.port(), "POST /pty-session", "", host, revoked).body())
                .contains("`tandem token` prints");
    }

    @Test
    void badJsonAndTooMuchOfItAreNamed() throws IOException {
        String pair = "POST /api/v1/auth/pair";
        RawHttp.Answer bad = RawHttp.send(app.port(), pair, "{no", host, "Content-Length: 3");
        assertThat(bad.status()).isEqualTo(400);
        assertThat(bad.body()).contains("bad_json").contains("hint");
        // SEC-25: 4 KiB before proof, announced or not; more from the user
        String large = "{\"code\":\"" + "x".repeat(5 * 1024) + "\"}";
        String dispose = "POST /pty-dispose";
        for (String line : List.of(pair, "POST /api/v1/auth/session/refresh", dispose)) {
            String length = "Content-Length: " + large.length();
            assertThat(RawHttp.send(app.port(), line, large, host, length).status())
                    .as(line)
                    .isEqualTo(413);
            String chunk = "%x\r\n%s\r\n0\r\n\r\n".formatted(large.length(), large);
            assertThat(
                            RawHttp.send(
                                            app.port(),
                                            line,
                                            chunk,
                                            host,
                                            "Transfer-Encoding: chunked")
                                    .status())
                    .as(line)
                    .isEqualTo(413);
        }
        String user = "Authorization: Bearer " + token;
        String whole = "Content-Length: " + large.length();
        assertThat(RawHttp.send(app.port(), dispose, large, host, user, whole).status())
                .isNotEqualTo(413);
    }

    // ACP-120 (W16 step 6): who sends all before reading gets the answer, not a broken pipe
    @Test
    void tooLargeAMessageIsAnsweredAfterItWasSent() throws IOException {
        String user = "Authorization: Bearer " + token;
        String json = "Content-Type: application/json";
        String large = "x".repeat(14 * 1024 * 1024);
        for (int i = 0; i < 5; i++) {
            String length = "Content-Length: " + large.length();
            RawHttp.Answer answer =
                    RawHttp.send(app.port(), "POST /mcp", large, host, user, json, length);
            assertThat(answer.status()).isEqualTo(413);
            String chunk = "%x\r\n%s\r\n0\r\n\r\n".formatted(large.length(), large);
            String chunked = "Transfer-Encoding: chunked";
            answer = RawHttp.send(app.port(), "POST /command", chunk, host, user, json, chunked);
            assertThat(answer.status()).isEqualTo(413);
        }
        // who asks first is told before anything is sent
        String asks = "Expect: 100-continue";
        String length = "Content-Length: " + large.length();
        RawHttp.Answer refused =
                RawHttp.send(app.port(), "POST /mcp", "", host, user, json, asks, length);
        assertThat(refused.status()).isEqualTo(413);
    }

    // SEC-25: nor does a body that drips keep a connection of somebody unproven
    @Test
    void aBodyWithoutProofComesSoon() throws Exception {
        Timings quick =
                new Timings(
                        Duration.ofSeconds(20),
                        AgentTimings.defaults(),
                        Duration.ofSeconds(20),
                        Duration.ofMillis(400));
        try (EdgeHub hurried = new EdgeHub(folder.resolve("hurried"), quick, Map.of(), "");
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), hurried.port())) {
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            String there = " HTTP/1.1\r\nHost: 127.0.0.1:" + hurried.port() + "\r\n";
            out.write(("GET /health" + there + "\r\n").getBytes(US_ASCII));
            String rest = "Content-Length: 900\r\n\r\n{";
            out.write(("POST /api/v1/auth/pair" + there + rest).getBytes(US_ASCII));
            // a byte now and then, until nobody takes it
            assertThatThrownBy(
                            () -> {
                                for (int i = 0; i < 800; i++) {
                                    out.write(' ');
                                    LockSupport.parkNanos(25_000_000);
                                }
                            })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void livenessSaysNothingAboutTokensOrPages() throws IOException {
        RawHttp.Answer answer = RawHttp.send(app.port(), "GET /health", "", host);
        assertThat(answer.body())
                .contains("\"status\":\"healthy\"", "\"ok\":true", "\"terminalPort\":null")
                .doesNotContain(token)
                .doesNotContain("http");
        assertThat(RawHttp.send(app.port(), "GET /metrics", "", host).body())
                .contains("tandem_heap_bytes")
                .doesNotContain(token);
    }

    @Test
    void failuresSlowOnlyThoseWhoFail() throws IOException {
        // OPS-L22, OPS-131
        try (App other = hub("throttled")) {
            String list = "GET /api/v1/auth/session/list";
            String there = "Host: 127.0.0.1:" + other.port();
            String wrong = "Authorization: Bearer " + "y".repeat(43);
            int refused = 0;
            for (int i = 0; i < 80; i++) {
                int status = RawHttp.send(other.port(), list, "", there, wrong).status();
                refused += status == 429 ? 1 : 0;
            }
            assertThat(refused).isPositive();
            String right = "Authorization: Bearer " + token(other);
            assertThat(RawHttp.send(other.port(), list, "", there, right).status()).isEqualTo(200);
        }
    }

    // OPS-L22: who asks often and rightly is not slowed down, and slows down nobody
    @Test
    void pollingStopsNobody() throws Exception {
        CliDoor cli = new CliDoor(app.port(), token);
        String client = cli.run(false, "token", "add", "poller").text().lines().toList().getLast();
        HttpRequest right = status(token);
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (int i = 0; i < 700; i++) {
                HttpResponse<String> answer =
                        http.send(right, HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).as("%d", i).isEqualTo(200);
                assertThat(answer.body()).contains("instanceId");
            }
            HttpResponse<String> other =
                    http.send(status(client), HttpResponse.BodyHandlers.ofString());
            assertThat(other.statusCode()).isEqualTo(200);
            assertThat(other.body()).contains("instanceId");
        }
        String code =
                Json.parse(cli.run(false, "pair", "--json").text()).at("/data/code").asString();
        String body = "{\"code\":\"" + code + "\",\"deviceName\":\"Mine\"}";
        RawHttp.Answer paired =
                RawHttp.send(
                        app.port(),
                        "POST /api/v1/auth/pair",
                        body,
                        host,
                        "Content-Type: application/json",
                        "Content-Length: " + body.length());
        assertThat(paired.status()).as(paired.body()).isEqualTo(200);
        assertThat(paired.body()).contains("sessionToken");
    }

    private static HttpRequest status(String bearer) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + app.port() + "/status"))
                .header("Authorization", "Bearer " + bearer)
                .build();
    }

    // OPS-129: pages that the user added read answers, and refusals are answers
    @Test
    void aPageThatTheUserAddedCanReadWhyItIsRefused() throws IOException {
        String list = "/api/v1/auth/session/list";
        try (App other = hub("pages")) {
            String right = token(other);
            assertThat(new CliDoor(other.port(), right).run(false, "origin", "add", PAGE).exit())
                    .isZero();
            readable(401, asked(other, "GET " + list, "wrong", PAGE));
            readable(403, asked(other, "GET /api/v1/auth/session", right, PAGE));
            readable(405, asked(other, "POST " + list, right, PAGE));
            RawHttp.Answer slowed = asked(other, "GET " + list, "wrong", PAGE);
            for (int i = 0; i < 80 && slowed.status() != 429; i++) {
                slowed = asked(other, "GET " + list, "wrong", PAGE);
            }
            readable(429, slowed);
            readable(200, asked(other, "GET " + list, right, PAGE));
            for (RawHttp.Answer closed :
                    List.of(
                            asked(other, "GET " + list, "wrong", "https://stranger.example"),
                            asked(other, "POST " + list, right, "https://stranger.example"),
                            asked(other, "GET /mcp", "wrong", PAGE))) {
                assertThat(closed.status()).isGreaterThan(400);
                assertThat(closed.rest()).doesNotContain("Access-Control");
            }
        }
    }

    private static void readable(int status, RawHttp.Answer answer) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.rest())
                .as("%d", status)
                .containsOnlyOnce("Access-Control-Allow-Origin: " + PAGE)
                .containsOnlyOnce("Vary: Origin");
    }

    private static RawHttp.Answer asked(App hub, String line, String bearer, String origin)
            throws IOException {
        return RawHttp.send(
                hub.port(),
                line,
                "",
                "Host: 127.0.0.1:" + hub.port(),
                "Origin: " + origin,
                "Authorization: Bearer " + bearer);
    }

    @Test
    void whatTheHubWritesIsClosedToOthers() throws IOException {
        // SEC-26: file modes
        try (var files = Files.walk(app.stateDir())) {
            for (Path file : files.toList()) {
                assertThat(Files.getPosixFilePermissions(file).toString())
                        .as(file.toString())
                        .doesNotContain("GROUP")
                        .doesNotContain("OTHERS");
            }
        }
    }
}

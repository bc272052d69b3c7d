package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.Options;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Route;
import dev.tandem.protocol.Routes;
import java.io.IOException;
import java.net.URI;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every kind of token at every route: what routes.json says, and nothing else. */
class DoorMatrixTest {
    private static final String EXTENSION =
            "chrome-extension://" + Json.resource("identity.json").get("extensionId").asString();
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int TOO_MANY = 429;

    /** Their answers do not end by themselves. */
    private static final Set<String> STREAMS =
            Set.of("activity-stream", "inspector-events", "streams-sse");

    /** An agent that writes down what it was given and does nothing else. */
    private static final String AGENT =
            """
            #!/bin/bash
            while read -r line; do
              id=$(sed -n 's/.*"id":\\([0-9]*\\),"method".*/\\1/p' <<< "$line")
              case "$line" in
                *'"method":"initialize"'*)
                  can='"agentCapabilities":{"mcpCapabilities":{"http":true}}'
                  echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":1,'$can'}}' ;;
                *'"method":"session/new"'*)
                  echo "$line" > "$0.part" && mv "$0.part" "$0.given"
                  echo '{"jsonrpc":"2.0","id":'$id',"result":{"sessionId":"a1"}}' ;;
              esac
            done
            """;

    private static Hub hub;
    private static final Map<String, String> TOKENS = new LinkedHashMap<>();
    private static String session = "";
    private static String pickerCookie = "";

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        Path agent = Files.writeString(folder.resolve("agent"), AGENT);
        assertThat(agent.toFile().setExecutable(true)).isTrue();
        hub = Hub.legacy(agent.toString());
        TOKENS.put("none", "");
        TOKENS.put("hub", hub.token());
        TOKENS.put("extension", hub.extensionToken("matrix-browser"));
        TOKENS.put("device", hub.deviceToken());
        TOKENS.put("client", hub.clientToken("all", Caller.Mode.ACT));
        TOKENS.put("session", sessionToken(folder.resolve("agent.given")));
        TOKENS.put("view", viewToken());
        TOKENS.put("picker", pickerKey());
        TOKENS.put("made-up", "tdh_" + "A".repeat(43));
    }

    /** What a session's agent is given for its own tools. */
    private static String sessionToken(Path given) throws IOException {
        String sessions = hub.url() + "/api/ambient/v1/sessions";
        session =
                Http.send("POST", sessions, "{\"name\":\"matrix\"}", bearer(hub.token()))
                        .json()
                        .path("id")
                        .asString();
        Http.send("POST", sessions + "/" + session + "/start", "", bearer(hub.token()));
        await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(given));
        return Json.parse(Files.readString(given))
                .at("/params/mcpServers/0/headers/0/value")
                .asString()
                .replace("Bearer ", "");
    }

    private static String viewToken() throws IOException {
        return Http.send("POST", hub.url() + "/sse-session", "", bearer(hub.token()))
                .json()
                .path("token")
                .asString();
    }

    /** The page's key; it counts together with the cookie only. */
    private static String pickerKey() throws IOException {
        String path =
                Http.send(
                                "POST",
                                hub.url() + "/cookie-picker/code",
                                "{}",
                                bearer(hub.extensionToken("matrix-browser")))
                        .json()
                        .path("path")
                        .asString();
        var headers = Http.get(hub.url() + path, "Sec-Fetch-Site", "none").raw().headers();
        pickerCookie = headers.firstValue("Set-Cookie").orElseThrow().replaceAll(";.*", "");
        return headers.firstValue("Location").orElseThrow().replaceAll(".*#", "");
    }

    @AfterAll
    static void stop() throws IOException {
        hub.close();
    }

    @Test
    void theLegacyDoorIsNotThereUnlessItWasAskedFor() throws IOException {
        // OPS-1 (the door answers 404, the status tells so), SEC-24
        try (Hub usual = Hub.start(Options.BrowserChoice.NONE)) {
            for (String path : List.of("/cdp", "/cdp/json/version", "/browser/cdp")) {
                for (String token : List.of("", usual.token(), usual.extensionToken("b"))) {
                    assertThat(Http.get(usual.url() + path, bearer(token)).status())
                            .as(path)
                            .isEqualTo(404);
                }
            }
            assertThat(usual.status().path("cdpConnected").asBoolean(true)).isFalse();
        }
    }

    @Test
    void everyTokenOpensExactlyItsDoors() throws IOException {
        // SEC-24
        int checked = 0;
        for (Route route : Routes.all()) {
            if (route.id().equals("stop")) {
                continue; // the right token ends the hub: see onlyTheHubsTokenStopsTheHub
            }
            for (Map.Entry<String, String> token : TOKENS.entrySet()) {
                for (String method : route.methods()) {
                    int status = knock(route, method, token.getKey(), fresh(token));
                    checked++;
                    boolean provesMore = route.door().equals("cli") && token.getKey().equals("hub");
                    if (route.free() || provesMore) {
                        continue; // the guard lets them in; a refusal is the handler's own
                    }
                    assertThat(opened(route, status))
                            .as(
                                    method
                                            + " "
                                            + route.path()
                                            + " by "
                                            + token.getKey()
                                            + ": "
                                            + status)
                            .isEqualTo(route.tokens().contains(token.getKey()));
                }
            }
        }
        assertThat(checked).isGreaterThan(5 * 15);
        assertThat(TOKENS.keySet())
                .as("every kind of token")
                .containsAll(Stream.of(TokenKind.values()).map(TokenKind::word).toList());
    }

    @Test
    void whatTokensOfOnePurposeOpen() {
        // SEC-11, SEC-12, SEC-24: written down here as well, so that no row slips into the data
        assertThat(routesOf("session")).containsExactly("mcp-session");
        assertThat(routesOf("view"))
                .containsExactlyInAnyOrder("activity-stream", "inspector-events", "memory");
        assertThat(routesOf("picker"))
                .containsExactlyInAnyOrder(
                        "cookie-picker-browsers",
                        "cookie-picker-domains",
                        "cookie-picker-cookies",
                        "cookie-picker-remove");
        assertThat(routesOf("client"))
                .containsExactlyInAnyOrder(
                        "ops",
                        "annotation",
                        "mcp",
                        "command",
                        "sse-session",
                        "activity-stream",
                        "activity-history",
                        "refs",
                        "batch",
                        "memory",
                        "status");
    }

    private static List<String> routesOf(String kind) {
        return Routes.all().stream()
                .filter(route -> route.tokens().contains(kind))
                .map(Route::id)
                .toList();
    }

    @Test
    void aWebPageOnADeviceOpensTheChatAndNothingElse() {
        // SEC-12, SEC-24
        assertThat(routesOf("device")).containsExactlyInAnyOrder("auth-session", "ambient", "ws");
    }

    @Test
    void onlyTheHubsTokenStopsTheHub() throws IOException {
        for (String kind :
                List.of(
                        "none",
                        "extension",
                        "device",
                        "client",
                        "session",
                        "view",
                        "picker",
                        "made-up")) {
            Http.Answer answer =
                    Http.send(
                            "POST", hub.url() + "/stop", "", bearer(TOKENS.getOrDefault(kind, "")));
            assertThat(answer.status()).as(kind).isIn(UNAUTHORIZED, FORBIDDEN);
        }
        Http.Answer stale =
                Http.send(
                        "POST",
                        hub.url() + "/stop",
                        "",
                        "Authorization",
                        "Bearer " + hub.token(),
                        "x-tandem-stop-fingerprint",
                        "another-run");
        assertThat(stale.status()).isEqualTo(409);
        assertThat(stale.json().path("reason").asString()).isEqualTo("daemon_fingerprint_mismatch");
    }

    @Test
    void whatIsNotARowIsNotThere() throws IOException {
        // SEC-24; W1: /pair answers 404
        for (String path :
                List.of("/pair", "/nothing", "/mcp/a/b", "/.env", "/extension-token-x")) {
            for (String token : TOKENS.values()) {
                assertThat(Http.get(hub.url() + path, bearer(token)).status())
                        .as(path)
                        .isEqualTo(404);
            }
        }
    }

    @Test
    void otherMethodsAreRefused() throws IOException {
        for (Route route : Routes.all()) {
            for (String method : List.of("PUT", "PATCH")) {
                if (!route.methods().contains(method)) {
                    int status =
                            Http.send(method, hub.url() + concrete(route), "", bearer(hub.token()))
                                    .status();
                    assertThat(status)
                            .as(method + " " + route.path())
                            .isIn(405, FORBIDDEN, shut(route));
                }
            }
        }
    }

    @Test
    void aCookieIsNoProof() throws IOException {
        // SEC-16: ports share cookies, so one never opens a door by itself
        for (String name : List.of("token", "session", "tandem", "Authorization")) {
            for (String path : List.of("/mcp", "/command", "/status", "/stop")) {
                String method = path.equals("/status") ? "GET" : "POST";
                Http.Answer answer =
                        Http.send(
                                method,
                                hub.url() + path,
                                method.equals("POST") ? "{}" : "",
                                "Cookie",
                                name + "=" + hub.token());
                if (path.equals("/status")) {
                    assertThat(answer.body()).isEqualTo("{\"running\":true}");
                } else {
                    assertThat(answer.status()).isEqualTo(UNAUTHORIZED);
                }
                assertThat(answer.raw().headers().firstValue("Set-Cookie")).isEmpty();
            }
        }
    }

    /** Some routes log a browser out, so each knock is by a new login. */
    private static String fresh(Map.Entry<String, String> token) {
        return switch (token.getKey()) {
            case "extension" -> hub.extensionToken("matrix-browser");
            case "device" -> hub.deviceToken();
            default -> token.getValue();
        };
    }

    /**
     * A door is shut by 401, 403 or, after many wrong tokens, 429; the rest came from behind it. A
     * session's address is not even there for others.
     */
    private static boolean opened(Route route, int status) {
        return status != UNAUTHORIZED
                && status != FORBIDDEN
                && status != TOO_MANY
                && status != shut(route);
    }

    private static int shut(Route route) {
        return route.id().equals("mcp-session") ? 404 : FORBIDDEN;
    }

    private static int knock(Route route, String method, String kind, String token)
            throws IOException {
        if (route.kind() == Route.Kind.WS) {
            return upgrade(route, token);
        }
        String body = method.equals("POST") || method.equals("PUT") ? "{}" : "";
        String address = hub.url() + concrete(route);
        if (STREAMS.contains(route.id())) {
            return Http.status(address, bearer(token));
        }
        if (kind.equals("session")) {
            // A session's token is known at its own address; the other ones are not there for it.
            address = address.replace("/mcp/x", "/mcp/" + session);
        }
        String[] proof =
                kind.equals("picker")
                        ? new String[] {
                            "Authorization",
                            "Bearer " + token,
                            "Cookie",
                            pickerCookie,
                            "Sec-Fetch-Site",
                            "same-origin"
                        }
                        : bearer(token);
        return Http.send(method, address, body, proof).status();
    }

    private static int upgrade(Route route, String token) {
        WebSocket.Builder builder = Http.CLIENT.newWebSocketBuilder();
        if (route.door().equals("browser")) {
            builder.header("Origin", EXTENSION);
        }
        if (!token.isEmpty()) {
            builder.header("Authorization", "Bearer " + token);
        }
        URI address = URI.create("ws://127.0.0.1:" + hub.port() + concrete(route));
        try {
            builder.buildAsync(address, new WebSocket.Listener() {}).join().abort();
            return 101;
        } catch (CompletionException e) {
            if (e.getCause() instanceof WebSocketHandshakeException refused) {
                return refused.getResponse().statusCode();
            }
            throw e;
        }
    }

    private static String concrete(Route route) {
        return route.path().replaceAll("\\{[^}]+}", "x").replace("*", "x");
    }

    private static String[] bearer(String token) {
        return token.isEmpty() ? new String[0] : new String[] {"Authorization", "Bearer " + token};
    }
}

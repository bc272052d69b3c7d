package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.hub.Options;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Route;
import dev.tandem.protocol.Routes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the hub gives to a browser that opens /app, and where it listens at all. */
class WebAppDoorTest {
    /** What may ever be reachable from beyond this computer. */
    private static final Set<String> OPEN = Set.of("app", "relay", "ambient", "chat", "health");

    private static Hub hub;

    @BeforeAll
    static void start() throws IOException {
        hub = Hub.start(Options.BrowserChoice.NONE);
    }

    @AfterAll
    static void stop() throws IOException {
        hub.close();
    }

    // ACP-6
    @Test
    void theProductHasItsFourParts() {
        for (String part :
                List.of(
                        "extension/manifest.json",
                        "webapp/index.html",
                        "hub/pom.xml",
                        "extension/ui/chat/chat.js",
                        "extension/protocol/routes.json")) {
            assertThat(Hub.root().resolve(part)).exists();
        }
    }

    // ACP-17, ACP-78
    @Test
    void theAppIsServedWithItsRules() throws IOException {
        for (var lead : Map.of("/app", 308, "/", 302).entrySet()) {
            Http.Answer led = Http.get(hub.url() + lead.getKey());
            assertThat(led.status()).as(lead.getKey()).isEqualTo(lead.getValue());
            assertThat(led.header("Location")).isEqualTo("/app/");
        }
        Http.Answer page = Http.get(hub.url() + "/app/");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.body()).contains("<tandem-app>");
        assertThat(page.header("Content-Security-Policy"))
                .contains("default-src 'none'", "img-src 'self' data: blob:")
                .contains("form-action 'none'", "frame-src 'none'", "connect-src 'self'")
                .doesNotContain("unsafe");
        assertThat(page.header("Referrer-Policy")).isEqualTo("no-referrer");
        for (String nothing : List.of("nope.js", "app.js/", "ui")) {
            assertThat(Http.get(hub.url() + "/app/" + nothing).status()).as(nothing).isEqualTo(404);
        }
        for (String outside : List.of("../tandem", "%2e%2e/pom.xml")) {
            assertThat(Http.get(hub.url() + "/app/" + outside).status()).as(outside).isIn(400, 404);
        }
        // no other site can load them into itself to learn that Tandem runs, or as what version
        for (String path : List.of("", "/", "/ui/chat/chat.js", "/nope.js", "/pair")) {
            assertThat(Http.get(hub.url() + "/app" + path).header("Cross-Origin-Resource-Policy"))
                    .as(path)
                    .isEqualTo("same-origin");
        }
        Http.Answer module = Http.get(hub.url() + "/app/ui/chat/chat.js");
        assertThat(module.header("Content-Type")).startsWith("text/javascript");
        assertThat(module.body())
                .isEqualTo(Files.readString(Hub.root().resolve("extension/ui/chat/chat.js")));
        assertThat(
                        Http.get(
                                        hub.url() + "/app/ui/chat/chat.js",
                                        "If-None-Match",
                                        module.header("ETag"))
                                .status())
                .isEqualTo(304);
    }

    // ACP-78: the app, the tools and the socket of the chat on one port
    @Test
    void oneServerHasAllDoors() throws IOException {
        assertThat(Http.get(hub.url() + "/app/").status()).isEqualTo(200);
        assertThat(Http.post(hub.url() + "/mcp", Json.object()).status()).isEqualTo(401);
        WebSocket socket =
                Http.CLIENT
                        .newWebSocketBuilder()
                        .buildAsync(
                                URI.create("ws://127.0.0.1:" + hub.port() + "/ws"),
                                new WebSocket.Listener() {})
                        .join();
        assertThat(socket.isInputClosed()).isFalse();
        socket.abort();
    }

    // ACP-165: what came in a query goes on in the fragment, which no server and no Referer sees
    @Test
    void aTokenInTheQueryLeavesIt() throws IOException {
        Http.Answer lead = Http.get(hub.url() + "/app?token=tdh_abc");
        assertThat(lead.header("Location")).isEqualTo("/app/#token=tdh_abc");
        assertThat(lead.header("Cache-Control")).isEqualTo("no-store");
        assertThat(Http.get(hub.url() + "/app?token=a%0d%0aSet-Cookie:x").header("Location"))
                .isEqualTo("/app/");
    }

    // ACP-L20: a device's login is its own; the code is worth nothing twice
    @Test
    void aDeviceGetsALoginOfItsOwn() throws IOException {
        var asked = Json.object().put("kind", "web").put("deviceName", "Phone");
        String code = hub.app().pairingCode();
        Http.Answer first =
                Http.post(hub.url() + "/api/v1/auth/pair", asked.deepCopy().put("code", code));
        assertThat(first.status()).isEqualTo(200);
        assertThat(first.json().path("browserId").asString()).startsWith("web-");
        assertThat(first.json().has("hubKey")).isFalse();
        String token = first.json().path("sessionToken").asString();
        assertThat(token).isNotEqualTo(hub.token());
        Http.Answer second =
                Http.post(hub.url() + "/api/v1/auth/pair", asked.deepCopy().put("code", code));
        assertThat(second.status()).isGreaterThanOrEqualTo(400);
        assertThat(Http.post(hub.url() + "/api/v1/auth/pair", asked).status()).isEqualTo(400);
        assertThat(
                        Http.post(
                                        hub.url() + "/api/v1/auth/pair",
                                        asked,
                                        "Authorization",
                                        "Bearer " + token)
                                .status())
                .as("a device cannot let another one in")
                .isEqualTo(400);
        assertThat(
                        Http.get(
                                        hub.url() + "/api/v1/auth/session/list",
                                        "Authorization",
                                        "Bearer " + hub.token())
                                .body())
                .contains("Phone");
    }

    // SEC-12: every row, every listener
    @Test
    void onlyAClosedSetMayBeOpenBeyondThisComputer() {
        assertThat(Routes.all()).hasSizeGreaterThan(20);
        for (Route route : Routes.all()) {
            assertThat(route.listener()).as(route.id()).contains("loopback");
            boolean beyond = route.listener().stream().anyMatch(one -> !one.equals("loopback"));
            assertThat(!beyond || OPEN.contains(route.door())).as(route.id()).isTrue();
        }
    }

    // SEC-12, ACP-167
    @Test
    void nothingListensBeyondThisComputer(@TempDir Path folder) throws IOException {
        for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress address : Collections.list(network.getInetAddresses())) {
                if (!address.isLoopbackAddress()) {
                    assertThatThrownBy(() -> connect(address)).isInstanceOf(IOException.class);
                }
            }
        }
        connect(InetAddress.getLoopbackAddress());
        for (String host : List.of("0.0.0.0", "192.168.1.2", "::")) {
            Launcher.Run run =
                    new Launcher(Launcher.freshState(folder))
                            .run("up", "--port", "0", "--browser", "none", "--host", host);
            assertThat(run.exit()).as(host).isEqualTo(1);
            assertThat(run.err()).contains("--host", "TLS", "ssh -L");
        }
    }

    // SEC-16
    @Test
    void aCookieIsNoProof() throws IOException {
        String cookie =
                "token=%1$s; session=%1$s; Authorization=Bearer %1$s; tandem=%1$s; access=%1$s"
                        .formatted(hub.token());
        int checked = 0;
        for (Route route : Routes.all()) {
            if (route.free() || route.kind() != Route.Kind.HTTP) {
                continue;
            }
            for (String method : route.methods()) {
                String path = route.path().replaceAll("\\{[^}]*}", "x").replace("*", "sessions");
                Http.Answer answer =
                        Http.send(
                                method,
                                hub.url() + path,
                                method.equals("GET") ? "" : "{}",
                                "Cookie",
                                cookie,
                                "Sec-Fetch-Site",
                                "same-origin");
                assertThat(answer.status()).as(method + " " + path).isIn(401, 403, 404);
                checked++;
            }
        }
        assertThat(checked).isGreaterThan(20);
    }

    private static void connect(InetAddress address) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, hub.port()), 2_000);
        }
    }
}

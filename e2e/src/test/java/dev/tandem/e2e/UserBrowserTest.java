package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.Options;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A browser that the hub did not start: paired by one click, driven like any other. */
class UserBrowserTest {
    private static final Pattern BUTTON = Pattern.compile("\\[(\\w+)] button \"Add one\"");

    @Test
    void itIsPairedByOneClickAndDriven() throws IOException {
        // OPS-6, OPS-42 (nothing given), OPS-B8
        try (Hub hub = Hub.start(Options.BrowserChoice.NONE);
                OwnBrowser own = OwnBrowser.connect(hub)) {
            assertThat(own.chrome().alive()).isTrue();
            JsonNode listed = hub.status().path("extensions").path(0);
            assertThat(listed.path("mode").asString()).isEqualTo("extension");
            assertThat(listed.path("name").asString()).isNotEmpty();
            McpClient client = hub.mcp();
            JsonNode session = client.call("launch", Json.object());
            assertThat(session.path("mode").asString()).isEqualTo("extension");
            assertThat(session.path("sessionMode").asString()).isEqualTo("extension_ops");
            client.call("goto", Json.object().put("url", Pages.shared().url("/")));
            String before = client.text("snapshot", Json.object());
            Matcher button = BUTTON.matcher(before);
            assertThat(button.find()).as(before).isTrue();
            client.call("click", Json.object().put("ref", button.group(1)));
            assertThat(client.text("snapshot", Json.object())).contains("1 times");
            // OPS-L6, OPS-B6: the user's own tab stays in front
            JsonNode tabs = client.call("browser_tabs", Json.object()).path("tabs");
            for (JsonNode tab : tabs) {
                boolean driven = tab.path("url").asString().contains(Pages.shared().url("/"));
                assertThat(driven && tab.path("active").asBoolean()).isFalse();
            }
        }
    }

    @Test
    void aPageThatWasOpenBeforeTheExtensionPairsByOneClick() throws IOException {
        try (Hub hub = Hub.start(Options.BrowserChoice.NONE);
                OwnBrowser own = OwnBrowser.connectFromOpenPage(hub)) {
            assertThat(own.chrome().alive()).isTrue();
            assertThat(hub.status().path("extensions").size()).isEqualTo(1);
        }
    }

    @Test
    void twoProfilesAreTwoNamedBrowsersWithTabsOfTheirOwn() throws IOException {
        // OPS-25: each connection has a set of owned tabs of its own
        try (Hub hub = Hub.start(Options.BrowserChoice.NONE);
                OwnBrowser first = OwnBrowser.connect(hub);
                OwnBrowser second = OwnBrowser.connect(hub)) {
            JsonNode listed = hub.status().path("extensions");
            assertThat(listed.size()).isEqualTo(2);
            String one = listed.path(0).path("name").asString();
            String two = listed.path(1).path("name").asString();
            assertThat(one).isNotEmpty().isNotEqualTo(two);
            McpClient client = hub.mcp();
            List<String> sessions = new ArrayList<>();
            for (String name : List.of(one, two)) {
                JsonNode session = client.call("launch", Json.object().put("browser", name));
                assertThat(session.path("browser").asString()).isEqualTo(name);
                client.call(
                        "goto",
                        Json.object()
                                .put("sessionId", session.path("sessionId").asString())
                                .put("url", Pages.shared().url("/")));
                sessions.add(session.path("sessionId").asString());
            }
            JsonNode both = hub.status();
            assertThat(both.path("opsOwnedTargetCount").asInt()).isEqualTo(2);
            for (JsonNode extension : both.path("extensions")) {
                assertThat(extension.path("opsOwnedTabIds").size()).isEqualTo(1);
            }
            client.call("disconnect", Json.object().put("sessionId", sessions.getFirst()));
            JsonNode left = hub.status();
            assertThat(left.path("opsOwnedTargetCount").asInt()).isEqualTo(1);
            for (JsonNode extension : left.path("extensions")) {
                boolean ended = extension.path("name").asString().equals(one);
                assertThat(extension.path("opsOwnedTabIds").size()).isEqualTo(ended ? 0 : 1);
            }
            assertThat(first.chrome().alive() && second.chrome().alive()).isTrue();
        }
    }

    @Test
    void aFalseHubOnThePortGetsNothing() throws IOException {
        // SEC-7
        Hub hub = Hub.start(Options.BrowserChoice.NONE);
        int port = hub.port();
        OwnBrowser own = OwnBrowser.connect(hub);
        try {
            hub.close();
            try (Stranger stranger = new Stranger(port)) {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> stranger.heard.size() >= 3);
                for (String request : stranger.heard) {
                    assertThat(request).startsWith("GET /config?");
                    assertThat(request.toLowerCase(java.util.Locale.ROOT))
                            .doesNotContain(
                                    "tde_", "tdr_", "bearer", "upgrade: websocket", "cookie");
                }
            }
        } finally {
            own.close();
        }
    }

    @Test
    void aPageCannotTellThatTandemIsThere() throws IOException {
        // SEC-27
        try (Hub hub = Hub.start(Options.BrowserChoice.NONE);
                OwnBrowser own = OwnBrowser.connect(hub)) {
            String page = own.chrome().open(Pages.shared().url("/"));
            String session = own.chrome().attach(page);
            own.chrome()
                    .evaluateWhen(
                            session,
                            "location.protocol === 'http:' && document.readyState === 'complete'",
                            "true");
            String id = Json.resource("identity.json").get("extensionId").asString();
            for (String file :
                    List.of("manifest.json", "pair.html", "sidepanel.html", "icons/icon-16.png")) {
                String probe =
                        "fetch('chrome-extension://"
                                + id
                                + "/"
                                + file
                                + "').then(() => 'there', () => 'nothing')";
                assertThat(own.chrome().evaluate(session, probe).asString(""))
                        .as(file)
                        .isEqualTo("nothing");
            }
            String talk =
                    "typeof chrome === 'undefined' || !chrome.runtime ||"
                            + " !chrome.runtime.sendMessage ? 'nothing' : 'there'";
            assertThat(own.chrome().evaluate(session, talk).asString("")).isEqualTo("nothing");
        }
    }

    /** Another program that took the hub's port and pretends. */
    private static final class Stranger implements AutoCloseable {
        private final List<String> heard = new CopyOnWriteArrayList<>();
        private final ServerSocket server;

        Stranger(int port) throws IOException {
            server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
            Thread.ofPlatform().daemon().start(this::listen);
        }

        private void listen() {
            while (!server.isClosed()) {
                try (Socket socket = server.accept()) {
                    InputStream in = socket.getInputStream();
                    byte[] buffer = new byte[16_384];
                    int count = in.read(buffer);
                    if (count > 0) {
                        heard.add(new String(buffer, 0, count, StandardCharsets.UTF_8));
                    }
                    String body =
                            "{\"relayPort\":1,\"instanceId\":\"false\",\"epoch\":1,\"proof\":\""
                                    + "0".repeat(64)
                                    + "\"}";
                    OutputStream out = socket.getOutputStream();
                    out.write(
                            ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                            + "Access-Control-Allow-Origin: *\r\nContent-Length: "
                                            + body.length()
                                            + "\r\nConnection: close\r\n\r\n"
                                            + body)
                                    .getBytes(StandardCharsets.UTF_8));
                    out.flush();
                } catch (IOException e) {
                    // the test ends
                }
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}

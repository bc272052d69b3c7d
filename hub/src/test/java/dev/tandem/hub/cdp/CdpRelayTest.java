package dev.tandem.hub.cdp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.browser.FakeExtension;
import dev.tandem.hub.browser.OpsSocket;
import dev.tandem.hub.browser.TestHub;
import dev.tandem.hub.browser.Wire;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** The legacy door with the browser's end played by the test. */
class CdpRelayTest {
    private static final String ID = Json.resource("identity.json").get("extensionId").asString();

    @TempDir Path folder;
    private final HttpClient http = HttpClient.newHttpClient();

    private Wire browser(TestHub hub) {
        return browser(hub, "browser-one", "One");
    }

    private Wire browser(TestHub hub, String id, String name) {
        Wire wire =
                Wire.open(
                        http,
                        hub.port(),
                        "/browser/cdp",
                        "Origin",
                        "chrome-extension://" + ID,
                        "subprotocols",
                        "tandem.v1,bearer." + hub.extensionToken(id, name));
        ObjectNode handshake = Json.object().put("type", "handshake");
        ObjectNode payload = handshake.putObject("payload");
        payload.put("extensionId", ID).put("version", "0.1.0").put("browserId", id);
        payload.putArray("capabilities");
        wire.send(handshake);
        wire.next("handshakeAck");
        return wire;
    }

    private Wire program(TestHub hub) throws IOException {
        return Wire.open(http, hub.port(), "/cdp", "Authorization", "Bearer " + hub.hubToken());
    }

    private static void assertAnswers(Wire program, String type, String answer) {
        program.send(Json.object().put("type", type).put("id", "1"));
        assertThat(program.next().path("type").asString()).isEqualTo(answer);
    }

    private static void assertRelays(Wire program, Wire browser) {
        program.send(Json.object().put("id", 8).put("method", "Page.enable"));
        assertThat(browser.next().path("method").asString()).isEqualTo("forwardCDPCommand");
    }

    // OPS-10: whichever is closed, the other two answer.
    @Test
    void threeDoorsAreThreeSockets() throws Exception {
        try (TestHub hub = TestHub.legacy(folder);
                FakeExtension tools = hub.extension("browser-one", "One");
                Wire browser = browser(hub)) {
            String[] bearer = {"Authorization", "Bearer " + hub.hubToken()};
            for (String closed : List.of("/ops", "/annotation", "/cdp")) {
                OpsSocket ops = OpsSocket.greeted(http, hub.port(), hub.hubToken());
                Wire annotation = Wire.open(http, hub.port(), "/annotation", bearer);
                Wire cdp = program(hub);
                Map<String, AutoCloseable> doors =
                        Map.of("/ops", ops, "/annotation", annotation, "/cdp", cdp);
                try {
                    assertAnswers(ops.wire(), "ops_ping", "ops_pong");
                    assertAnswers(annotation, "ping", "pong");
                    assertRelays(cdp, browser);
                    Objects.requireNonNull(doors.get(closed)).close();
                    if (!closed.equals("/ops")) {
                        assertAnswers(ops.wire(), "ops_ping", "ops_pong");
                    }
                    if (!closed.equals("/annotation")) {
                        assertAnswers(annotation, "ping", "pong");
                    }
                    if (!closed.equals("/cdp")) {
                        assertRelays(cdp, browser);
                    }
                } finally {
                    for (AutoCloseable door : doors.values()) {
                        door.close();
                    }
                }
                assertThat(browser.next().path("action").asString()).isEqualTo("client_closed");
            }
            assertThat(tools.wire().isOpen()).isTrue();
        }
    }

    private String get(TestHub hub, String path) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + hub.port() + path))
                        .header("Authorization", "Bearer " + hub.hubToken())
                        .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    @Test
    void numbersAreKeptApartAndABrowserThatGoesTakesTheProgramAlong() throws Exception {
        try (TestHub hub = TestHub.legacy(folder);
                Wire first = browser(hub);
                Wire program = program(hub)) {
            assertThat(get(hub, "/cdp/json/list")).isEqualTo("[]");
            assertThat(Json.parse(get(hub, "/cdp/json/version")).has("webSocketDebuggerUrl"))
                    .isTrue();
            program.sendText("{");
            assertThat(program.next().path("error").path("code").asInt()).isEqualTo(-32_700);
            program.send(Json.object().put("id", 77).put("method", "Page.enable"));
            ObjectNode asked = first.next();
            assertThat(asked.path("params").path("method").asString()).isEqualTo("Page.enable");
            first.send(Json.object().put("id", 4711).set("result", Json.object()));
            ObjectNode answer = Json.object();
            answer.set("id", asked.path("id"));
            first.send(answer.set("result", Json.object().put("ok", true)));
            ObjectNode heard = program.next();
            assertThat(heard.path("id").asInt()).as("nobody asked for 4711").isEqualTo(77);
            assertThat(heard.path("result").path("ok").asBoolean()).isTrue();

            try (Wire second = browser(hub)) {
                assertThat(first.closed()).isEqualTo("1000 Replaced by a new extension client");
                assertThat(program.closed()).isEqualTo("1011 Extension disconnected.");
                // a message that no program waits for
                second.send(Json.object().put("id", 1).set("result", Json.object()));
                try (Wire next = program(hub)) {
                    next.send(Json.object().put("id", 5).put("method", "Page.enable"));
                    assertThat(second.next().path("method").asString())
                            .isEqualTo("forwardCDPCommand");
                }
            }
        }
    }

    // W1, OPS-25: Playwright asks for the address first and follows it
    @Test
    void theBrowserThatIsNamedIsTheOneThatIsReached() throws Exception {
        try (TestHub hub = TestHub.legacy(folder);
                Wire browser = browser(hub)) {
            String address =
                    Json.parse(get(hub, "/cdp/json/version/?browser=browser-one"))
                            .path("webSocketDebuggerUrl")
                            .asString();
            assertThat(address).endsWith("/cdp?browser=browser-one");
            assertThat(get(hub, "/cdp/json/version/?browser=Two"))
                    .contains("\\\"Two\\\"", "Connected: browser-one.");
            String[] bearer = {"Authorization", "Bearer " + hub.hubToken()};
            try (Wire found = Wire.open(http, hub.port(), "/cdp?browser=browser-one", bearer)) {
                assertRelays(found, browser);
            }
            try (Wire lost = Wire.open(http, hub.port(), "/cdp?browser=Two", bearer)) {
                assertThat(lost.closed()).isEqualTo("1011 No browser of that name is connected.");
            }
        }
    }

    // W1, SETTLED-7: of several, the one that the user looked at last, at every door
    @Test
    void ofSeveralTheOneThatTheUserTurnedToIsReached() throws Exception {
        try (TestHub hub = TestHub.legacy(folder);
                FakeExtension one = hub.extension("browser-one", "One");
                FakeExtension two = hub.extension("browser-two", "Two");
                Wire first = browser(hub);
                Wire second = browser(hub, "browser-two", "Two")) {
            try (Wire program = program(hub)) {
                assertRelays(program, second);
            }
            assertThat(second.next().path("action").asString()).isEqualTo("client_closed");
            one.wire().send(Json.object().put("type", "windowFocused"));
            one.wire().send(Json.object().put("type", "healthCheck").put("id", "h"));
            one.wire().next("healthCheckResult");
            assertThat(two.wire().isOpen()).isTrue();
            try (Wire program = program(hub)) {
                assertRelays(program, first);
            }
        }
    }

    // W6: a hub that stops says so; a program need not take it for a crash
    @Test
    void aHubThatStopsSaysGoodbye() throws Exception {
        List<Wire> doors;
        try (TestHub hub = TestHub.legacy(folder)) {
            String[] bearer = {"Authorization", "Bearer " + hub.hubToken()};
            doors =
                    List.of(
                            Wire.open(http, hub.port(), "/ops", bearer),
                            Wire.open(http, hub.port(), "/annotation", bearer),
                            browser(hub));
        }
        assertThat(doors).allSatisfy(door -> assertThat(door.closed()).startsWith("1001"));
    }
}

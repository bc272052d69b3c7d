package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** OPS-L11, W16 #8: what keeps an extension out, or its debugger, can be found out afterwards. */
class TurnedAwayTest {
    private static final String OWN = "chrome-extension://" + FakeExtension.ID;

    @TempDir Path folder;
    private TestHub hub;
    private Door door;

    @BeforeEach
    void start() throws IOException {
        hub = TestHub.hurried(folder);
        door = new Door(hub.port(), hub.hubToken());
    }

    @AfterEach
    void stop() throws IOException {
        hub.close();
    }

    private void refused(String origin, String token) {
        assertThatThrownBy(() ->
                        Wire.open(
                                HttpClient.newHttpClient(),
                                hub.port(),
                                "/browser/ops",
                                "Origin",
                                origin,
                                "subprotocols",
                                "tandem.v1,bearer." + token))
                .isInstanceOf(Wire.Refused.class);
    }

    private JsonNode status() throws Exception {
        return door.get("/status").json();
    }

    private JsonNode launch() throws Exception {
        ObjectNode body = Json.object().put("name", "launch");
        body.putObject("params");
        return door.post("/command", body).json().path("error");
    }

    @Test
    void aTokenThatIsNotTaken() throws Exception {
        assertThat(launch().path("code").asString()).isEqualTo("extension_not_connected");
        refused(OWN, "tde_wrong");
        assertThat(status().at("/lastHandshakeError/code").asString()).isEqualTo("pairing_invalid");
        JsonNode error = launch();
        assertThat(error.path("code").asString()).isEqualTo("extension_connect_failed");
        assertThat(error.path("message").asString())
                .startsWith(
                        "Extension relay connection failed: relay /ops unauthorized (token"
                                + " mismatch). Diagnostics: ");
        try (FakeExtension back = hub.extension("one", "One")) {
            assertThat(back.wire().isOpen()).isTrue();
            await().until(() -> !status().has("lastHandshakeError"));
        }
        await().until(() -> status().path("extensions").isEmpty());
        assertThat(launch().path("code").asString()).isEqualTo("extension_not_connected");
    }

    // OPS-L11: of a token that was ended the browser is known, so that no other one's coming hides
    // it
    @Test
    void aTokenThatWasEnded() throws Exception {
        String token = hub.extensionToken("two", "Two");
        hub.endPairing("two");
        refused(OWN, token);
        assertThat(status().at("/handshakeErrors/0/code").asString()).isEqualTo("pairing_invalid");
        try (FakeExtension other = hub.extension("one", "One")) {
            assertThat(other.wire().isOpen()).isTrue();
            await().until(() -> status().path("extensions").size() == 1);
            assertThat(status().path("handshakeErrors")).hasSize(1);
        }
        try (FakeExtension back = hub.extension("two", "Two")) {
            assertThat(back.wire().isOpen()).isTrue();
            await().until(() -> status().path("handshakeErrors").isEmpty());
        }
    }

    // what the hub pairs itself, at each start anew, is no browser of the user's
    @Test
    void onlyPairingsOfPeopleAreTold() throws Exception {
        hub.pair("managed-tmp", "tmp");
        hub.pair("cdp-1", "port 9222");
        hub.pair("one", "Mine");
        JsonNode known = status().at("/pairings/browsers");
        assertThat(known).hasSize(1);
        assertThat(known.path(0).path("browserId").asString()).isEqualTo("one");
        assertThat(known.path(0).path("pairedAt").asLong()).isPositive();
    }

    @Test
    void anExtensionOfAnotherId() throws Exception {
        refused("https://page.example", "tde_wrong");
        assertThat(status().has("lastHandshakeError")).as("a page is no extension").isFalse();
        String other = "chrome-extension://" + "a".repeat(32);
        refused(other, "tde_wrong");
        assertThat(status().at("/lastHandshakeError/code").asString()).isEqualTo("origin_blocked");
        assertThat(status().at("/lastHandshakeError/message").asString()).contains(other);
    }

    @Test
    void aDebuggerThatIsNotLetIn() throws Exception {
        try (FakeExtension browser = hub.extension("one", "One")) {
            browser.on(
                    "nav.snapshot",
                    request ->
                            browser.fail(
                                    request,
                                    "cdp_attach_failed",
                                    "Another debugger is attached.",
                                    Json.object().put("reason", "other_debugger")));
            ObjectNode body = Json.object().put("name", "snapshot");
            body.putObject("params");
            door.post("/command", body);
            JsonNode known = status().at("/extensions/0/attachRefused");
            assertThat(known.path("reason").asString()).isEqualTo("other_debugger");
            assertThat(known.path("message").asString()).isEqualTo("Another debugger is attached.");
            assertThat(known.path("at").asLong()).isPositive();
        }
    }
}

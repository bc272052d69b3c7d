package dev.tandem.hub.browser;

import dev.tandem.hub.auth.Caller;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** A real hub whose /ops door is tried, with the browser's end played by the test. */
class OpsDoorBench {
    @TempDir Path folder;
    final HttpClient http = HttpClient.newHttpClient();
    TestHub hub;
    FakeExtension extension;
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        hub = new TestHub(folder);
        extension = keep(hub.extension("browser-one", "One"));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        hub.close();
    }

    <T extends AutoCloseable> T keep(T one) {
        open.add(one);
        return one;
    }

    OpsSocket client() throws IOException {
        return keep(OpsSocket.greeted(http, hub.port(), hub.hubToken()));
    }

    OpsSocket other(String name) {
        String token = hub.clientToken(name, "all", Caller.Mode.ACT);
        return keep(OpsSocket.greeted(http, hub.port(), token));
    }

    static ObjectNode launch(OpsSocket client) {
        return (ObjectNode) client.call("launch", "session.launch", Json.object()).get("payload");
    }

    static String code(ObjectNode answer) {
        return answer.path("error").path("code").asString("");
    }

    static String reason(ObjectNode answer) {
        return answer.path("error").path("details").path("reason").asString("");
    }
}

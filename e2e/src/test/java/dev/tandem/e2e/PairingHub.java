package dev.tandem.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/** A hub as somebody sees it who connects a browser; in this process or in its own. */
interface PairingHub {
    int port();

    /** Where the extension stands that browsers load. */
    Path extension();

    String pairingCode();

    String token() throws IOException;

    default String url() {
        return "http://127.0.0.1:" + port();
    }

    default JsonNode status() throws IOException {
        return Http.get(url() + "/status", "Authorization", "Bearer " + token()).json();
    }

    default void awaitBrowsers(int count) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> status().path("extensions").size() >= count);
    }
}

package dev.tandem.hub.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.RawHttp;
import dev.tandem.hub.browser.TestHub;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What no door gets to see, as it is no request of HTTP. */
class UnreadRequestsTest {
    @TempDir Path folder;

    @Test
    void whatCannotBeReadIsRefusedAsAtTheDoors() throws IOException {
        try (TestHub hub = new TestHub(folder)) {
            String host = "Host: 127.0.0.1:" + hub.port();
            RawHttp.Answer large =
                    RawHttp.send(
                            hub.port(), "GET /health", "", host, "X-Large: " + "x".repeat(20_000));
            assertThat(large.status()).isEqualTo(431);
            assertThat(large.body()).contains("16 KiB", "\"code\":\"payload_too_large\"");
            RawHttp.Answer path = RawHttp.send(hub.port(), "GET /%zz", "", host);
            assertThat(path.status()).isEqualTo(400);
            RawHttp.Answer version =
                    RawHttp.raw(hub.port(), "GET /health HTTP/9.9\r\n" + host + "\r\n\r\n");
            assertThat(version.status()).isEqualTo(505);
            for (RawHttp.Answer answer : List.of(large, path, version)) {
                assertThat(Json.parse(answer.body()).propertyNames())
                        .containsExactly("error", "code", "hint");
                assertThat(answer.rest())
                        .contains(
                                "X-Content-Type-Options: nosniff",
                                "Cache-Control: no-store",
                                "Referrer-Policy: no-referrer",
                                "Connection: close",
                                "Content-Type: application/json")
                        .doesNotContain("<html", "Jetty");
            }
            assertThat(path.body() + version.body()).contains("\"code\":\"invalid_request\"");
        }
    }
}

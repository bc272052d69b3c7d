package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OPS-129: which origins the doors of programs take, and which they turn away, all alike. */
class DoorOriginsTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String OWN = "chrome-extension://" + FakeExtension.ID;

    @TempDir Path folder;

    @Test
    void originsByDoor() throws Exception {
        try (TestHub hub = new TestHub(folder)) {
            String here = "127.0.0.1:" + hub.port();
            List<String> welcome = List.of(OWN, "http://" + here, "http://localhost:" + hub.port());
            List<String> strangers =
                    List.of(
                            "https://friend.example",
                            "https://" + here,
                            "http://127.0.0.1:1",
                            "null",
                            "chrome-extension://" + "a".repeat(32),
                            OWN + ".evil.example");
            for (String door : List.of("/ops", "/annotation")) {
                for (String origin : welcome) {
                    takes(hub, door, origin);
                }
                for (String origin : strangers) {
                    refuses(hub, door, origin);
                }
            }
            assertThat(
                            new CliDoor(hub)
                                    .run(false, "origin", "add", "https://friend.example")
                                    .exit())
                    .isZero();
            for (String door : List.of("/ops", "/annotation")) {
                takes(hub, door, "https://friend.example");
                refuses(hub, door, "https://friend.example.evil.example");
                refuses(hub, door, "http://friend.example");
            }
        }
    }

    private static Wire open(TestHub hub, String door, String origin) throws Exception {
        String token = "Bearer " + hub.hubToken();
        return Wire.open(HTTP, hub.port(), door, "Authorization", token, "Origin", origin);
    }

    private static void takes(TestHub hub, String door, String origin) throws Exception {
        try (Wire wire = open(hub, door, origin)) {
            assertThat(wire.isOpen()).as("%s at %s", origin, door).isTrue();
        }
    }

    private static void refuses(TestHub hub, String door, String origin) {
        assertThatThrownBy(() -> open(hub, door, origin))
                .as("%s at %s", origin, door)
                .isInstanceOfSatisfying(
                        Wire.Refused.class, e -> assertThat(e.status()).isEqualTo(403));
    }
}

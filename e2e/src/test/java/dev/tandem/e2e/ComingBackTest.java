package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The rules of docs/reference/ops.md, "Coming back", tried on a real hub and a real browser. */
class ComingBackTest {
    @TempDir Path folder;
    private Launcher launcher;
    private RunningHub hub;
    private OwnBrowser own;
    private ReturningProgram program;
    private String token = "";

    @BeforeEach
    void start() throws Exception {
        launcher = new Launcher(Launcher.freshState(folder));
        hub = new RunningHub(launcher);
        own = OwnBrowser.connect(hub);
        String words = "token add returning --profile all --mode act --sites *";
        token = hub.run(words.split(" ")).out().strip();
        program = new ReturningProgram(hub.port(), token, Duration.ofMillis(500));
        assertThat(program.told()).isEqualTo("launched");
    }

    @AfterEach
    void stop() {
        program.close();
        own.close();
        hub.close();
    }

    // OPS-12: attempts at the times of W5; after a new start of the hub old sessions are over
    @Test
    void aKilledHubIsFoundAgain() throws Exception {
        JsonNode before = program.session().path("opsSessionId");
        int port = hub.port();
        ProcessHandle.of(hub.ready().path("pid").asLong()).orElseThrow().destroyForcibly();
        assertThat(hub.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
        await().atMost(Duration.ofSeconds(30)).until(() -> program.attempts().size() >= 5);
        assertWaits(program.attempts());
        hub = new RunningHub(launcher, "--browser", "none", "--port", Integer.toString(port));
        assertThat(program.told()).isEqualTo("launched again");
        assertThat(program.session().path("opsSessionId")).isNotEqualTo(before);
        assertLooks();
    }

    /** From one attempt to the next at least the shortest wait, and not much over the longest. */
    private static void assertWaits(List<Long> attempts) {
        double spread = Limits.of("reconnectJitterPercent") / 100.0;
        double plain = Limits.of("reconnectFirstMs");
        for (int i = 1; i < attempts.size(); i++) {
            plain = Math.min(plain * Limits.of("reconnectFactor"), Limits.of("reconnectMaxMs"));
            double ms = (attempts.get(i) - attempts.get(i - 1)) / 1e6;
            assertThat(ms).isBetween(plain * (1 - spread), plain * (1 + spread) + 2000);
        }
    }

    // OPS-12, OPS-104: the lease takes the session back, with its refs
    @Test
    void aBrokenConnectionCostsNoSession() throws Exception {
        JsonNode before = program.session();
        program.lose();
        assertThat(program.told()).isEqualTo("taken back");
        assertThat(program.session()).isEqualTo(before);
        assertLooks();
    }

    // OPS-13, OPS-143, OPS-144: after two missed pongs, and not before the hub is there again
    @Test
    void aFrozenHubIsLeftAndFoundAgain() throws Exception {
        signal("STOP");
        try {
            await().atMost(Duration.ofSeconds(30)).until(() -> !program.attempts().isEmpty());
        } finally {
            signal("CONT");
        }
        assertThat(program.told()).isEqualTo("taken back");
        assertLooks();
    }

    // W6, SEC-24: no time changes that
    @Test
    void aProgramThatMayNotComeStops() throws Exception {
        assertThat(hub.run("token", "revoke", "returning").exit()).isZero();
        assertThat(program.told()).isEqualTo("revoked");
        try (ReturningProgram again =
                new ReturningProgram(hub.port(), token, Duration.ofMillis(500))) {
            assertThat(again.told()).isEqualTo("refused");
        }
    }

    private void assertLooks() throws Exception {
        JsonNode seen = program.call("nav.snapshot", Json.object());
        assertThat(seen.path("type").asString()).as("%s", seen).isEqualTo("ops_response");
    }

    private void signal(String name) throws IOException, InterruptedException {
        String pid = hub.ready().path("pid").asString();
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
    }
}

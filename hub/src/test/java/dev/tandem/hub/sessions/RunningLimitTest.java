package dev.tandem.hub.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tandem.hub.EdgeHub;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** How many sessions run at a time is the user's to say. */
@Timeout(180)
class RunningLimitTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path folder;
    private Path config;

    @BeforeEach
    void place() throws IOException {
        Path home = Files.createDirectories(folder.resolve("home/.config/tandem"));
        config = home.resolve("config.json");
    }

    @Test
    void withoutAWordItIsFifty() throws IOException {
        assertThat(RunningLimit.in(config)).isEqualTo(50);
        Files.writeString(config, "{\"agents\":[]}");
        assertThat(RunningLimit.in(config)).isEqualTo(50);
        Files.writeString(config, "{\"maxRunningSessions\":7}");
        assertThat(RunningLimit.in(config)).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1001", "2.5", "\"8\"", "null", "99999999999", "[3]"})
    void whatIsNoSuchNumberIsRefused(String value) throws IOException {
        Files.writeString(config, "{\"maxRunningSessions\":" + value + "}");
        assertThatThrownBy(() -> RunningLimit.in(config))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(config.toString())
                .hasMessageContaining(
                        "\"maxRunningSessions\" must be a whole number from 1 to 1000")
                .hasMessageContaining(value);
    }

    @Test
    void aFileThatIsNoJsonIsNamed() throws IOException {
        Files.writeString(config, "{nonsense");
        assertThatThrownBy(() -> RunningLimit.in(config))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(config + " cannot be read");
    }

    @Test
    void theHubKeepsToItAndDoesNotStartWithAWrongOne() throws Exception {
        Files.writeString(config, "{\"maxRunningSessions\":1}");
        try (EdgeHub hub = new EdgeHub(folder)) {
            SessionEngine engine = hub.sessions().engine();
            Session one = engine.create("default", scripted("One"));
            Session two = engine.create("default", scripted("Two"));
            engine.start(one.id());
            await().atMost(PATIENCE).until(() -> works(engine, one));
            engine.start(two.id());
            await().during(Duration.ofSeconds(2))
                    .atMost(PATIENCE)
                    .until(() -> works(engine, one) && !works(engine, two));
            engine.stop(one.id());
            await().atMost(PATIENCE).until(() -> works(engine, two));
            assertThat(works(engine, one)).isFalse();
        }
        Files.writeString(config, "{\"maxRunningSessions\":\"many\"}");
        assertThatThrownBy(() -> new EdgeHub(folder).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("maxRunningSessions");
    }

    private static ObjectNode scripted(String name) {
        return Json.object()
                .put("name", name)
                .put("annotations", "{\"tandem/agent\":\"scripted\"}");
    }

    private static boolean works(SessionEngine engine, Session session) {
        return engine.agentSession(session.id()).isPresent();
    }
}

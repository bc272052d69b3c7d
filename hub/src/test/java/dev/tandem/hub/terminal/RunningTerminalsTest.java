package dev.tandem.hub.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Whether the program of a terminal runs, by what the agent says and how often it is asked. */
class RunningTerminalsTest {
    private Instant now = Instant.EPOCH;
    private final InstantSource source = () -> now;
    private RunningTerminals.Agent agent = () -> list("");
    private int asked;
    private final RunningTerminals running =
            new RunningTerminals(this::ask, source.withZone(ZoneOffset.UTC));

    private JsonNode ask() throws IOException {
        asked++;
        return agent.list();
    }

    private static JsonNode list(String rows) {
        return Json.parse("{\"terminals\":[" + rows + "]}");
    }

    @Test
    void agentIsAskedOnceASecond() {
        agent = () -> list("{\"sessionId\":\"a\"}");
        for (int i = 0; i < 10; i++) {
            assertThat(running.test("a")).isTrue();
        }
        assertThat(asked).isEqualTo(1);
        agent = () -> list("");
        now = now.plusMillis(1000);
        assertThat(running.test("a")).isFalse();
    }

    @Test
    void oneThatWasJustStartedCountsAtOnce() {
        assertThat(running.test("a")).isFalse();
        agent = () -> list("{\"sessionId\":\"a\"}");
        assertThat(running.test("a")).isTrue();
    }

    @Test
    void oneWhoseEndIsKeptForItsWindowIsOver() {
        agent = () -> list("{\"sessionId\":\"a\",\"exit\":{\"code\":0,\"signal\":null}}");
        assertThat(running.test("a")).isFalse();
    }

    @Test
    void withoutAnAgentNothingRuns() {
        agent = () -> list("{\"sessionId\":\"a\"}");
        assertThat(running.test("a")).isTrue();
        now = now.plusSeconds(2);
        agent =
                () -> {
                    throw new IOException("busy");
                };
        assertThat(running.test("a")).as("a busy agent ended nothing").isTrue();
        agent =
                () -> {
                    throw new TerminalAgent.NotReady();
                };
        assertThat(running.test("a")).isFalse();
    }
}

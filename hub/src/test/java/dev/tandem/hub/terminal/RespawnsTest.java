package dev.tandem.hub.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** When an agent that dies is not started again. */
class RespawnsTest {
    private Instant now = Instant.EPOCH;
    private final Respawns respawns = new Respawns(AgentWatch.guarded(), () -> now);

    private boolean diesAfter(int seconds) {
        now = now.plusSeconds(seconds);
        return respawns.another();
    }

    // The agent watchdog's guard: three respawns within max(60 s, tick x 5)
    @Test
    void oneThatDiesEveryOtherMinuteIsGivenUp() {
        assertThat(AgentWatch.guarded()).isEqualTo(Duration.ofMinutes(5));
        assertThat(diesAfter(1)).isTrue();
        assertThat(diesAfter(100)).isTrue();
        assertThat(diesAfter(100)).isTrue();
        assertThat(respawns.off()).isFalse();
        assertThat(diesAfter(99)).isFalse();
        assertThat(respawns.off()).isTrue();
        assertThat(respawns.forgive()).isTrue();
        assertThat(diesAfter(1)).isTrue();
    }

    @Test
    void oneThatDiesNowAndThenIsNot() {
        for (int i = 0; i < 100; i++) {
            assertThat(diesAfter(101)).isTrue();
        }
        assertThat(respawns.forgive()).as("nothing to forgive").isFalse();
    }
}

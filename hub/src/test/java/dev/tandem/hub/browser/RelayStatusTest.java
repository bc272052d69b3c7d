package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.health.Identity;
import java.time.Clock;
import org.junit.jupiter.api.Test;

class RelayStatusTest {
    // OPS-44: a browser on its way is told from none
    @Test
    void oneThatIsBeingStartedIsSaid() {
        OpsSessions sessions = new OpsSessions();
        Browsers browsers = new Browsers(sessions, Clock.systemUTC(), Patience.standard());
        RelayStatus status =
                new RelayStatus(
                        browsers, sessions, Identity.fresh("1", Clock.systemUTC()), () -> 1);
        assertThat(status.full().path("browserComing").asBoolean(true)).isFalse();
        browsers.expect("managed-default", "managed", "managed");
        assertThat(status.full().path("browserComing").asBoolean()).isTrue();
        browsers.unexpect("managed-default");
        assertThat(status.full().path("browserComing").asBoolean(true)).isFalse();
    }
}

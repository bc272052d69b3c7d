package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.health.Identity;
import dev.tandem.protocol.ErrorCode;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RelayStatusTest {
    private static final String OWN = "chrome-extension://" + FakeExtension.ID;

    private final Browsers browsers =
            new Browsers(new OpsSessions(), Clock.systemUTC(), Patience.standard());
    private final RelayStatus status =
            new RelayStatus(
                    browsers, new OpsSessions(), Identity.fresh("1", Clock.systemUTC()), () -> 1);

    // OPS-44: a browser on its way is told from none
    @Test
    void oneThatIsBeingStartedIsSaid() {
        assertThat(status.full().path("browserComing").asBoolean(true)).isFalse();
        browsers.expect("managed-default", "managed", "managed");
        assertThat(status.full().path("browserComing").asBoolean()).isTrue();
        browsers.unexpect("managed-default");
        assertThat(status.full().path("browserComing").asBoolean(true)).isFalse();
    }

    private List<String> errors() {
        return status.full()
                .path("handshakeErrors")
                .valueStream()
                .map(error ->
                        error.path("code").asString() + " " + error.path("message").asString())
                .toList();
    }

    // OPS-L11: what keeps one browser out is not over because another came
    @Test
    void eachBrowserKeepsItsOwnError() {
        String other = "chrome-extension://" + "a".repeat(32);
        status.refused(ErrorCode.FORBIDDEN_ORIGIN, other, Optional.empty());
        status.refused(ErrorCode.UNAUTHORIZED, OWN, Optional.empty());
        status.refused(ErrorCode.UNAUTHORIZED, OWN, Optional.of("managed-work"));
        status.handshakeFailed("b-1", "pairing_missing", "Bad.");
        assertThat(errors()).hasSize(4);
        status.greeted("managed-work", FakeExtension.ID);
        assertThat(errors())
                .containsExactly(
                        "origin_blocked Refused " + other + ", which is not this hub's.",
                        "pairing_invalid The extension's token is not valid.",
                        "pairing_missing Bad.");
        assertThat(status.full().at("/lastHandshakeError/code").asString())
                .isEqualTo("pairing_missing");
        status.greeted("b-1", FakeExtension.ID);
        assertThat(errors()).singleElement().asString().startsWith("origin_blocked");
    }

    @Test
    void onlySoManyAreKept() {
        for (char c = 'a'; c <= 'p'; c++) {
            for (String end : List.of("a", "b")) {
                String origin = "chrome-extension://" + String.valueOf(c).repeat(31) + end;
                status.refused(ErrorCode.FORBIDDEN_ORIGIN, origin, Optional.empty());
            }
        }
        assertThat(errors()).hasSize(16).last().asString().contains("p".repeat(31) + "b");
    }
}

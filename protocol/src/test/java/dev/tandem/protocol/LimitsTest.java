package dev.tandem.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitsTest {
    @Test
    @DisplayName("OPS-141 (Java half): the constants are the numbers of limits.json")
    void constantsAreTheNumbersOfTheFile() throws IllegalAccessException {
        assertThat(Limits.MAX_OPS_PAYLOAD_BYTES).isEqualTo(12 * 1024 * 1024);
        assertThat(Limits.MAX_SNAPSHOT_BYTES).isEqualTo(2 * 1024 * 1024);
        List<Field> constants =
                Arrays.stream(Limits.class.getFields())
                        .filter(field -> Modifier.isStatic(field.getModifiers()))
                        .toList();
        assertThat(constants).hasSizeGreaterThan(20);
        for (Field constant : constants) {
            assertThat(constant.getInt(null))
                    .as(constant.getName())
                    .isEqualTo(Limits.of(camel(constant.getName())));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "chunkThresholdBytes,262144",
        "chunkGapMs,10000",
        "helloAckMs,10000",
        "clientHandshakeMs,12000",
        "pingIntervalMs,20000",
        "pongTimeoutMs,2000",
        "missedPongs,2",
        "reconnectFirstMs,250",
        "reconnectMaxMs,10000",
        "reconnectJitterPercent,20",
        "requestTimeoutMs,30000",
        "requestTimeoutMaxMs,600000",
        "sessionTtlMs,20000",
        "parallelTargets,6",
        "backpressureWaitMs,5000",
        "waitPollMs,50",
        "consoleRingEvents,1000",
        "networkRingEvents,1000",
        "snapshotMaxChars,16000",
        "snapshotMaxNodes,1000",
        "domMaxChars,8000",
        "extensionHoldMs,5000",
        "accessTokenMs,900000",
        "refreshReuseGraceMs,10000",
        "terminalTokenMs,30000",
        "permissionCardMs,300000",
        "permissionPendingMs,45000",
        "mcpCommentMs,15000",
        "acpLineBytes,67108864",
        "acpSilentMs,60000",
        "refreshTokenMs,2592000000"
    })
    void numbersAreTheContracts(String name, long value) {
        assertThat(Limits.big(name)).isEqualTo(value);
    }

    @Test
    void defaultsOfToolsAreTheLimits() {
        var snapshot = Catalogue.load().byName("snapshot").orElseThrow().input().path("properties");
        assertThat(snapshot.path("maxChars").path("default").asInt())
                .isEqualTo(Limits.of("snapshotMaxChars"));
        assertThat(snapshot.path("maxChars").path("maximum").asInt())
                .isEqualTo(Limits.of("snapshotCapChars"));
        assertThat(snapshot.path("maxNodes").path("default").asInt())
                .isEqualTo(Limits.of("snapshotMaxNodes"));
        assertThat(snapshot.path("timeoutMs").path("maximum").asInt())
                .isEqualTo(Limits.REQUEST_TIMEOUT_MAX_MS);
        var html = Catalogue.load().byName("dom_get_html").orElseThrow().input().path("properties");
        assertThat(html.path("maxChars").path("default").asInt())
                .isEqualTo(Limits.of("domMaxChars"));
    }

    @Test
    void anUnknownNameIsAMistake() {
        assertThatThrownBy(() -> Limits.of("patience"))
                .hasMessage("limits.json has no number called patience.");
    }

    private static String camel(String constant) {
        StringBuilder name = new StringBuilder();
        for (String word : constant.toLowerCase(Locale.ROOT).split("_", -1)) {
            boolean first = name.isEmpty();
            name.append(
                    first
                            ? word
                            : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return name.toString();
    }
}

package dev.tandem.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "{", "{\"a\":}", "nul", "{} {}", "{\"a\":1,}", "\u0000"})
    void malformedTextIsBadJsonWithoutRepeatingIt(String text) {
        var error = catchThrowableOfType(TandemException.class, () -> Json.parse(text));
        assertThat(error.code()).isEqualTo(ErrorCode.BAD_JSON);
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        assertThat(catchThrowableOfType(TandemException.class, () -> Json.parse(bytes)).code())
                .isEqualTo(ErrorCode.BAD_JSON);
    }

    @Test
    void aSecretInMalformedJsonStaysOutOfTheMessage() {
        assertThat(
                        catchThrowableOfType(
                                        TandemException.class, () -> Json.parse("{\"t\":hunter2}"))
                                .message())
                .doesNotContain("hunter2")
                .contains("line 1");
    }

    @Test
    void readsTrees() {
        var node = Json.parseObject("{\"a\":\"x\",\"l\":[\"p\",\"q\"],\"b\":true,\"n\":1}");
        assertThat(Json.text(node, "a")).contains("x");
        assertThat(Json.text(node, "n")).isEmpty();
        assertThat(Json.text(node, "z")).isEmpty();
        assertThat(Json.texts(node, "l")).containsExactly("p", "q");
        assertThat(Json.flag(node, "b", false)).isTrue();
        assertThat(Json.flag(node, "n", true)).isTrue();
        assertThat(Json.parse(Json.bytes(node))).isEqualTo(node);
        assertThat(Json.parse(Json.write(node))).isEqualTo(node);
        assertThat(Json.mapper().readTree("1").intValue()).isEqualTo(1);
    }

    @Test
    void onlyAnObjectIsAnObject() {
        assertThatThrownBy(() -> Json.parseObject("[]")).hasMessage("The JSON must be an object.");
        assertThatThrownBy(() -> Json.resource("nothing.json"))
                .hasMessage("The protocol file nothing.json is not on the classpath.");
    }

    @Test
    void nearestIsWithinAThird() {
        assertThat(Nearest.to("snaphsot", java.util.List.of("goto", "snapshot")))
                .contains("snapshot");
        assertThat(Nearest.to("SNAPSHOT", java.util.List.of("goto", "snapshot")))
                .contains("snapshot");
        assertThat(Nearest.to("xyz", java.util.List.of("goto", "snapshot"))).isEmpty();
        assertThat(Nearest.to("ab", java.util.List.of("ba"))).contains("ba");
        assertThat(Nearest.to("", java.util.List.of("goto"))).isEmpty();
    }
}

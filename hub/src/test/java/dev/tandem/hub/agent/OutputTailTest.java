package dev.tandem.hub.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OutputTailTest {
    private static OutputTail.Text tail(int limit, String... parts) {
        OutputTail tail = new OutputTail(limit);
        for (String part : parts) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            tail.append(bytes, bytes.length);
        }
        return tail.text();
    }

    @Test
    @DisplayName("ACP-100 the end is kept, and no character is cut in two")
    void keepsTheEnd() {
        assertThat(tail(100, "abc", "def")).isEqualTo(new OutputTail.Text("abcdef", false));
        assertThat(tail(4, "abc", "def")).isEqualTo(new OutputTail.Text("cdef", true));
        assertThat(tail(4, "abcdef")).isEqualTo(new OutputTail.Text("cdef", true));
        assertThat(tail(6, "x\ud83d\ude80yzw")).isEqualTo(new OutputTail.Text("yzw", true));
        assertThat(tail(7, "x\ud83d\ude80yzw"))
                .isEqualTo(new OutputTail.Text("\ud83d\ude80yzw", true));
        assertThat(tail(1, "\ud83d\ude80").text()).isEmpty();
    }

    @Test
    void growsToItsLimitOnly() {
        OutputTail.Text text = tail(5000, "a".repeat(3000), "b".repeat(3000));
        assertThat(text.text()).isEqualTo("a".repeat(2000) + "b".repeat(3000));
        assertThat(text.truncated()).isTrue();
    }
}

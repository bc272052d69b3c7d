package dev.tandem.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What output switches on, and how a fresh emulator gets there. */
class ModesTest {
    private static final String ESC = "\u001b";
    private static final String FRESH = ESC + "[!p";

    private static Modes after(String output) {
        Modes modes = new Modes();
        byte[] bytes = output.getBytes(StandardCharsets.UTF_8);
        // In every split, so that no state hides between two reads.
        for (byte b : bytes) {
            modes.scan(new byte[] {b}, 0, 1);
        }
        Modes whole = new Modes();
        whole.scan(bytes, 0, bytes.length);
        assertThat(whole.prelude()).isEqualTo(modes.prelude());
        return modes;
    }

    // TRM-L09
    @Test
    void alternateScreenIsRestoredAndLeftAgain() {
        assertThat(after(ESC + "[?1049h").prelude()).isEqualTo(FRESH + ESC + "[?1049h");
        assertThat(after(ESC + "[?47h").alternateScreen()).isTrue();
        assertThat(after(ESC + "[?1049h" + ESC + "[?1049l").prelude()).isEqualTo(FRESH);
    }

    // TRM-L09
    @Test
    void inputModesAreRestored() {
        assertThat(after(ESC + "[?1;2004;1006h" + ESC + "[?25l" + ESC + "=").prelude())
                .isEqualTo(
                        FRESH + ESC + "[?1h" + ESC + "[?25l" + ESC + "[?1006h" + ESC + "[?2004h"
                                + ESC + "=");
        assertThat(after(ESC + "[?2004h").bracketedPaste()).isTrue();
        assertThat(after(ESC + "[?2004h" + ESC + "[?2004l").bracketedPaste()).isFalse();
    }

    // TRM-L09
    @Test
    void regionColoursAndCharsetsAreRestored() {
        assertThat(after(ESC + "[2;20r" + ESC + "(0" + ESC + "[1;31;48;5;17m").prelude())
                .isEqualTo(FRESH + ESC + "(0" + ESC + "[2;20r" + ESC + "[1;31;48;5;17m");
        assertThat(after(ESC + "[1;38;2;1;2;3m" + ESC + "[22;39m").prelude()).isEqualTo(FRESH);
        assertThat(after(ESC + "[4:3m" + ESC + "[0m").prelude()).isEqualTo(FRESH);
    }

    @Test
    void resetForgetsEverything() {
        String much = ESC + "[?1049h" + ESC + "[?2004h" + ESC + "[7m" + ESC + "]2;t\u0007";
        assertThat(after(much + ESC + "c").prelude()).isEqualTo(FRESH);
    }

    // SEC-22
    @Test
    void titleHoldsNoControlOrDirectionCharacters() {
        assertThat(after(ESC + "]0;a\u202eb\u200bc\u0085d\u0007").title()).isEqualTo("abcd");
        assertThat(after(ESC + "]2;" + "x".repeat(9000) + ESC + "\\").title()).hasSize(256);
    }

    @Test
    void stringsDoNotLeakIntoModes() {
        assertThat(after(ESC + "P?1049h" + ESC + "\\").prelude()).isEqualTo(FRESH);
        assertThat(after(ESC + "]52;c;" + "A".repeat(20_000) + "\u0007").prelude())
                .isEqualTo(FRESH);
        assertThat(after(ESC + "[?10\u0018" + "49h").prelude()).isEqualTo(FRESH);
    }
}

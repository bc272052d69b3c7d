package dev.tandem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Strings that would drive a terminal, and the look that none of them did. */
final class Hostile {
    static final List<String> TEXTS =
            List.of(
                    "\u001b[2J\u001b[H", // clears the screen
                    "\u001b]0;title\u0007", // sets the window title
                    "\u001b]52;c;aGk=\u0007", // writes the clipboard
                    "\u009b31m", // C1 form of CSI
                    "\u007f\b\r", // rubs out, goes back
                    "\u202egnp.exe\u2066", // turns the direction
                    "\u061c\u200e\u200f", // marks of direction
                    "\u2067a\u2069\u2068b\u2069", // isolates
                    "\u200b\ufeff\u2028"); // unseen

    private Hostile() {}

    static void assertHarmless(String what, Console console) {
        String all = console.out.toString() + console.err;
        assertThat(all.chars().filter(c -> c != '\n' && c != '\t').boxed().toList())
                .as(what)
                .isNotEmpty()
                .noneMatch(c ->
                        c < 0x20
                                || (c >= 0x7f && c < 0xa0)
                                || c == 0x061c
                                || (c >= 0x200b && c <= 0x200f)
                                || (c >= 0x2028 && c <= 0x202e)
                                || (c >= 0x2060 && c <= 0x2069)
                                || c == 0xfeff);
    }
}

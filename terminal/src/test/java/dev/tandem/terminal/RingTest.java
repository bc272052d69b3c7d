package dev.tandem.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What replay starts from. */
class RingTest {
    // A ring's memory serves the next one, and nothing of it shows there.
    @Test
    void releasedRingKeepsNothingAndTheNextOneIsEmpty() {
        Ring first = new Ring(64);
        first.append(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        first.release();
        ByteBuffer into = ByteBuffer.allocate(64);
        assertThat(first.keeps(0)).isFalse();
        assertThat(first.copy(3, 64, into)).isTrue();
        assertThat(into.position()).isZero();
        first.release();
        Ring next = new Ring(64);
        assertThat(next.head()).isZero();
        assertThat(next.copy(0, 64, into)).isTrue();
        assertThat(into.position()).isZero();
        next.append(ByteBuffer.wrap(new byte[] {9}));
        assertThat(next.copy(0, 64, into)).isTrue();
        assertThat(into.get(0)).isEqualTo((byte) 9);
    }

    private static final char ESC = '\u001b';

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String kept(Ring ring) {
        ByteBuffer all = ByteBuffer.allocate(ring.capacity());
        assertThat(ring.copy(ring.beginning().seq(), ring.capacity(), all)).isTrue();
        return StandardCharsets.UTF_8.decode(all.flip()).toString();
    }

    @Test
    void keepsTheNewestBytesUnderTheirNumbers() {
        Ring ring = new Ring(16);
        for (int i = 0; i < 10; i++) {
            ring.append(bytes("abcd"));
        }
        assertThat(ring.head()).isEqualTo(40);
        assertThat(ring.beginning().seq()).isEqualTo(24);
        assertThat(ring.keeps(23)).isFalse();
        assertThat(ring.keeps(24)).isTrue();
        assertThat(ring.copy(23, 4, ByteBuffer.allocate(4))).isFalse();
        assertThat(kept(ring)).isEqualTo("abcdabcdabcdabcd");
    }

    // TRM-L09
    @Test
    void neverStartsInsideASequenceOrACharacter() {
        Random random = new Random(3);
        String[] pieces = {
            ESC + "[1;31m",
            ESC + "[?25l",
            "plain",
            "\u4f60\u597d",
            "\ud83d\ude00",
            ESC + "(0",
            ESC + "]0;title" + ESC + "\\",
            ESC + "]2;x\u0007",
            ESC + "P1$r0m" + ESC + "\\",
            "\r\n"
        };
        StringBuilder whole = new StringBuilder();
        Ring ring = new Ring(64);
        for (int i = 0; i < 1000; i++) {
            String piece = pieces[random.nextInt(pieces.length)];
            whole.append(piece);
            byte[] raw = piece.getBytes(StandardCharsets.UTF_8);
            int cut = random.nextInt(raw.length + 1);
            ring.append(ByteBuffer.wrap(raw, 0, cut));
            ring.append(ByteBuffer.wrap(raw, cut, raw.length - cut));
            String kept = kept(ring);
            assertThat(whole.toString()).endsWith(kept);
            String before = whole.substring(0, whole.length() - kept.length());
            Modes modes = new Modes();
            byte[] scanned = before.getBytes(StandardCharsets.UTF_8);
            modes.scan(scanned, 0, scanned.length);
            assertThat(modes.atBoundary()).isTrue();
            assertThat(ring.beginning().seq() == 0 ? "" : modes.prelude())
                    .as("the state before the first byte kept")
                    .isEqualTo(ring.beginning().prelude());
        }
    }

    // TRM-L09: an image in the output, as an example
    @Test
    void sequenceLongerThanTheRingIsThereForWhoFollowsItAndSkippedForOthers() {
        Ring ring = new Ring(64);
        StringBuilder whole = new StringBuilder();
        StringBuilder seen = new StringBuilder();
        for (int i = 0; i <= 40; i++) {
            String piece = i == 0 ? "text" + ESC + "]1337;" : i < 40 ? "payload " : "end\u0007";
            whole.append(piece);
            ring.append(bytes(piece));
            if (i % 4 == 0) {
                follow(ring, seen);
            }
        }
        assertThat(seen).hasToString(whole.toString());
        assertThat(kept(ring)).isEmpty();
        ring.append(bytes("after"));
        follow(ring, seen);
        assertThat(seen).hasToString(whole + "after");
        assertThat(kept(ring)).isEqualTo("after");
    }

    private static void follow(Ring ring, StringBuilder seen) {
        ByteBuffer into = ByteBuffer.allocate(64);
        assertThat(ring.copy(seen.length(), 64, into)).as("kept at " + seen.length()).isTrue();
        seen.append(StandardCharsets.US_ASCII.decode(into.flip()));
    }

    // TRM-L09
    @Test
    void whoComesInTheMiddleOfALongSequenceAndLaterBeginsBehindIt() {
        Ring ring = new Ring(16);
        ring.append(bytes(ESC + "]2;"));
        for (int i = 0; i < 8; i++) {
            ring.append(bytes("payload "));
            assertThat(ring.beginning().seq()).isIn(0L, ring.head());
        }
        ring.append(bytes("\u0007next"));
        assertThat(kept(ring)).isEqualTo("next");
    }

    // TRM-L09
    @Test
    void remembersTheSizeThatTheKeptBytesWereWrittenFor() {
        Ring ring = new Ring(16);
        ring.sizeIs(120, 40);
        ring.append(bytes("12345678"));
        ring.sizeIs(80, 24);
        ring.append(bytes("12345678"));
        assertThat(ring.sizesSince(0))
                .containsExactly(new Ring.Size(0, 120, 40), new Ring.Size(8, 80, 24));
        ring.append(bytes("1234"));
        assertThat(ring.beginning().cols()).isEqualTo(120);
        ring.append(bytes("1234"));
        assertThat(ring.beginning().cols()).isEqualTo(80);
        assertThat(ring.sizesSince(8)).isEmpty();
    }
}

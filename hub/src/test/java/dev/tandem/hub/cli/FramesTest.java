package dev.tandem.hub.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class FramesTest {
    private final List<String> pieces = new CopyOnWriteArrayList<>();
    private final Frames frames =
            new Frames(
                    new OutputStream() {
                        @Override
                        public void write(int one) {
                            write(new byte[] {(byte) one}, 0, 1);
                        }

                        @Override
                        public void write(byte[] bytes, int at, int size) {
                            pieces.add(new String(bytes, at, size, UTF_8));
                        }
                    });

    @Test
    void anAnswerAndItsEndGoOutTogether() {
        frames.out("é");
        frames.err("but");
        frames.exit(2);
        assertThat(String.join("", pieces)).isEqualTo("o00000002\née00000003\nbutx00000002\n");
        assertThat(pieces.getLast()).endsWith("x00000002\n");
    }

    @Test
    void wordsThatNothingFollowsComeOutByThemselves() {
        frames.out("first");
        await().until(() -> String.join("", pieces).equals("o00000005\nfirst"));
        frames.askForKey(7);
        assertThat(String.join("", pieces)).endsWith("k00000007\n");
    }

    @Test
    void muchIsCutIntoPiecesThatAShellReadsAtOnce() {
        frames.out("x".repeat(70_000));
        frames.exit(0);
        String all = String.join("", pieces);
        assertThat(all).startsWith("o00065536\nx").endsWith("x00000000\n");
        assertThat(all).contains("xo00004464\nx").hasSize(70_000 + 3 * 10);
    }
}

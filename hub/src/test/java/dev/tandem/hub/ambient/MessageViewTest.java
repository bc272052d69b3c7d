package dev.tandem.hub.ambient;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MessageViewTest {
    private static final int PIECE = MessageView.LINE_BYTES / 8;

    @Test
    @Timeout(10)
    void longTextsAreCutBetweenCharacters() {
        String text = "x".repeat(PIECE - 1) + "\ud83d\ude00" + "y".repeat(PIECE);
        List<String> pieces = MessageView.pieces(text);
        assertThat(String.join("", pieces)).isEqualTo(text);
        assertThat(pieces)
                .hasSize(3)
                .allSatisfy(piece -> assertThat(piece.length()).isLessThanOrEqualTo(PIECE));
        assertThat(pieces.get(1)).startsWith("\ud83d\ude00");
    }

    @Test
    @Timeout(10)
    void halfACharacterAtTheEndIsStillTold() {
        assertThat(MessageView.pieces("so far \ud83d")).containsExactly("so far \ud83d");
        assertThat(MessageView.pieces("")).isEmpty();
        assertThat(MessageView.start("a", 0)).isEmpty();
    }
}

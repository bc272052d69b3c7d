package dev.tandem.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LineReaderTest {
    private static final int MOST = 64 * 1024 * 1024;

    private static List<String> lines(InputStream in) throws IOException {
        LineReader reader = new LineReader(in, MOST);
        List<String> found = new ArrayList<>();
        while (reader.next()) {
            found.add(new String(reader.bytes(), 0, reader.length(), StandardCharsets.UTF_8));
        }
        return found;
    }

    private static InputStream text(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** So many letters without the memory for them. */
    private static InputStream letters(long count) {
        return new InputStream() {
            private long left = count;

            @Override
            public int read() {
                return left-- > 0 ? 'x' : -1;
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                if (left <= 0) {
                    return -1;
                }
                int given = (int) Math.min(left, length);
                java.util.Arrays.fill(into, offset, offset + given, (byte) 'x');
                left -= given;
                return given;
            }
        };
    }

    @Test
    @DisplayName("ACP-3 lines end at newline only; the last one may lack it")
    void cutsLines() throws IOException {
        assertThat(lines(text("a\n\nb\u2028c\r\nlast")))
                .containsExactly("a", "", "b\u2028c\r", "last");
        assertThat(lines(text(""))).isEmpty();
    }

    @Test
    @DisplayName("a line of 64 MiB passes, and the one after it; one byte more is refused")
    void limit() throws IOException {
        LineReader reader =
                new LineReader(new SequenceInputStream(letters(MOST), text("\nnext\n")), MOST);
        assertThat(reader.next()).isTrue();
        assertThat(reader.length()).isEqualTo(MOST);
        assertThat(reader.next()).isTrue();
        assertThat(reader.length()).isEqualTo(4);
        LineReader over = new LineReader(letters(MOST + 1L), MOST);
        assertThatThrownBy(over::next).isInstanceOf(LineReader.LineTooLong.class);
    }
}

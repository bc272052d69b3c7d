package dev.tandem.hub.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Reads lines of a text file with their line ends, never more than fits a message. */
final class TextSlice {
    private static final int MAX_CHARS = 16 * 1024 * 1024;

    private TextSlice() {}

    static String read(ReadableByteChannel channel, int firstLine, int lines) throws IOException {
        var decoder =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT);
        var in = new BufferedReader(Channels.newReader(channel, decoder, -1));
        StringBuilder text = new StringBuilder();
        long last = (long) firstLine + lines;
        char[] chunk = new char[8192];
        long line = 1;
        for (int count = in.read(chunk); count >= 0 && line < last; count = in.read(chunk)) {
            int begin = 0;
            for (int i = 0; i < count && line < last; i++) {
                if (chunk[i] == '\n') {
                    line++;
                    if (line == firstLine) {
                        begin = i + 1;
                    }
                }
                if (line >= last || i == count - 1) {
                    append(text, chunk, begin, line >= firstLine ? i + 1 : begin);
                }
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, char[] chunk, int begin, int end)
            throws IOException {
        if (text.length() + (long) (end - begin) > MAX_CHARS) {
            throw new IOException("The file is too large; ask for it in parts by line and limit.");
        }
        text.append(chunk, begin, end - begin);
    }
}

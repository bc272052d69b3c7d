package dev.tandem.hub.cli;

import dev.tandem.cli.Invocation;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Utf8;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the launcher sent: fields that end with NUL, the first of them counting the others: folder,
 * terminal (1 with a person at it, 3 without, 2 for a person whose output goes elsewhere, 0 for
 * neither), colour yes or no, columns, then the words of the command line.
 *
 * @param whole false where there were too many words, of which only the first are here
 */
record CommandRequest(
        Path folder, Invocation.Terminal terminal, List<String> words, boolean whole) {
    private static final int MAX_BYTES = 12 * 1024 * 1024;
    private static final long ENOUGH = 256L * 1024 * 1024;
    private static final int FACTS = 4;

    static CommandRequest read(InputStream in) throws IOException {
        int count = number(field(in));
        if (count < FACTS) {
            throw malformed();
        }
        List<String> fields = new ArrayList<>();
        long told = 0;
        // What is too much is read all the same: a launcher that still sends hears no answer.
        for (int i = 0; i < count; i++) {
            String field = field(in);
            told += Utf8.length(field) + 1;
            if (told <= Limits.of("commandLineBytes")) {
                fields.add(field);
            }
        }
        if (fields.size() < FACTS) {
            throw malformed();
        }
        Invocation.Terminal terminal =
                new Invocation.Terminal(
                        List.of("1", "3").contains(fields.get(1)),
                        fields.get(2).equals("1"),
                        number(fields.get(3)),
                        List.of("1", "2").contains(fields.get(1)));
        return new CommandRequest(
                folder(fields.getFirst()),
                terminal,
                fields.subList(FACTS, fields.size()),
                fields.size() == count);
    }

    /** Reads standard input as it follows a request: pieces after their length, then a zero. */
    static String readInput(InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        long told = 0;
        // What is too much is read all the same: a launcher that still sends hears no answer.
        for (int size = number(field(in)); size > 0 && told < ENOUGH; size = number(field(in))) {
            byte[] piece = in.readNBytes(size);
            if (piece.length < size) {
                throw new EOFException();
            }
            told += size;
            if (told <= MAX_BYTES) {
                all.writeBytes(piece);
            }
        }
        if (told > MAX_BYTES) {
            throw new TandemException(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    "Standard input is too large: at most " + MAX_BYTES + " bytes.");
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    static String field(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int b = in.read(); b != 0; b = in.read()) {
            if (b < 0) {
                throw new EOFException();
            }
            bytes.write(b);
            if (bytes.size() > MAX_BYTES) {
                throw TandemException.of(ErrorCode.PAYLOAD_TOO_LARGE);
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static int number(String text) {
        return Math.toIntExact(digits(text, 8).orElseThrow(CommandRequest::malformed));
    }

    /** A number of so many digits at most; without a pattern, which each command would compile. */
    static OptionalLong digits(String text, int atMost) {
        boolean plain = !text.isEmpty() && text.length() <= atMost;
        for (int i = 0; plain && i < text.length(); i++) {
            plain = text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        return plain ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    private static Path folder(String text) {
        try {
            Path folder = Path.of(text);
            if (folder.isAbsolute()) {
                return folder;
            }
        } catch (InvalidPathException e) {
            throw new TandemException(
                    ErrorCode.INVALID_REQUEST,
                    "This hub cannot read the name of the folder you are in: it was started where"
                            + " file names are not in UTF-8. Start it anew (tandem stop, then"
                            + " tandem up), with LC_ALL=C.UTF-8 where that does not help.");
        }
        throw malformed();
    }

    private static TandemException malformed() {
        return new TandemException(
                ErrorCode.INVALID_REQUEST, "This is not a request of the launcher.");
    }
}

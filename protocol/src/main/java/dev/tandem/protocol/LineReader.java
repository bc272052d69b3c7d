package dev.tandem.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Cuts a byte stream into lines, as messages come on standard input; for one thread. */
public final class LineReader {
    private static final int KEPT_BUFFER_BYTES = 1024 * 1024;

    private final InputStream in;
    private final int most;
    private final byte[] chunk = new byte[64 * 1024];
    private int position;
    private int end;
    private byte[] line = new byte[64 * 1024];
    private int length;

    /**
     * @param most bytes of a line
     */
    public LineReader(InputStream in, int most) {
        this.in = in;
        this.most = most;
    }

    /** Moves to the next line; false at the end of the stream. */
    public boolean next() throws IOException {
        if (line.length > KEPT_BUFFER_BYTES) {
            line = new byte[64 * 1024];
        }
        length = 0;
        while (true) {
            if (position == end) {
                end = in.read(chunk);
                position = 0;
                if (end < 0) {
                    end = 0;
                    return length > 0;
                }
            }
            int stop = position;
            while (stop < end && chunk[stop] != '\n') {
                stop++;
            }
            append(stop - position);
            position = stop;
            if (stop < end) {
                position++;
                return true;
            }
        }
    }

    private void append(int count) throws IOException {
        long wanted = (long) length + count;
        if (wanted > most) {
            throw new LineTooLong(most);
        }
        if (wanted > line.length) {
            long grown = Math.min(most, Math.max(wanted, line.length * 2L));
            line = Arrays.copyOf(line, (int) grown);
        }
        System.arraycopy(chunk, position, line, length, count);
        length += count;
    }

    /** Valid until the next call of {@link #next()}. */
    public byte[] bytes() {
        return line;
    }

    public int length() {
        return length;
    }

    public boolean isBlank() {
        for (int i = 0; i < length; i++) {
            if (line[i] > ' ' || line[i] < 0) {
                return false;
            }
        }
        return true;
    }

    /** A line that no honest message needs. */
    public static final class LineTooLong extends IOException {
        private static final long serialVersionUID = 1L;

        LineTooLong(int most) {
            super("a line of more than " + most / (1024 * 1024) + " MiB");
        }
    }
}

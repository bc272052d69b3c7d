package dev.tandem.hub.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Cuts a byte stream into lines of at most {@link #MAX_LINE_BYTES}; for one thread. */
final class NdjsonReader {
    static final int MAX_LINE_BYTES = 64 * 1024 * 1024;
    private static final int KEPT_BUFFER_BYTES = 1024 * 1024;

    private final InputStream in;
    private final byte[] chunk = new byte[64 * 1024];
    private int position;
    private int end;
    private byte[] line = new byte[64 * 1024];
    private int length;

    NdjsonReader(InputStream in) {
        this.in = in;
    }

    /** Moves to the next line; false at the end of the stream. */
    boolean next() throws IOException {
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
        if (wanted > MAX_LINE_BYTES) {
            throw new LineTooLong();
        }
        if (wanted > line.length) {
            long grown = Math.min(MAX_LINE_BYTES, Math.max(wanted, line.length * 2L));
            line = Arrays.copyOf(line, (int) grown);
        }
        System.arraycopy(chunk, position, line, length, count);
        length += count;
    }

    /** Valid until the next call of {@link #next()}. */
    byte[] bytes() {
        return line;
    }

    int length() {
        return length;
    }

    boolean isBlank() {
        for (int i = 0; i < length; i++) {
            if (line[i] > ' ' || line[i] < 0) {
                return false;
            }
        }
        return true;
    }

    /** The agent wrote a line that no honest message needs. */
    static final class LineTooLong extends IOException {
        LineTooLong() {
            super("a line of more than 64 MiB");
        }
    }
}

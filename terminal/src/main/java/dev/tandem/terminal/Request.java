package dev.tandem.terminal;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One HTTP/1.1 request. Its head is read whole and within bounds; its body only when asked for, so
 * that a stranger's is never taken in. What is not exactly a request is refused, never guessed at.
 */
final class Request {
    private final Socket socket;
    private final long deadline;
    private final byte[] buffer = new byte[Limits.HEADER_BYTES];
    private final List<Field> fields = new ArrayList<>();
    private String method = "";
    private String path = "";
    private int behindHead;
    private int end;

    private record Field(String name, String value) {}

    /** Not a request we read any further. */
    static final class Malformed extends IOException {
        private static final long serialVersionUID = 1L;

        private final int status;

        Malformed(int status) {
            super("status " + status);
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    private Request(Socket socket, long deadline) {
        this.socket = socket;
        this.deadline = deadline;
    }

    /** Reads a head; the deadline, in nanoseconds, holds for the body too. */
    static Request read(Socket socket, long deadline) throws IOException {
        Request request = new Request(socket, deadline);
        request.readHead();
        return request;
    }

    String method() {
        return method;
    }

    /** Without the query. */
    String path() {
        return path;
    }

    /** Every value of that name, in order. */
    List<String> all(String name) {
        return fields.stream()
                .filter(field -> field.name.equalsIgnoreCase(name))
                .map(Field::value)
                .toList();
    }

    /** The first value of that name. */
    Optional<String> one(String name) {
        return all(name).stream().findFirst();
    }

    /** What was sent behind the head. */
    ByteBuffer rest() {
        return ByteBuffer.wrap(buffer, behindHead, end - behindHead);
    }

    /** The body, or nothing when it is longer than {@code most} or of no known length. */
    Optional<byte[]> body(int most) throws IOException {
        List<String> lengths = all("Content-Length");
        if (!all("Transfer-Encoding").isEmpty()
                || lengths.size() > 1
                || !lengths.stream().allMatch(length -> length.matches("[0-9]{1,9}"))) {
            return Optional.empty();
        }
        int length = lengths.isEmpty() ? 0 : Integer.parseInt(lengths.getFirst());
        if (length > most) {
            return Optional.empty();
        }
        byte[] body = Arrays.copyOf(Arrays.copyOfRange(buffer, behindHead, end), length);
        int have = Math.min(length, end - behindHead);
        while (have < length) {
            have += read(body, have);
        }
        return Optional.of(body);
    }

    private void readHead() throws IOException {
        int line = 0;
        while (true) {
            int lineEnd = lineEnd(line);
            if (lineEnd < 0) {
                if (end == buffer.length) {
                    throw new Malformed(431);
                }
                end += read(buffer, end);
            } else if (lineEnd == line && !method.isEmpty()) {
                behindHead = lineEnd + 2;
                return;
            } else {
                take(new String(buffer, line, lineEnd - line, StandardCharsets.ISO_8859_1));
                line = lineEnd + 2;
            }
        }
    }

    private int lineEnd(int from) {
        for (int i = from; i + 1 < end; i++) {
            if (buffer[i] == '\r' && buffer[i + 1] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private void take(String line) throws Malformed {
        if (method.isEmpty()) {
            String[] words = line.split(" ", -1);
            if (words.length != 3
                    || !words[0].matches("[A-Z]{3,10}")
                    || !words[1].startsWith("/")
                    || !words[2].equals("HTTP/1.1")) {
                throw new Malformed(400);
            }
            method = words[0];
            int query = words[1].indexOf('?');
            path = query < 0 ? words[1] : words[1].substring(0, query);
            return;
        }
        int colon = line.indexOf(':');
        String name = colon < 0 ? "" : line.substring(0, colon);
        // A folded line begins with a space, so it has no name either.
        if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
            throw new Malformed(400);
        }
        String value = line.substring(colon + 1).strip();
        if (value.chars().anyMatch(c -> c < ' ' && c != '\t')) {
            throw new Malformed(400);
        }
        fields.add(new Field(name, value));
    }

    private int read(byte[] into, int at) throws IOException {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
            throw new SocketTimeoutException();
        }
        socket.setSoTimeout((int) left);
        InputStream in = socket.getInputStream();
        int n = in.read(into, at, into.length - at);
        if (n < 0) {
            throw new EOFException();
        }
        return n;
    }
}

package dev.tandem.hub.auth;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What Linux tells about one TCP socket.
 *
 * @param uid the user who made it
 * @param inode names it among the descriptors of processes; zero when none has it any more
 */
record TcpSocket(int state, int uid, long inode) {
    private static final int ESTABLISHED = 1;
    private static final int LISTEN = 10;
    private static final List<Path> TABLES =
            List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

    /** The socket at the caller's end; empty when this system has none. */
    static Optional<TcpSocket> of(TcpEnds ends) {
        if (!(ends.peer().getAddress() instanceof Inet4Address)
                || !(ends.own().getAddress() instanceof Inet4Address)) {
            return Optional.empty();
        }
        return SocketDiag.of(ends).or(() -> inTables(ends));
    }

    static Optional<TcpSocket> inTables(TcpEnds ends) {
        return find(line -> names(line[1], ends.peer()) && names(line[2], ends.own()));
    }

    static Optional<TcpSocket> listener(int port) {
        String end = String.format(Locale.ROOT, ":%04X", port);
        return find(line -> line[1].endsWith(end) && Integer.parseInt(line[3], 16) == LISTEN);
    }

    boolean established() {
        return state == ESTABLISHED;
    }

    private static Optional<TcpSocket> find(Predicate<String[]> wanted) {
        for (Path table : TABLES) {
            try {
                for (String line : Files.readAllLines(table)) {
                    String[] fields = line.strip().split("\\s+");
                    if (fields.length > 9 && fields[0].endsWith(":") && wanted.test(fields)) {
                        return Optional.of(
                                new TcpSocket(
                                        Integer.parseInt(fields[3], 16),
                                        Integer.parseInt(fields[7]),
                                        Long.parseLong(fields[9])));
                    }
                }
            } catch (IOException e) {
                // no such table on this system
            }
        }
        return Optional.empty();
    }

    /** A socket of the newer family has the same address behind ten zeros and ffff. */
    private static boolean names(String field, InetSocketAddress end) {
        byte[] address = end.getAddress().getAddress();
        ByteBuffer mapped = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
        mapped.position(10).put((byte) -1).put((byte) -1).put(address).flip();
        StringBuilder words = new StringBuilder();
        while (mapped.hasRemaining()) {
            words.append(String.format(Locale.ROOT, "%08X", mapped.getInt()));
        }
        String port = String.format(Locale.ROOT, ":%04X", end.getPort());
        return field.equals(words + port) || field.equals(words.substring(24) + port);
    }
}

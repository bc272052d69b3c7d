package dev.tandem.terminal;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The other end of a connection on this machine, by the number under which processes hold it. The
 * kernel is asked for the one socket (sock_diag): its tables of all of them take 7 ms each to read.
 */
final class PeerSocket {
    private static final List<Path> TABLES =
            List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int INODE = 9;
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private static final short BY_FAMILY = 20;
    private static final byte INET = 2;
    private static final byte TCP = 6;
    private static final int REQUEST_BYTES = 72;
    private static final int ANSWER_BYTES = 512;
    private static final int DESTINATION_PORT_AT = 22;
    private static final int INODE_AT = 84;
    private static final ValueLayout.OfShort PORT =
            JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private PeerSocket() {}

    /** Whether this system tells at all. */
    static boolean visible() {
        return Files.exists(TABLES.getFirst());
    }

    /** Empty when no process holds it any more. */
    static OptionalLong inode(Socket socket) throws IOException {
        OptionalLong asked = asked(socket);
        return asked.isPresent() ? asked : inTables(socket);
    }

    /** Empty also where the kernel does not answer such questions. */
    static OptionalLong asked(Socket socket) {
        int kernel = Posix.openSocketDiag();
        if (kernel < 0) {
            return OptionalLong.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = request(arena, peer(socket), own(socket));
            MemorySegment answer = arena.allocate(ANSWER_BYTES, 8);
            if (Posix.write(kernel, request, REQUEST_BYTES) != REQUEST_BYTES) {
                return OptionalLong.empty();
            }
            long size = Posix.read(Posix.state(arena), kernel, answer.address(), ANSWER_BYTES);
            // Where there is no such connection, the kernel names who listens at that address.
            if (size < INODE_AT + 4
                    || answer.get(JAVA_SHORT_UNALIGNED, 4) != BY_FAMILY
                    || answer.get(PORT, DESTINATION_PORT_AT) != (short) own(socket).getPort()) {
                return OptionalLong.empty();
            }
            long inode = Integer.toUnsignedLong(answer.get(JAVA_INT_UNALIGNED, INODE_AT));
            return inode == 0 ? OptionalLong.empty() : OptionalLong.of(inode);
        } finally {
            Posix.close(kernel);
        }
    }

    /** A netlink header, then an inet_diag_req_v2 for exactly one connection. */
    private static MemorySegment request(
            Arena arena, InetSocketAddress from, InetSocketAddress to) {
        MemorySegment request = arena.allocate(REQUEST_BYTES, 8);
        request.set(JAVA_INT_UNALIGNED, 0, REQUEST_BYTES);
        request.set(JAVA_SHORT_UNALIGNED, 4, BY_FAMILY);
        request.set(JAVA_SHORT_UNALIGNED, 6, (short) 1);
        request.set(JAVA_BYTE, 16, INET);
        request.set(JAVA_BYTE, 17, TCP);
        request.set(JAVA_INT_UNALIGNED, 20, -1);
        request.set(PORT, 24, (short) from.getPort());
        request.set(PORT, 26, (short) to.getPort());
        MemorySegment.copy(from.getAddress().getAddress(), 0, request, JAVA_BYTE, 28, 4);
        MemorySegment.copy(to.getAddress().getAddress(), 0, request, JAVA_BYTE, 44, 4);
        // any cookie
        request.set(JAVA_INT_UNALIGNED, 64, -1);
        request.set(JAVA_INT_UNALIGNED, 68, -1);
        return request;
    }

    static OptionalLong inTables(Socket socket) throws IOException {
        for (Path table : TABLES) {
            try (Stream<String> lines = Files.lines(table, StandardCharsets.US_ASCII)) {
                Optional<String> found =
                        lines.map(line -> line.strip().split(" +", -1))
                                .filter(line -> line.length > INODE)
                                .filter(line -> names(line[LOCAL], peer(socket)))
                                .filter(line -> names(line[REMOTE], own(socket)))
                                .map(line -> line[INODE])
                                .filter(inode -> !inode.equals("0"))
                                .findFirst();
                if (found.isPresent()) {
                    return OptionalLong.of(Long.parseLong(found.get()));
                }
            }
        }
        return OptionalLong.empty();
    }

    private static InetSocketAddress peer(Socket socket) {
        return (InetSocketAddress) socket.getRemoteSocketAddress();
    }

    private static InetSocketAddress own(Socket socket) {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    /** Both with the address: another process may have the same port at another one. */
    private static boolean names(String field, InetSocketAddress end) {
        String port = String.format(Locale.ROOT, ":%04X", end.getPort());
        if (!field.endsWith(port)) {
            return false;
        }
        String words = words(end.getAddress().getAddress());
        return field.equals(words + port) || field.equals(words(MAPPED) + words + port);
    }

    /** As the kernel writes addresses: by fours, in its own byte order. */
    private static String words(byte[] address) {
        ByteBuffer bytes = ByteBuffer.wrap(address).order(ByteOrder.nativeOrder());
        StringBuilder words = new StringBuilder();
        while (bytes.hasRemaining()) {
            words.append(String.format(Locale.ROOT, "%08X", bytes.getInt()));
        }
        return words.toString();
    }
}

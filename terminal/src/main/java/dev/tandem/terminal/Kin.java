package dev.tandem.terminal;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tells connections from inside a terminal, and from what else the hub runs: those programs can
 * read our files, so the secrets in them prove nothing there. Linux only; elsewhere nobody is known
 * as kin.
 */
final class Kin {
    private static final Path PROC = Path.of("/proc");
    private static final List<Path> TABLES =
            List.of(PROC.resolve("self/net/tcp"), PROC.resolve("self/net/tcp6"));
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int INODE = 9;
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private Kin() {}

    /** What a look at the descriptors of a process showed. */
    private enum Sight {
        HOLDS,
        NOTHING,
        CLOSED
    }

    /** True when a program below us holds the other end, may hide it, or nobody has it any more. */
    static boolean opened(Socket socket) throws IOException {
        List<Integer> below =
                ProcessHandle.current().descendants().map(child -> (int) child.pid()).toList();
        if (below.isEmpty() || Files.notExists(TABLES.getFirst())) {
            return false;
        }
        Optional<String> inode = inode(socket);
        if (inode.isEmpty()) {
            // Who has gone after asking cannot be told from a program that wants just that.
            return true;
        }
        boolean hides = false;
        for (int child : below) {
            Sight sight = look(child, inode.get());
            if (sight == Sight.HOLDS) {
                return true;
            }
            hides |= sight == Sight.CLOSED;
        }
        return hides && holder(inode.get()).isEmpty();
    }

    /** True when the hub, or somebody whom neither it nor we started, is seen to hold it. */
    static boolean hubs(Socket socket, int hub) throws IOException {
        if (Files.notExists(TABLES.getFirst())) {
            return true;
        }
        Optional<String> inode = inode(socket);
        if (inode.isEmpty()) {
            return false;
        }
        if (look(hub, inode.get()) == Sight.HOLDS) {
            return true;
        }
        int self = (int) ProcessHandle.current().pid();
        return holder(inode.get())
                .map(ProcessTree::ancestors)
                .filter(above -> !above.contains(hub) && !above.contains(self))
                .isPresent();
    }

    private static Optional<Integer> holder(String inode) {
        return ProcessHandle.allProcesses()
                .map(process -> (int) process.pid())
                .sorted(Comparator.reverseOrder())
                .filter(pid -> look(pid, inode) == Sight.HOLDS)
                .findFirst();
    }

    private static Optional<String> inode(Socket socket) throws IOException {
        InetSocketAddress peer = (InetSocketAddress) socket.getRemoteSocketAddress();
        InetSocketAddress own = (InetSocketAddress) socket.getLocalSocketAddress();
        for (Path table : TABLES) {
            try (Stream<String> lines = Files.lines(table, StandardCharsets.US_ASCII)) {
                Optional<String> found =
                        lines.map(line -> line.strip().split(" +", -1))
                                .filter(line -> line.length > INODE)
                                .filter(line -> names(line[LOCAL], peer))
                                .filter(line -> names(line[REMOTE], own))
                                .map(line -> line[INODE])
                                .filter(inode -> !inode.equals("0"))
                                .findFirst();
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /** Both with the address: another process may have the same port at another one. */
    private static boolean names(String field, InetSocketAddress end) {
        String port = String.format(Locale.ROOT, ":%04X", end.getPort());
        if (!field.endsWith(port)) {
            return false;
        }
        byte[] address = end.getAddress().getAddress();
        String words = words(address);
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

    private static Sight look(int pid, String inode) {
        String wanted = "socket:[" + inode + "]";
        Path descriptors = PROC.resolve(pid + "/fd");
        try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
            for (Path descriptor : all) {
                if (leads(descriptor, wanted)) {
                    return Sight.HOLDS;
                }
            }
        } catch (AccessDeniedException _) {
            return Sight.CLOSED;
        } catch (IOException | DirectoryIteratorException _) {
            // It has ended meanwhile.
        }
        return Sight.NOTHING;
    }

    private static boolean leads(Path descriptor, String wanted) throws AccessDeniedException {
        try {
            return Files.readSymbolicLink(descriptor).toString().equals(wanted);
        } catch (AccessDeniedException e) {
            throw e;
        } catch (IOException _) {
            return false;
        }
    }
}

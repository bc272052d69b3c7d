package dev.tandem.terminal;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tells connections from inside a terminal: its programs can read our files, so the secrets in them
 * prove nothing there. Linux only; elsewhere nobody is known as kin.
 */
final class Kin {
    private static final Path PROC = Path.of("/proc");
    private static final List<Path> TABLES =
            List.of(PROC.resolve("self/net/tcp"), PROC.resolve("self/net/tcp6"));
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int INODE = 9;

    private Kin() {}

    /** True when a program below us holds the other end, or nobody does any more. */
    static boolean opened(Socket socket) throws IOException {
        List<ProcessHandle> below = ProcessHandle.current().descendants().toList();
        if (below.isEmpty() || Files.notExists(TABLES.getFirst())) {
            return false;
        }
        Optional<String> inode = inode(socket.getPort(), socket.getLocalPort());
        // Who has gone after asking cannot be told from a program that wants just that.
        return inode.isEmpty() || below.stream().anyMatch(child -> holds(child, inode.get()));
    }

    private static Optional<String> inode(int port, int remotePort) throws IOException {
        String local = String.format(Locale.ROOT, ":%04X", port);
        String remote = String.format(Locale.ROOT, ":%04X", remotePort);
        for (Path table : TABLES) {
            try (Stream<String> lines = Files.lines(table, StandardCharsets.US_ASCII)) {
                Optional<String> found =
                        lines.map(line -> line.strip().split(" +", -1))
                                .filter(line -> line.length > INODE)
                                .filter(line -> line[LOCAL].endsWith(local))
                                .filter(line -> line[REMOTE].endsWith(remote))
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

    private static boolean holds(ProcessHandle process, String inode) {
        String wanted = "socket:[" + inode + "]";
        Path descriptors = PROC.resolve(process.pid() + "/fd");
        try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
            for (Path descriptor : all) {
                if (leads(descriptor, wanted)) {
                    return true;
                }
            }
        } catch (IOException _) {
            // It has ended meanwhile.
        }
        return false;
    }

    private static boolean leads(Path descriptor, String wanted) {
        try {
            return Files.readSymbolicLink(descriptor).toString().equals(wanted);
        } catch (IOException _) {
            return false;
        }
    }
}

package dev.tandem.hub.auth;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Facts about processes of this machine, read from /proc; empty where there is none. */
public final class Processes {
    private static final Path PROC = Path.of("/proc");

    private Processes() {}

    /** Whether this system shows who holds which connection. */
    public static boolean visible() {
        return Files.isReadable(PROC.resolve("net/tcp"));
    }

    /** Who listens on a local TCP port: "name (process 123)". */
    public static Optional<String> listener(int port) {
        return inode(port, -1, "0A").flatMap(Processes::holder).map(Processes::describe);
    }

    /**
     * True when this process holds the loopback connection from {@code port} to {@code hubPort}.
     */
    public static boolean holds(long pid, int port, int hubPort) {
        return SocketInode.of(port, hubPort)
                .or(() -> inode(port, hubPort, "01"))
                .map(inode -> holds(pid, inode))
                .orElse(false);
    }

    /** The process that holds the loopback connection from {@code port} to {@code hubPort}. */
    public static Optional<Long> holder(int port, int hubPort) {
        return inode(port, hubPort, "01").flatMap(Processes::holder);
    }

    /** Which of these processes holds the loopback connection; empty when none does. */
    public static Optional<Long> holderAmong(Stream<Long> pids, int port, int hubPort) {
        Optional<String> inode = SocketInode.of(port, hubPort).or(() -> inode(port, hubPort, "01"));
        return inode.flatMap(known -> pids.filter(pid -> holds(pid, known)).findFirst());
    }

    /** The process and its ancestors, nearest first. */
    public static List<Long> ancestry(long pid) {
        List<Long> line = new ArrayList<>();
        for (long at = pid; at > 0; at = parent(at)) {
            line.add(at);
        }
        return line;
    }

    /** Zero when there is none. A process handle would look twice at every step of a walk. */
    private static long parent(long pid) {
        try {
            String stat = Files.readString(PROC.resolve(pid + "/stat"), ISO_8859_1);
            // the name in parentheses may itself hold blanks and parentheses
            int state = stat.lastIndexOf(')') + 2;
            int parent = state + 2;
            return Long.parseLong(stat.substring(parent, stat.indexOf(' ', parent)));
        } catch (IOException | RuntimeException e) {
            return ProcessHandle.of(pid)
                    .flatMap(ProcessHandle::parent)
                    .map(ProcessHandle::pid)
                    .orElse(0L);
        }
    }

    private static String describe(long pid) {
        String name;
        try {
            name = Files.readString(PROC.resolve(pid + "/comm")).strip();
        } catch (IOException e) {
            name = "a program";
        }
        return name + " (process " + pid + ")";
    }

    /** The inode of a TCP socket by its local port, its remote port unless -1, and its state. */
    private static Optional<String> inode(int localPort, int remotePort, String state) {
        String local = String.format(":%04X", localPort);
        String remote = remotePort < 0 ? "" : String.format(":%04X", remotePort);
        for (String table : List.of("net/tcp", "net/tcp6")) {
            try {
                for (String line : Files.readAllLines(PROC.resolve(table))) {
                    String[] fields = line.strip().split("\\s+");
                    if (fields.length > 9
                            && fields[1].endsWith(local)
                            && fields[2].endsWith(remote)
                            && fields[3].equals(state)) {
                        return Optional.of(fields[9]);
                    }
                }
            } catch (IOException e) {
                // no such table on this system
            }
        }
        return Optional.empty();
    }

    private static Optional<Long> holder(String inode) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> holds(pid, inode))
                .findFirst();
    }

    private static boolean holds(long pid, String inode) {
        Path wanted = Path.of("socket:[" + inode + "]");
        try (DirectoryStream<Path> files = Files.newDirectoryStream(PROC.resolve(pid + "/fd"))) {
            for (Path file : files) {
                if (leadsTo(file, wanted)) {
                    return true;
                }
            }
        } catch (IOException e) {
            return false;
        }
        return false;
    }

    private static boolean leadsTo(Path link, Path wanted) {
        try {
            return Files.readSymbolicLink(link).equals(wanted);
        } catch (IOException e) {
            // closed meanwhile
            return false;
        }
    }
}

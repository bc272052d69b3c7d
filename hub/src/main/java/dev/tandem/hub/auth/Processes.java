package dev.tandem.hub.auth;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tandem.cli.Visible;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Facts about processes of this machine, read from /proc; empty where there is none. */
public final class Processes {
    private static final Path PROC = Path.of("/proc");

    /** The kernel's own name for the namespace of all processes. */
    private static final String FIRST_NAMESPACE = "pid:[4026531836]";

    private static final int WALKS = 8;

    private Processes() {}

    /** Whether this system shows who holds which connection. */
    public static boolean visible() {
        return Files.isReadable(PROC.resolve("net/tcp"));
    }

    /** Who listens on a local TCP port: "name (process 123)". */
    public static Optional<String> listener(int port) {
        return TcpSocket.listener(port)
                .flatMap(socket ->
                        all().stream()
                                .filter(pid -> look(pid, socket.inode()) == Sight.HOLDS)
                                .findFirst())
                .map(Processes::describe);
    }

    /** True when this process holds the other end of that connection. */
    public static boolean holds(long pid, TcpEnds ends) {
        return TcpSocket.of(ends)
                .filter(socket -> socket.inode() != 0)
                .filter(socket -> look(pid, socket.inode()) == Sight.HOLDS)
                .isPresent();
    }

    /**
     * The process and its ancestors, nearest first; empty when it has ended, or its parents keep
     * ending. A line that broke off there would hide who is above.
     */
    public static Optional<List<Long>> ancestry(long pid) {
        List<Long> before = List.of();
        for (int walk = 0; walk < WALKS; walk++) {
            List<Long> line = new ArrayList<>();
            Optional<Long> at = Optional.of(pid);
            while (at.isPresent() && at.get() > 0) {
                line.add(at.get());
                at = parent(at.get());
            }
            // Who has ended is nobody's parent: one that is named again only hides what it is.
            if (at.isPresent() || (line.size() > 1 && line.equals(before))) {
                return Optional.of(line);
            }
            before = line;
        }
        return Optional.empty();
    }

    /** Zero when there is none; empty when the process does not show it, or has ended. */
    private static Optional<Long> parent(long pid) {
        return text(pid, "stat")
                .map(stat -> {
                    // the name in parentheses may itself hold blanks and parentheses
                    int state = stat.lastIndexOf(')') + 2;
                    int parent = state + 2;
                    return Long.parseLong(stat.substring(parent, stat.indexOf(' ', parent)));
                });
    }

    /** "name (process 123)", in letters that do nothing to a terminal. */
    public static String describe(long pid) {
        return Visible.line(text(pid, "comm").map(String::strip).orElse("a program"))
                + " (process "
                + pid
                + ")";
    }

    /** As whom a process acts. */
    public static Optional<Integer> user(long pid) {
        return text(pid, "status")
                .flatMap(status ->
                        status.lines()
                                .filter(line -> line.startsWith("Uid:"))
                                .findFirst()
                                .map(line -> Integer.parseInt(line.split("\\s+")[2])));
    }

    /** Whether a process is of a kind that hides its descriptors and calls for the user. */
    public static boolean relays(long pid) {
        return text(pid, "comm").filter(name -> name.startsWith("sshd")).isPresent()
                || text(pid, "cmdline")
                        .filter(words -> words.contains("network.mojom.NetworkService"))
                        .isPresent();
    }

    /** Whether processes outside of a container share its network and are not seen from here. */
    public static boolean contained() {
        try {
            return !FIRST_NAMESPACE.equals(
                    Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString());
        } catch (IOException e) {
            return true;
        }
    }

    /** Whether this is the Linux inside Windows. */
    static boolean insideWindows() {
        try {
            return Files.readString(PROC.resolve("sys/kernel/osrelease"))
                    .toLowerCase(Locale.ROOT)
                    .contains("microsoft");
        } catch (IOException e) {
            return false;
        }
    }

    /** Every process of this machine that is seen from here. */
    public static List<Long> all() {
        List<Long> pids = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
            entries.forEach(entry -> pids.add(Long.parseLong(entry.getFileName().toString())));
        } catch (IOException | DirectoryIteratorException e) {
            // nothing to see on this system
        }
        return pids;
    }

    /** What a look at the descriptors of a process showed. */
    enum Sight {
        HOLDS,
        NOTHING,
        CLOSED
    }

    static Sight look(long pid, long inode) {
        String wanted = "socket:[" + inode + "]";
        try (DirectoryStream<Path> files = Files.newDirectoryStream(PROC.resolve(pid + "/fd"))) {
            for (Path file : files) {
                if (leadsTo(file, wanted)) {
                    return Sight.HOLDS;
                }
            }
        } catch (AccessDeniedException e) {
            return ended(pid) ? Sight.NOTHING : Sight.CLOSED;
        } catch (IOException | DirectoryIteratorException e) {
            // ended meanwhile
        }
        return Sight.NOTHING;
    }

    private static boolean leadsTo(Path link, String wanted) throws AccessDeniedException {
        try {
            return Files.readSymbolicLink(link).toString().equals(wanted);
        } catch (AccessDeniedException e) {
            throw e;
        } catch (IOException e) {
            // closed meanwhile
            return false;
        }
    }

    /** What has ended and is not buried yet holds nothing. */
    private static boolean ended(long pid) {
        return text(pid, "stat")
                .filter(stat -> stat.charAt(stat.lastIndexOf(')') + 2) == 'Z')
                .isPresent();
    }

    private static Optional<String> text(long pid, String name) {
        try {
            return Optional.of(Files.readString(PROC.resolve(pid + "/" + name), ISO_8859_1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}

package dev.tandem.terminal;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Whether a connection comes from inside a terminal, or from what else the hub runs: those programs
 * can read our files, so the secrets in them prove nothing there. Linux only; elsewhere nobody is
 * known as kin. Of one connection, used by its thread.
 */
final class Kin {
    private static final Path PROC = Path.of("/proc");

    private final int hub;
    private final OptionalLong inode;
    private final boolean hubHolds;

    Kin(Socket socket, int hub) throws IOException {
        this.hub = hub;
        inode = PeerSocket.visible() ? PeerSocket.inode(socket) : OptionalLong.empty();
        hubHolds = inode.isPresent() && look(hub, inode.getAsLong()) == Sight.HOLDS;
    }

    /** What a look at the descriptors of a process showed. */
    private enum Sight {
        HOLDS,
        NOTHING,
        CLOSED
    }

    /** True when a program below us holds the other end, may hide it, or nobody has it any more. */
    boolean below() {
        // The hub gives none of its connections away, and a walk over all processes takes longer
        // than everything else that a new terminal needs.
        if (hubHolds || !PeerSocket.visible()) {
            return false;
        }
        List<Integer> below =
                ProcessHandle.current().descendants().map(child -> (int) child.pid()).toList();
        if (below.isEmpty() || inode.isEmpty()) {
            // Who has gone after asking cannot be told from a program that wants just that.
            return !below.isEmpty();
        }
        boolean hides = false;
        for (int child : below) {
            Sight sight = look(child, inode.getAsLong());
            if (sight == Sight.HOLDS) {
                return true;
            }
            hides |= sight == Sight.CLOSED;
        }
        return hides && holder(inode.getAsLong()).isEmpty();
    }

    /** True when the hub, or somebody whom neither it nor we started, is seen to hold it. */
    boolean hubs() {
        if (hubHolds || !PeerSocket.visible()) {
            return true;
        }
        int self = (int) ProcessHandle.current().pid();
        return inode.isPresent()
                && holder(inode.getAsLong())
                        .flatMap(ProcessTree::ancestors)
                        .filter(above -> !above.contains(hub) && !above.contains(self))
                        .isPresent();
    }

    private static Optional<Integer> holder(long inode) {
        return ProcessHandle.allProcesses()
                .map(process -> (int) process.pid())
                .sorted(Comparator.reverseOrder())
                .filter(pid -> look(pid, inode) == Sight.HOLDS)
                .findFirst();
    }

    private static Sight look(int pid, long inode) {
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

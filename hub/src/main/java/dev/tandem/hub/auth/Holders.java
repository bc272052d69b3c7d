package dev.tandem.hub.auth;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Finds the process at the other end of a connection. Any thread may call it. */
public final class Holders {
    /** A descriptor that is handed on during a look can be missed by it, hardly by three. */
    private static final int LOOKS = 3;

    private static final int REMEMBERED = 8;

    /** Browsers and agents call again and again: looking at those first saves the walk. */
    private final ConcurrentLinkedDeque<Long> lately = new ConcurrentLinkedDeque<>();

    public Holder of(TcpEnds ends) {
        List<Long> closed = new ArrayList<>();
        for (int look = 0; ; look++) {
            Optional<TcpSocket> socket = TcpSocket.of(ends);
            if (socket.isEmpty()) {
                return elsewhere(ends) ? new Holder.Elsewhere() : new Holder.Gone();
            }
            if (socket.get().inode() == 0) {
                return new Holder.Gone();
            }
            // Asked for again after the last look: who closes it during that is gone, not hidden.
            if (look == LOOKS) {
                return new Holder.Hidden(socket.get().uid(), hiding(socket.get().inode(), closed));
            }
            closed.clear();
            Optional<Long> pid = find(socket.get().inode(), closed);
            // Whose line cannot be told has ended or is about to.
            Optional<List<Long>> line = pid.flatMap(Processes::ancestry);
            if (line.isPresent()) {
                remember(pid.get());
                return new Holder.Found(line.get());
            }
        }
    }

    private static List<Long> hiding(long inode, List<Long> closed) {
        List<Long> hiding = new ArrayList<>(closed);
        Processes.all().stream().filter(pid -> Descriptors.hidden(pid, inode)).forEach(hiding::add);
        return hiding;
    }

    private Optional<Long> find(long inode, List<Long> closed) {
        for (long pid : lately) {
            if (Processes.look(pid, inode) == Processes.Sight.HOLDS) {
                return Optional.of(pid);
            }
        }
        // Who calls was most often started lately, too.
        List<Long> all = Processes.all();
        all.sort(Comparator.reverseOrder());
        for (long pid : all) {
            switch (Processes.look(pid, inode)) {
                case HOLDS -> {
                    return Optional.of(pid);
                }
                case CLOSED -> closed.add(pid);
                case NOTHING -> {}
            }
        }
        return Optional.empty();
    }

    private void remember(long pid) {
        if (!Long.valueOf(pid).equals(lately.peekFirst())) {
            lately.remove(pid);
            lately.addFirst(pid);
            while (lately.size() > REMEMBERED) {
                lately.pollLast();
            }
        }
    }

    /** Windows calls into its Linux so that no socket of the caller is known there. */
    private static boolean elsewhere(TcpEnds ends) {
        return Processes.insideWindows()
                && TcpSocket.of(ends.turned()).filter(TcpSocket::established).isPresent();
    }
}

package dev.tandem.terminal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Who descends from whom, read from the system at the moment of asking. */
final class ProcessTree {
    private static final Path PROC = Path.of("/proc");
    private static final int WALKS = 8;

    private ProcessTree() {}

    /** One process; the start time tells it from a later one with the same number. */
    record Entry(int pid, int parent, int session, long started) {
        boolean alive() {
            return entry(pid).filter(now -> now.started == started).isPresent();
        }

        void kill() {
            if (alive()) {
                Posix.kill(pid, Posix.SIGKILL);
            }
        }
    }

    /** The members of the leader's session and everything that descends from them. */
    static Set<Entry> of(int leader) {
        Collection<Entry> all = snapshot();
        Map<Integer, Set<Entry>> children = new HashMap<>();
        Set<Entry> found = new HashSet<>();
        Deque<Entry> open = new ArrayDeque<>();
        for (Entry entry : all) {
            children.computeIfAbsent(entry.parent, _ -> new HashSet<>()).add(entry);
            if (entry.pid == leader || entry.session == leader) {
                open.add(entry);
            }
        }
        for (Entry next = open.poll(); next != null; next = open.poll()) {
            if (found.add(next)) {
                open.addAll(children.getOrDefault(next.pid, Set.of()));
            }
        }
        return found;
    }

    /**
     * The processes above this one, nearest first; empty when it has ended, or its parents keep
     * ending. A line that broke off there would hide who is above.
     */
    static Optional<List<Integer>> ancestors(int pid) {
        List<Integer> before = List.of();
        for (int walk = 0; walk < WALKS; walk++) {
            List<Integer> above = new ArrayList<>();
            Optional<Integer> at = parent(pid);
            while (at.isPresent() && at.get() > 0) {
                above.add(at.get());
                at = parent(at.get());
            }
            // Who has ended is nobody's parent: one that is named again only hides what it is.
            if (at.isPresent() || (!above.isEmpty() && above.equals(before))) {
                return Optional.of(above);
            }
            before = above;
        }
        return Optional.empty();
    }

    // Also of one that looks dead: its first thread may have ended before the others.
    private static Optional<Integer> parent(int pid) {
        if (Posix.MAC) {
            return ProcessHandle.of(pid).map(process -> portable(process).parent);
        }
        try {
            return Optional.of(Integer.parseInt(fields(stat(pid))[1]));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** The value that the process was started with, where the system tells. */
    static Optional<String> startedWith(int pid, String variable) {
        try {
            String all =
                    Files.readString(PROC.resolve(pid + "/environ"), StandardCharsets.ISO_8859_1);
            String wanted = variable + "=";
            return all.lines()
                    .flatMap(line -> java.util.Arrays.stream(line.split("\0", -1)))
                    .filter(pair -> pair.startsWith(wanted))
                    .map(pair -> pair.substring(wanted.length()))
                    .findFirst();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** The processes that were started with this value. */
    static List<Entry> startedWith(String variable, String value) {
        return snapshot().stream()
                .filter(e -> startedWith(e.pid, variable).filter(value::equals).isPresent())
                .toList();
    }

    static Optional<Entry> entry(int pid) {
        if (Posix.MAC) {
            return ProcessHandle.of(pid).map(ProcessTree::portable);
        }
        try {
            return parse(pid, stat(pid));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static Collection<Entry> snapshot() {
        Set<Entry> all = new HashSet<>();
        if (Posix.MAC) {
            ProcessHandle.allProcesses().map(ProcessTree::portable).forEach(all::add);
            return all;
        }
        try (DirectoryStream<Path> pids = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path path : pids) {
                entry(Integer.parseInt(path.getFileName().toString())).ifPresent(all::add);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return all;
    }

    private static Entry portable(ProcessHandle process) {
        int parent = process.parent().map(p -> (int) p.pid()).orElse(0);
        long started = process.info().startInstant().map(i -> i.toEpochMilli()).orElse(0L);
        return new Entry((int) process.pid(), parent, 0, started);
    }

    private static String stat(int pid) throws IOException {
        return Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
    }

    // The name may hold spaces and brackets, so the fields are counted after its last bracket.
    private static String[] fields(String stat) {
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    }

    private static Optional<Entry> parse(int pid, String stat) {
        String[] fields = fields(stat);
        if (fields[0].equals("Z") || fields[0].equals("X")) {
            return Optional.empty();
        }
        return Optional.of(
                new Entry(
                        pid,
                        Integer.parseInt(fields[1]),
                        Integer.parseInt(fields[3]),
                        Long.parseLong(fields[19])));
    }
}

package dev.tandem.hub.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;

/**
 * Every process tree started for an agent, and the answer to "whose process is this?". Any thread
 * may call it. One per hub: it makes the hub adopt orphans, so that a double fork does not escape.
 */
public final class ProcessTrees implements AutoCloseable {
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final int STRAY_LOOKS = 500;
    private static final long STRAY_ENDS_NANOS = 2_000_000;

    private final Set<ProcessTree> trees = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService reaper =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("orphan-reaper").factory());
    private Map<Long, Long> zombiesSeen = Map.of();

    public ProcessTrees() {
        this(Duration.ofSeconds(5));
    }

    ProcessTrees(Duration reapEvery) {
        if (Posix.becomeSubreaper()) {
            long millis = reapEvery.toMillis();
            var _ =
                    reaper.scheduleWithFixedDelay(
                            this::reap, millis, millis, TimeUnit.MILLISECONDS);
        }
    }

    /** Starts a program of an argument list, in its own session where the system can. */
    ProcessTree start(ProcessBuilder builder, String owner) throws IOException {
        String mark = UUID.randomUUID().toString();
        builder.environment().put(ProcessTree.MARK, mark);
        apart(builder);
        ProcessTree tree = new ProcessTree(builder.start(), owner, mark);
        trees.add(tree);
        return tree;
    }

    /**
     * Gives a program a session of its own where the system can, so that what it runs is a stray
     * and not taken for the user's.
     */
    public static void apart(ProcessBuilder builder) {
        if (Files.isExecutable(SETSID)) {
            List<String> command = new ArrayList<>(List.of(SETSID.toString()));
            command.addAll(builder.command());
            builder.command(command);
        }
    }

    /** Whether no agent's process runs. */
    public boolean isEmpty() {
        return trees.isEmpty();
    }

    /** The tree is ended and nothing of it is left to attribute. */
    void forget(ProcessTree tree) {
        trees.remove(tree);
    }

    /**
     * Who started a process: the owner given at the start of the nearest tree it belongs to. A
     * process that descends from this hub but carries no mark belongs to {@link #UNKNOWN_OWNER}.
     *
     * @param line the process and its ancestors, nearest first
     */
    public Optional<String> ownerOf(List<Long> line) {
        int hub = line.indexOf(ProcessHandle.current().pid());
        // One that has ended meanwhile leaves it to those above.
        List<ProcStat> below =
                line.subList(0, hub < 0 ? line.size() : hub).stream()
                        .flatMap(pid -> ProcStat.of(pid).stream())
                        .toList();
        // A mark can be copied from another agent: it speaks only where the kernel says nothing.
        return nearest(below, ProcessTree::leads)
                .or(() -> nearest(below, ProcessTree::marked))
                .or(() -> hub < 0 ? Optional.empty() : Optional.of(UNKNOWN_OWNER));
    }

    private Optional<String> nearest(
            List<ProcStat> line, BiPredicate<ProcessTree, ProcStat> belongs) {
        return line.stream()
                .flatMap(process -> trees.stream().filter(tree -> belongs.test(tree, process)))
                .findFirst()
                .map(ProcessTree::owner);
    }

    /** Not the user, though nobody knows which agent. */
    public static final String UNKNOWN_OWNER = "";

    /**
     * Whether a process came to this hub from others, as programs of terminals and agents do that
     * have died. What the hub starts itself shares its session, and nothing can join that later.
     *
     * @param line the process and its ancestors, nearest first
     */
    public boolean stray(List<Long> line) {
        int hub = line.indexOf(ProcessHandle.current().pid());
        if (hub < 1) {
            return false;
        }
        Optional<Long> session = ProcStat.of(line.get(hub)).map(ProcStat::session);
        Optional<Long> child = ProcStat.of(line.get(hub - 1)).map(ProcStat::session);
        return child.isEmpty() || !child.equals(session);
    }

    /**
     * Ends what came to this process from agents and terminals that have died: the next hub could
     * not tell it from the user's own programs. To be called when everything else has ended.
     */
    public static void endStrays() {
        List<ProcStat> left = strays();
        for (int look = 0; look < STRAY_LOOKS && !left.isEmpty(); look++) {
            for (ProcStat stray : left) {
                // Its children come to us as it ends, and are found at the next look.
                ProcessHandle.of(stray.pid()).ifPresent(ProcessHandle::destroyForcibly);
            }
            LockSupport.parkNanos(STRAY_ENDS_NANOS);
            left = strays();
        }
    }

    private static List<ProcStat> strays() {
        long hub = ProcessHandle.current().pid();
        Optional<Long> session = ProcStat.of(hub).map(ProcStat::session);
        return ProcStat.all().stream()
                .filter(child -> child.parent() == hub && !child.isZombie())
                .filter(child -> !Optional.of(child.session()).equals(session))
                .toList();
    }

    /**
     * The JDK waits for the children it started at once, so a child that is still a zombie at the
     * second look was adopted and is ours to bury.
     */
    private void reap() {
        Map<Long, Long> zombies = new HashMap<>();
        long hub = ProcessHandle.current().pid();
        for (ProcStat process : ProcStat.all()) {
            if (process.parent() == hub && process.isZombie()) {
                Long before = zombiesSeen.get(process.pid());
                if (before == null
                        || before != process.startTicks()
                        || !Posix.reap(process.pid())) {
                    zombies.put(process.pid(), process.startTicks());
                }
            }
        }
        zombiesSeen = zombies;
    }

    @Override
    public void close() {
        reaper.shutdownNow();
    }
}

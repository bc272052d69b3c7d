package dev.tandem.hub.agent;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One process that we started and everything that came from it, orphans included; any thread may
 * call it.
 */
final class ProcessTree {
    static final String MARK = "TANDEM_TREE";

    private final Process root;
    private final String owner;
    private final String assignment;

    ProcessTree(Process root, String owner, String mark) {
        this.root = root;
        this.owner = owner;
        this.assignment = MARK + "=" + mark;
    }

    Process root() {
        return root;
    }

    String owner() {
        return owner;
    }

    private boolean contains(ProcStat process) {
        return leads(process) || marked(process);
    }

    /** Whether the kernel says so: it is the root, or of the session that the root leads. */
    boolean leads(ProcStat process) {
        return process.pid() == root.pid() || process.session() == root.pid();
    }

    /** Whether it was started with our mark, as what left the session and lost its parents is. */
    boolean marked(ProcStat process) {
        return process.startedWith(assignment);
    }

    /** All living members but the root; a member that changed session and parent has the mark. */
    Map<Long, ProcessHandle> members() {
        Map<Long, ProcessHandle> found = new HashMap<>();
        root.descendants().forEach(handle -> found.put(handle.pid(), handle));
        for (ProcStat process : ProcStat.all()) {
            if (process.pid() != root.pid() && !process.isZombie() && contains(process)) {
                ProcessHandle.of(process.pid()).ifPresent(h -> found.put(h.pid(), h));
            }
        }
        return found;
    }

    /**
     * Ends the whole tree: asks, waits, then kills what is left. The root is asked first: a shell
     * that outlives its command would write "Terminated" into the output.
     */
    void end(Map<Long, ProcessHandle> remembered, Duration grace) {
        Map<Long, ProcessHandle> all = new HashMap<>(remembered);
        all.putAll(members());
        root.destroy();
        all.values().forEach(ProcessHandle::destroy);
        await(all, grace);
        // A dying parent may have started something between the look and the signal.
        all.putAll(members());
        all.values().stream()
                .filter(ProcessHandle::isAlive)
                .forEach(ProcessHandle::destroyForcibly);
        root.destroyForcibly();
        await(all, grace);
    }

    private void await(Map<Long, ProcessHandle> all, Duration limit) {
        CompletableFuture<?>[] exits =
                all.values().stream()
                        .filter(ProcessHandle::isAlive)
                        .map(ProcessHandle::onExit)
                        .toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(exits).get(limit.toMillis(), TimeUnit.MILLISECONDS);
            boolean _ = root.waitFor(limit);
        } catch (TimeoutException | ExecutionException stubborn) {
            // The caller goes on to the next step.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

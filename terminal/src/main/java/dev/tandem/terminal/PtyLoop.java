package dev.tandem.terminal;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of a running terminal: reads what the program writes, gives it what the user
 * types, and sees it to its end. It stops reading while too much output is outstanding, so that the
 * kernel blocks the program.
 */
final class PtyLoop {
    private static final int DRAIN_QUIET_MS = 100;
    private static final long DRAIN_NANOS = 2_000_000_000L;
    private static final int FULL_READ = 1024;
    // Two frames at a time: who gets them is woken half as often.
    private static final int BATCH_BYTES = 2 * Limits.FRAME_BYTES;
    private static final int FLOOD_BYTES = 16 * 1024;
    private static final int FLOOD_PAUSE_MS = 1;
    private static final int KEY_PAUSE_MS = 2;

    private final Terminal terminal;
    private final Ring ring;
    private final Pty pty;
    private final Child child;
    private final Keys keys;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile Reaper.@Nullable Exit exit;
    private volatile long endedNanos;
    private volatile boolean ending;
    private volatile boolean paused;
    private volatile boolean keyed;
    private String title = "";
    private boolean drained;
    private long exitNanos;
    private long exitSeq;

    PtyLoop(Terminal terminal, Reaper reaper, Child.Launch launch, int cols, int rows) {
        this.terminal = terminal;
        ring = terminal.ring();
        pty = new Pty(cols, rows);
        keys = new Keys(pty);
        try {
            child = reaper.spawn(launch, pty.slave(), this::exited);
        } catch (RuntimeException e) {
            pty.close();
            throw e;
        }
        Thread.ofPlatform().daemon().name("pty-" + child.pid()).start(this::run);
    }

    int pid() {
        return child.pid();
    }

    Reaper.@Nullable Exit exit() {
        return exit;
    }

    /** Counts down when nothing of the program is left. */
    CountDownLatch over() {
        return over;
    }

    void resize(int cols, int rows) {
        pty.resize(cols, rows);
    }

    void input(ByteBuffer bytes, Runnable taken) {
        keyed = true;
        keys.offer(bytes, taken);
    }

    /** True while a client is not read because the program does not read. */
    boolean keysWait() {
        return keys.full();
    }

    void end() {
        if (!ending) {
            endedNanos = System.nanoTime();
            ending = true;
            pty.wake();
        }
    }

    void roomChanged() {
        if (paused) {
            pty.wake();
        }
    }

    void sayGoodbye(Viewer viewer) {
        Reaper.Exit how = exit;
        if (how != null) {
            String lastWords = viewer.speaks() ? Messages.exit(how) : "";
            viewer.close(exitSeq, lastWords, 1000, "pty exited");
        }
    }

    private void exited(Reaper.Exit how) {
        exitNanos = System.nanoTime();
        exit = how;
        pty.wake();
    }

    private void run() {
        try {
            while (!drained && !ending) {
                turn();
            }
            if (!ending) {
                exitSeq = ring.head();
                terminal.finished(this);
            }
            finish();
        } finally {
            keys.release();
            pty.close();
            over.countDown();
            terminal.over();
        }
    }

    private void turn() {
        boolean room = hasRoom();
        paused = !room;
        // Looked at again after the flag: an acknowledgement in between would wake nobody.
        room = room || hasRoom();
        boolean exited = exit != null;
        Pty.Ready ready =
                pty.await(room, keys.pending(), exited ? DRAIN_QUIET_MS : room ? -1 : 1000);
        if (ready.output()) {
            keys.flush();
        }
        if (ready.input()) {
            takeOutput();
        } else if (exited && room && exit != null) {
            // Somebody in the background still holds the terminal; the program's bytes are in.
            drained = true;
        }
        if (exited && System.nanoTime() - exitNanos > DRAIN_NANOS && !terminal.holding()) {
            drained = drained || room;
        }
    }

    private boolean hasRoom() {
        long most = terminal.most();
        return room() >= (paused ? most - Math.min(most / 2, Limits.RESUME_BELOW_BYTES) : 0);
    }

    private long room() {
        return terminal.most() - terminal.outstanding(ring.head());
    }

    private void takeOutput() {
        int most = (int) Math.min(room() + Limits.FRAME_BYTES, BATCH_BYTES);
        int total = 0;
        int read = FULL_READ;
        while (read > 0 && total < most) {
            read = read < FULL_READ ? 0 : pty.read(most - total);
            if (read == 0 && floods(total)) {
                read = pty.read(most - total);
            }
            if (read > 0) {
                // Page by page: the kernel makes the next one ready meanwhile.
                ring.append(pty.bytes(read));
                total += read;
            }
        }
        if (total > 0) {
            tellTitle();
            for (Viewer viewer : terminal.viewers()) {
                viewer.pump();
            }
            makeWay(total);
        }
        if (read == Pty.END) {
            awaitExit();
        }
    }

    // Between two pages of a flood the kernel takes a breath; the client has less work with whole
    // frames. A key's echo, or a screen that is drawn, is never that much.
    private boolean floods(int total) {
        return total >= FLOOD_BYTES
                && exit == null
                && pty.await(true, false, FLOOD_PAUSE_MS).input();
    }

    // Who types into a flood mostly wants its end, and a program that is to end needs the processor
    // for it. Its exit ends the pause.
    private void makeWay(int total) {
        if (keyed) {
            keyed = false;
            if (total >= FLOOD_BYTES && exit == null) {
                pty.await(false, false, KEY_PAUSE_MS);
            }
        }
    }

    private void tellTitle() {
        String now = ring.title();
        if (!now.equals(title)) {
            title = now;
            terminal.titleIs(now);
        }
    }

    // Nobody has the terminal open: either the program is gone, or it lives on without it.
    private void awaitExit() {
        while (exit == null && !ending) {
            pty.await(false, false, -1);
        }
        drained = exit != null;
    }

    // Interrupt, then hang up, then kill: the program and everything it started.
    private void finish() {
        long since = ending ? endedNanos : System.nanoTime();
        Set<ProcessTree.Entry> tree = new HashSet<>(ProcessTree.of(child.pid()));
        if (ending && exit == null) {
            interrupt();
            waitFor(since + terminal.limits().hangUpAfter().toNanos(), tree, true);
        }
        pty.hangUp();
        waitFor(since + terminal.limits().killAfter().toNanos(), tree, false);
        tree.addAll(ProcessTree.of(child.pid()));
        tree.forEach(ProcessTree.Entry::kill);
        while (exit == null) {
            pty.await(false, false, 1000);
        }
        if (ending) {
            terminal.finished(this);
        }
    }

    private void interrupt() {
        int group = pty.foregroundGroup();
        if (group > 1) {
            Posix.kill(-group, Posix.SIGINT);
        }
        if (group != child.pid()) {
            Posix.kill(-child.pid(), Posix.SIGINT);
        }
    }

    // Output is thrown away meanwhile: a program that cannot write cannot end either.
    private void waitFor(long deadline, Set<ProcessTree.Entry> tree, boolean discard) {
        boolean readable = discard;
        while (deadline - System.nanoTime() > 0) {
            if (exit != null && tree.stream().noneMatch(ProcessTree.Entry::alive)) {
                return;
            }
            long left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
            if (pty.await(readable, false, (int) Math.min(left, 50)).input()) {
                readable = pty.read(Pty.READ_BYTES) != Pty.END;
            }
        }
    }
}

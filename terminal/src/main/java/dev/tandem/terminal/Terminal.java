package dev.tandem.terminal;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One pseudo-terminal with its program and everyone who watches it. At most one viewer writes and
 * sets the size. Thread-safe.
 */
final class Terminal {
    // Long enough for a program to ask how large its window is, too short to be looked at.
    private static final Duration REDRAWN_AFTER = Duration.ofMillis(75);

    private final String sessionId;
    private final String profile;
    private final Limits limits;
    private final Ring ring;
    private final Timer timer;
    private final List<Viewer> viewers = new CopyOnWriteArrayList<>();
    private volatile @Nullable Viewer writer;
    private volatile @Nullable PtyLoop loop;
    private volatile boolean pinned;
    private volatile boolean ended;
    private volatile String title = "";
    private boolean forgotten;
    private volatile long startedAt;
    private volatile long holdBase;
    private volatile long holdUntilNanos = System.nanoTime();
    private int cols = 80;
    private int rows = 24;

    /** Runs something later, on a thread of its own. */
    interface Timer {
        void after(Duration delay, Runnable action);
    }

    /** What lists show. */
    record Facts(
            String sessionId,
            String profile,
            String title,
            int pid,
            int cols,
            int rows,
            long startedAt,
            int attached,
            boolean pinned,
            Reaper.@Nullable Exit exit) {}

    Terminal(String sessionId, String profile, Limits limits, Timer timer) {
        this.sessionId = sessionId;
        this.profile = profile;
        this.limits = limits;
        this.timer = timer;
        ring = new Ring(limits.ringBytes());
    }

    String sessionId() {
        return sessionId;
    }

    String profile() {
        return profile;
    }

    boolean running() {
        return loop != null && !ended;
    }

    boolean spawned() {
        return loop != null;
    }

    boolean ended() {
        return ended;
    }

    boolean pinned() {
        return pinned;
    }

    void pin(boolean on) {
        pinned = on;
    }

    Limits limits() {
        return limits;
    }

    Ring ring() {
        return ring;
    }

    List<Viewer> viewers() {
        return viewers;
    }

    synchronized Facts facts() {
        PtyLoop running = loop;
        return new Facts(
                sessionId,
                profile,
                title,
                running == null ? 0 : running.pid(),
                cols,
                rows,
                startedAt,
                viewers.size(),
                pinned,
                running == null ? null : running.exit());
    }

    /** Adds a client; a second writer takes over and the first is told so. */
    synchronized Viewer attach(Wire wire, boolean write) {
        Viewer viewer = new Viewer(ring, wire, write);
        Viewer before = writer;
        if (write) {
            if (before != null) {
                hold(before);
                viewers.remove(before);
                before.closeNow(4409, "taken over");
            }
            writer = viewer;
        }
        viewers.add(viewer);
        viewer.onProgress(this::wake);
        if (forgotten) {
            viewer.closeNow(4410, "terminal closed");
        }
        return viewer;
    }

    /** True when this was the writer, so nobody holds the terminal any more. */
    synchronized boolean detach(Viewer viewer) {
        viewer.abandon();
        viewers.remove(viewer);
        if (writer != viewer) {
            return false;
        }
        hold(viewer);
        writer = null;
        wake();
        return true;
    }

    // For a moment after a loss nothing unconfirmed may leave the ring, so that coming back is
    // exact; then the program may run on without an audience.
    private void hold(Viewer viewer) {
        if (viewer.started()) {
            holdBase = viewer.taken();
            holdUntilNanos =
                    viewer.acknowledges()
                            ? System.nanoTime() + limits.resumeHold().toNanos()
                            : System.nanoTime();
        }
    }

    /** Starts the program unless it was started before, or nobody wants it any more. */
    synchronized void spawn(Reaper reaper, Child.Launch launch) {
        if (loop == null && !forgotten) {
            ring.sizeIs(cols, rows);
            startedAt = Instant.now().toEpochMilli();
            loop = new PtyLoop(this, reaper, launch, cols, rows);
        }
    }

    synchronized void resize(int wantedCols, int wantedRows) {
        int newCols = Math.clamp(wantedCols, Limits.SMALLEST_SIDE, Limits.LARGEST_SIDE);
        int newRows = Math.clamp(wantedRows, Limits.SMALLEST_SIDE, Limits.LARGEST_SIDE);
        if (newCols == cols && newRows == rows) {
            return;
        }
        cols = newCols;
        rows = newRows;
        PtyLoop running = loop;
        if (running != null) {
            ring.sizeIs(cols, rows);
            running.resize(cols, rows);
            Ring.Size size = new Ring.Size(ring.head(), cols, rows);
            for (Viewer viewer : viewers) {
                if (!viewer.writer() && viewer.started() && viewer.speaks()) {
                    viewer.say(size.seq(), Messages.resize(size));
                }
            }
        }
    }

    /**
     * Lets output flow to a client: from {@code from} when the ring still has it, else from the
     * oldest byte kept, with what an empty emulator needs first.
     */
    synchronized void begin(Viewer viewer, long from, boolean acks) {
        boolean fresh = ring.head() == 0;
        boolean exact = fresh || (from >= 0 && ring.keeps(from));
        Ring.Beginning begin = ring.beginning();
        long seq = fresh ? 0 : exact ? from : begin.seq();
        if (viewer.speaks()) {
            viewer.sayNow(Messages.hello(this, viewer, seq));
        }
        if (!fresh) {
            tell(viewer);
            replay(viewer, exact ? at(seq) : begin, !exact);
        }
        viewer.start(seq, acks);
        if (!exact && begin.alternateScreen()) {
            redraw();
        }
        PtyLoop running = loop;
        if (running != null && ended) {
            running.sayGoodbye(viewer);
        }
        viewer.pump();
        wake();
    }

    /** Called by the loop when the program gives its window another title. */
    synchronized void titleIs(String newTitle) {
        title = newTitle;
        viewers.forEach(this::tell);
    }

    private void tell(Viewer viewer) {
        if (viewer.speaks()) {
            viewer.sayNow(Messages.title(title));
        }
    }

    private Ring.Beginning at(long seq) {
        return new Ring.Beginning(seq, cols, rows, "", false);
    }

    private void replay(Viewer viewer, Ring.Beginning begin, boolean reset) {
        if (!viewer.speaks()) {
            return;
        }
        viewer.say(begin.seq(), Messages.reattachBegin(sessionId, begin, reset));
        for (Ring.Size size : ring.sizesSince(begin.seq())) {
            viewer.say(size.seq(), Messages.resize(size));
        }
        viewer.say(ring.head(), Messages.reattachEnd(ring.head()));
    }

    // A full-screen program draws everything again when its window changes. Most of them compare:
    // they have to find another size when they look.
    private void redraw() {
        PtyLoop running = loop;
        if (running != null && !ended && rows > Limits.SMALLEST_SIDE) {
            running.resize(cols, rows - 1);
            timer.after(REDRAWN_AFTER, () -> sizeAgain(running));
        }
    }

    // What was resized meanwhile has this size already, and the kernel tells nobody.
    private synchronized void sizeAgain(PtyLoop running) {
        running.resize(cols, rows);
    }

    /** Keys for the program; {@code taken} runs when the terminal has room for more. */
    void input(ByteBuffer bytes, Runnable taken) {
        PtyLoop running = loop;
        if (running == null) {
            taken.run();
        } else {
            running.input(bytes, taken);
        }
    }

    /** Nobody comes back to this terminal: who is there is told, the program ends. */
    synchronized void forget(int closeCode, String reason) {
        viewers.forEach(viewer -> viewer.closeNow(closeCode, reason));
        dispose();
        forgotten = true;
        over();
    }

    /** Interrupts the program, hangs up, and kills what is left after the grace time. */
    void dispose() {
        PtyLoop running = loop;
        if (running != null) {
            running.end();
        }
    }

    /** Called by the loop when it has done everything: nobody reads what was kept. */
    synchronized void over() {
        PtyLoop running = loop;
        if (forgotten && (running == null || running.over().getCount() == 0)) {
            ring.release();
        }
    }

    void awaitOver(long nanos) throws InterruptedException {
        PtyLoop running = loop;
        if (running != null) {
            boolean _ = running.over().await(nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Called by the loop when the last byte is in the ring and the program is gone. */
    synchronized void finished(PtyLoop finished) {
        ended = true;
        for (Viewer viewer : viewers) {
            if (viewer.started()) {
                finished.sayGoodbye(viewer);
            }
        }
    }

    void wake() {
        PtyLoop running = loop;
        if (running != null) {
            running.roomChanged();
        }
    }

    /** Bytes of output that nobody has surely taken yet. */
    long outstanding(long head) {
        Viewer now = writer;
        if (now != null && now.started()) {
            return head - (unheard() ? now.sent() : now.taken());
        }
        return holding() ? head - holdBase : 0;
    }

    /** How much may be outstanding before the program has to wait. */
    long most() {
        Viewer now = writer;
        if (now != null && now.started()) {
            return now.acknowledges() && !unheard()
                    ? Limits.PAUSE_ABOVE_BYTES
                    : ring.capacity() / 2;
        }
        return ring.capacity() - 2L * Limits.FRAME_BYTES;
    }

    // Behind keys that wait stand acknowledgements that wait: a program that writes before it reads
    // on would wait for them for ever.
    private boolean unheard() {
        PtyLoop running = loop;
        return running != null && running.keysWait();
    }

    boolean holding() {
        return holdUntilNanos - System.nanoTime() > 0;
    }
}

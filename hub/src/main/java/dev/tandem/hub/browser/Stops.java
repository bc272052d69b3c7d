package dev.tandem.hub.browser;

import java.util.ArrayList;
import java.util.List;

/** What is to stop when something ends, at once where it has ended. Any thread may call it. */
final class Stops {
    private final List<Runnable> stops = new ArrayList<>();
    private boolean over;

    /** Runs them all, once; on the caller's thread and without a lock. */
    void end() {
        List<Runnable> now;
        synchronized (this) {
            over = true;
            now = List.copyOf(stops);
            stops.clear();
        }
        now.forEach(Runnable::run);
    }

    synchronized boolean over() {
        return over;
    }

    void add(Runnable stop) {
        synchronized (this) {
            if (!over) {
                stops.add(stop);
                return;
            }
        }
        stop.run();
    }

    /** Forgets a stop whose work is done. */
    synchronized void remove(Runnable stop) {
        stops.remove(stop);
    }
}

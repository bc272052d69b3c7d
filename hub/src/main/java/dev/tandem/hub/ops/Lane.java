package dev.tandem.hub.ops;

import java.util.ArrayDeque;

/** Runs what it is given one after the other, each on a virtual thread that may block. */
final class Lane {
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    synchronized void submit(Runnable work) {
        waiting.add(work);
        if (!running) {
            running = true;
            Thread.startVirtualThread(this::drain);
        }
    }

    private void drain() {
        Runnable next = next();
        if (next == null) {
            return;
        }
        try {
            next.run();
        } finally {
            // A thread for each, so that what fails keeps nothing behind it waiting.
            Thread.startVirtualThread(this::drain);
        }
    }

    private synchronized @org.jspecify.annotations.Nullable Runnable next() {
        Runnable next = waiting.poll();
        running = next != null;
        return next;
    }
}

package dev.tandem.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Ends this process with the hub that started it. While terminals run it waits for a new hub to
 * adopt them first.
 */
final class Owner {
    private final Limits limits;
    private volatile int pid;
    private volatile long started;

    Owner(Limits limits, int pid) {
        this.limits = limits;
        adoptedBy(pid);
    }

    void adoptedBy(int newPid) {
        started = ProcessTree.entry(newPid).map(ProcessTree.Entry::started).orElse(-1L);
        pid = newPid;
        wakeUp();
    }

    /** The hub that this process belongs to; zero while there is none, whoever has its number. */
    int pid() {
        return alive() ? pid : 0;
    }

    private synchronized void wakeUp() {
        notifyAll();
    }

    /**
     * The hub that started us is gone when its pipe breaks, even while the system still lists it.
     */
    void watchPipe(InputStream pipe) {
        int starter = pid;
        Thread.ofPlatform()
                .daemon()
                .name("owner-pipe")
                .start(() -> {
                    try {
                        pipe.transferTo(java.io.OutputStream.nullOutputStream());
                    } catch (IOException _) {
                        // As good as its end.
                    }
                    lost(starter);
                });
    }

    private synchronized void lost(int owner) {
        if (pid == owner) {
            pid = 0;
        }
        notifyAll();
    }

    private boolean alive() {
        Optional<ProcessTree.Entry> now = ProcessTree.entry(pid);
        return pid > 1 && now.isPresent() && now.get().started() == started;
    }

    /** Returns when the owner is gone and nobody came for what still runs. */
    synchronized void awaitEnd(Terminals terminals) throws InterruptedException {
        long goneSince = 0;
        while (true) {
            boolean alive = alive();
            long now = System.nanoTime();
            if (alive) {
                goneSince = 0;
            } else if (goneSince == 0) {
                goneSince = now;
            }
            boolean patience = now - goneSince < limits.ownerGrace().toNanos();
            if (!alive && !(patience && terminals.running() > 0)) {
                return;
            }
            wait(limits.ownerCheck().toMillis());
        }
    }
}

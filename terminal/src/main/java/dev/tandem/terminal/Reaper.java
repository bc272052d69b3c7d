package dev.tandem.terminal;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Waits for children. As a subreaper it also buries the orphans it inherits; else it leaves
 * children that other code of this JVM started to that code. Thread-safe.
 */
final class Reaper {
    private static final int CLD_EXITED = 1;
    private static final long OTHERS_CHILD_NANOS = 1_000_000;

    private final CountDownLatch ready = new CountDownLatch(1);
    private volatile boolean everything;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition spawned = lock.newCondition();
    private final Map<Integer, Consumer<Exit>> watched = new HashMap<>();

    /** How a program ended: exactly one of the two is set. */
    record Exit(int code, int signal) {
        static Exit withCode(int code) {
            return new Exit(code, 0);
        }

        static Exit withSignal(int signal) {
            return new Exit(-1, signal);
        }

        boolean signalled() {
            return signal != 0;
        }
    }

    /**
     * @param adopts whether this process becomes everything's parent; asked on the reaper's thread,
     *     so that binding the C library costs nobody else time
     */
    Reaper(BooleanSupplier adopts) {
        Thread.ofPlatform()
                .daemon()
                .name("reaper")
                .start(() -> {
                    everything = adopts.getAsBoolean();
                    ready.countDown();
                    run();
                });
    }

    /** Starts the program; {@code onExit} runs once on the reaper's thread. */
    Child spawn(Child.Launch launch, String slave, Consumer<Exit> onExit) {
        awaitReady();
        // Held while spawning, so that a child that ends at once is still known when it is found.
        lock.lock();
        try {
            Child child = Child.spawn(launch, slave);
            watched.put(child.pid(), onExit);
            spawned.signalAll();
            return child;
        } finally {
            lock.unlock();
        }
    }

    private void awaitReady() {
        try {
            ready.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void run() {
        while (true) {
            Posix.Waited found = Posix.waitFor(0, true, false);
            if (found.errno() == Posix.ECHILD) {
                awaitSpawn();
            } else if (found.errno() == 0 && found.pid() > 0) {
                bury(found);
            }
        }
    }

    private void awaitSpawn() {
        lock.lock();
        try {
            while (Posix.waitFor(0, false, false).errno() == Posix.ECHILD) {
                spawned.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private void bury(Posix.Waited found) {
        Consumer<Exit> onExit;
        lock.lock();
        try {
            onExit = watched.remove(found.pid());
            if (onExit != null || everything) {
                Posix.waitFor(found.pid(), false, true);
            }
        } finally {
            lock.unlock();
        }
        if (onExit != null) {
            onExit.accept(
                    found.how() == CLD_EXITED
                            ? Exit.withCode(found.status())
                            : Exit.withSignal(found.status()));
        } else if (!everything) {
            LockSupport.parkNanos(OTHERS_CHILD_NANOS);
        }
    }
}

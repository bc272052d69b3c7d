package dev.tandem.hub.sessions;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Stores what must not be lost. While the disk is full it says so once and tries again until there
 * is room; whoever waits for it, and the agent at last, is held back meanwhile.
 */
public final class UntilStored {
    private static final Duration AGAIN = Duration.ofMillis(250);

    private final Runnable tell;
    private volatile boolean told;

    public UntilStored(Runnable tell) {
        this.tell = tell;
    }

    public void run(Runnable work) {
        boolean _ =
                get(() -> {
                    work.run();
                    return true;
                });
    }

    public <T> T get(Supplier<T> work) {
        while (true) {
            try {
                T stored = work.get();
                told = false;
                return stored;
            } catch (TandemException e) {
                if (e.code() != ErrorCode.STORE_FULL || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                tellOnce();
                LockSupport.parkNanos(AGAIN.toNanos());
            }
        }
    }

    private void tellOnce() {
        if (!told) {
            told = true;
            tell.run();
        }
    }
}

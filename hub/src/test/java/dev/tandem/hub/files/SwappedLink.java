package dev.tandem.hub.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A folder in whose place a link is put and taken away again, over and over, by another thread. */
final class SwappedLink {
    private static final int ATTEMPTS = 3_000;
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Path door;
    private final Path outside;
    private final AtomicBoolean stop = new AtomicBoolean();

    SwappedLink(Path door, Path outside) {
        this.door = door;
        this.outside = outside;
    }

    /** What is done to the folder meanwhile. */
    interface Attempt {
        /** True when it was let in, false when it was refused. */
        boolean enters() throws Exception;
    }

    /** Attempts it until it was let in and refused, each at least once, and many times in all. */
    void during(Attempt attempt) throws Exception {
        int entered = 0;
        int refused = 0;
        Thread swapper = Thread.ofPlatform().start(this::swap);
        try {
            // On a busy machine the other thread may not have its turn for a while.
            long until = System.nanoTime() + MOST_NANOS;
            while (entered + refused < ATTEMPTS
                    || ((entered == 0 || refused == 0) && System.nanoTime() < until)) {
                if (attempt.enters()) {
                    entered++;
                } else {
                    refused++;
                }
            }
        } finally {
            stop.set(true);
            swapper.join();
        }
        assertThat(entered).isPositive();
        assertThat(refused).isPositive();
    }

    private void swap() {
        Path aside = door.resolveSibling("aside");
        try {
            while (!stop.get()) {
                Files.move(door, aside);
                Files.createSymbolicLink(door, outside);
                Files.delete(door);
                Files.move(aside, door);
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}

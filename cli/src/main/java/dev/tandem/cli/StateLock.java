package dev.tandem.cli;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * The lock of a state dir, seen from outside: which hub holds it, also when its own file is gone.
 */
final class StateLock {
    /** A slow machine needs seconds to start a hub. */
    private static final Duration START = Duration.ofSeconds(30);

    private final Path file;

    StateLock(Path state) {
        this.file = state.resolve("hub.lock");
    }

    /** The process that holds it; none where nobody does or it cannot be told. */
    OptionalLong holder() {
        try {
            long pid = Long.parseLong(Files.readString(file).strip());
            // Asked first, so that the lock of a hub that starts now is hardly ever in its way.
            return ProcessHandle.of(pid).isPresent() && held()
                    ? OptionalLong.of(pid)
                    : OptionalLong.empty();
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Whether its holder took it just now, and may not have said yet where it listens. */
    boolean isFresh() {
        try {
            Instant taken = Files.getLastModifiedTime(file).toInstant();
            return taken.isAfter(Instant.now().minus(START));
        } catch (IOException e) {
            return false;
        }
    }

    private boolean held() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        }
    }
}

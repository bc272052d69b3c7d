package dev.tandem.hub;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The lock that makes a hub the only one on its state dir. */
final class Instance implements AutoCloseable {
    private final FileChannel channel;
    private final FileLock lock;

    private Instance(FileChannel channel, FileLock lock) {
        this.channel = channel;
        this.lock = lock;
    }

    static Instance claim(StateDir state) throws IOException {
        FileChannel channel =
                FileChannel.open(state.privateFile("hub.lock"), StandardOpenOption.WRITE);
        FileLock lock = tryLock(channel);
        if (lock == null) {
            channel.close();
            throw new StateDir.StateException(runningMessage(state));
        }
        return new Instance(channel, lock);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static String runningMessage(StateDir state) {
        String who = "";
        try {
            JsonNode browse = Json.parse(Files.readString(state.file("browse.json")));
            who =
                    " (process "
                            + browse.path("pid").asInt()
                            + " at http://127.0.0.1:"
                            + browse.path("port").asInt()
                            + ")";
        } catch (IOException | RuntimeException e) {
            // the other hub is just starting; the sentence is true without its number
        }
        return "A hub already runs on the state dir "
                + state.path()
                + who
                + ". Use it, end it with \"tandem stop\", or name another --state-dir.";
    }

    @Override
    public void close() throws IOException {
        lock.release();
        channel.close();
    }
}

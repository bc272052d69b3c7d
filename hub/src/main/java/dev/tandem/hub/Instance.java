package dev.tandem.hub;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** The lock that makes a hub the only one on its state dir. */
final class Instance implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Instance.class);

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
        sign(channel);
        return new Instance(channel, lock);
    }

    /** Says who holds it, for the doctor; a disk that is full is told of elsewhere. */
    private static void sign(FileChannel channel) {
        try {
            byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(US_ASCII);
            channel.truncate(0).write(ByteBuffer.wrap(pid));
        } catch (IOException e) {
            LOG.debug("hub.lock could not be signed", e);
        }
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

package dev.tandem.hub.cli;

import dev.tandem.cli.Invocation;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * What the launcher sends after its request: standard input or keys when they are asked for, and
 * nothing else until it is gone. Only the thread that runs the command calls it.
 */
final class LauncherInput implements Invocation.Stdin {
    /** The launcher counts whole seconds, and a busy machine is late. */
    private static final long GRACE_SECONDS = 30;

    private static final String END = "eof";

    private final InputStream in;
    private final Frames frames;
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private final BlockingQueue<String> keys = new LinkedBlockingQueue<>();
    private boolean watching;

    LauncherInput(InputStream in, Frames frames) {
        this.in = in;
        this.frames = frames;
    }

    /** Completes when the launcher is gone; {@link #watch} must have been called to notice it. */
    CompletableFuture<Void> gone() {
        return gone;
    }

    @Override
    public String readAll() throws IOException {
        frames.askForInput();
        return CommandRequest.readInput(in);
    }

    @Override
    public String key(Duration atMost) {
        if (gone.isDone()) {
            return END;
        }
        watch();
        long seconds = Math.max(1, atMost.toSeconds());
        frames.askForKey((int) seconds);
        try {
            String key = keys.poll(seconds + GRACE_SECONDS, TimeUnit.SECONDS);
            return key == null ? END : key;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return END;
        }
    }

    /** From now on only keys come, and whatever the read ends with, the launcher is gone. */
    void watch() {
        if (watching) {
            return;
        }
        watching = true;
        Thread.startVirtualThread(() -> {
            try {
                while (true) {
                    keys.add(CommandRequest.field(in));
                }
            } catch (IOException | RuntimeException e) {
                // the end, or cut off: the same
            }
            gone.complete(null);
            keys.add(END);
        });
    }
}

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
 * What the launcher sends after its request: standard input, keys and whether it opened a page,
 * when it is asked, and nothing else until it is gone. Only the thread that runs the command calls
 * it.
 */
final class LauncherInput implements Invocation.Stdin {
    /** The launcher counts whole seconds, and a busy machine is late. */
    private static final long GRACE_SECONDS = 30;

    private static final String END = "eof";
    private static final String OPENED = "opened";

    private final InputStream in;
    private final Frames frames;
    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
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
        long seconds = Math.max(1, atMost.toSeconds());
        frames.askForKey((int) seconds);
        return answer(seconds);
    }

    /**
     * Shows a page in the user's browser; false where there is none. The launcher does it, not this
     * hub: what an agent leaves behind comes to the hub, and must not be taken for that browser.
     */
    boolean open(String url) {
        if (gone.isDone()) {
            return false;
        }
        frames.askToOpen(url);
        return answer(0).equals(OPENED);
    }

    private String answer(long seconds) {
        watch();
        try {
            String answer = answers.poll(seconds + GRACE_SECONDS, TimeUnit.SECONDS);
            return answer == null ? END : answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return END;
        }
    }

    /**
     * From now on only short answers come, and whatever the read ends with, the launcher is gone.
     */
    void watch() {
        if (watching) {
            return;
        }
        watching = true;
        Thread.startVirtualThread(() -> {
            try {
                while (true) {
                    answers.add(CommandRequest.field(in));
                }
            } catch (IOException | RuntimeException e) {
                // the end, or cut off: the same
            }
            gone.complete(null);
            answers.add(END);
        });
    }
}

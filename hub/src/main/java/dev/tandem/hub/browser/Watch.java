package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import tools.jackson.databind.node.ObjectNode;

/** What a caller sees of a running call and how it stops it. Any thread may call it. */
public final class Watch {
    /** A caller that neither looks nor stops. */
    public static Watch nobody() {
        return new Watch((step, text) -> {}, event -> {});
    }

    private final BiConsumer<Progress, String> progress;
    private final java.util.function.Consumer<ObjectNode> pending;
    private final Stops stops = new Stops();
    private final long began = System.nanoTime();
    private long waitedNanos;

    /** How far a call is. */
    public record Progress(double done, double total) {}

    /**
     * @param progress told how far the call is
     * @param pending told when a person is being asked
     */
    public Watch(
            BiConsumer<Progress, String> progress,
            java.util.function.Consumer<ObjectNode> pending) {
        this.progress = progress;
        this.pending = pending;
    }

    public void progress(double done, double total, String text) {
        progress.accept(new Progress(done, total), text);
    }

    /** How long ago the call came. */
    long ageMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }

    /** A person is being asked; {@code card} says what the caller should know. */
    public void pending(ObjectNode card) {
        pending.accept(card);
    }

    /** The call stood still that long for a person's answer, which counts for no deadline. */
    public synchronized void waited(long nanos) {
        waitedNanos += nanos;
    }

    synchronized long waitedNanos() {
        return waitedNanos;
    }

    /** Ends the call; what it started in a browser is told to stop. */
    public void cancel() {
        stops.end();
    }

    public boolean cancelled() {
        return stops.over();
    }

    /** Runs when the call is cancelled, at once if it was already. */
    public void onCancel(Runnable stop) {
        stops.add(stop);
    }

    /** Forgets a stop whose work is done. */
    public void done(Runnable stop) {
        stops.remove(stop);
    }

    void throwIfCancelled() {
        if (cancelled()) {
            throw new TandemException(
                    ErrorCode.EXECUTION_FAILED, "The call was cancelled.", "cancelled");
        }
    }
}

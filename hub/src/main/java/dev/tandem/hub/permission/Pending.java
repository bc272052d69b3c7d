package dev.tandem.hub.permission;

import java.util.concurrent.CompletableFuture;

/**
 * An ask without an answer yet: shown as a card, or waiting behind one; guarded by the desk.
 * Whoever draws it himself is told by {@code shown} when his turn has come.
 */
final class Pending {
    final String requestId;
    final Ask ask;
    final long begun;
    final Runnable shown;
    final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    /** The caller gave up waiting and will come back with the same call. */
    boolean abandoned;

    Pending(String requestId, Ask ask, long begun, Runnable shown) {
        this.requestId = requestId;
        this.ask = ask;
        this.begun = begun;
        this.shown = shown;
    }
}

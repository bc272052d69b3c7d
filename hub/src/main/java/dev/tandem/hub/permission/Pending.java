package dev.tandem.hub.permission;

import java.util.concurrent.CompletableFuture;

/** An ask without an answer yet: shown as a card, or waiting behind one; guarded by the desk. */
final class Pending {
    final String requestId;
    final Ask ask;
    final long begun;
    final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    /** The caller gave up waiting and will come back with the same call. */
    boolean abandoned;

    Pending(String requestId, Ask ask, long begun) {
        this.requestId = requestId;
        this.ask = ask;
        this.begun = begun;
    }
}

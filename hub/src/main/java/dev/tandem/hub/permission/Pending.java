package dev.tandem.hub.permission;

import java.util.concurrent.CompletableFuture;

/**
 * An ask without an answer yet: shown as a card, or waiting behind one; guarded by the desk.
 * Whoever draws it himself is told by {@code shown} when his turn has come.
 */
final class Pending {
    final String requestId;
    final Ask ask;

    /** What the desk remembers about the one who asks. */
    final Memory memory;

    final long begun;
    final Runnable shown;
    final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    /** The caller gave up waiting and will come back with the same call. */
    boolean abandoned;

    Pending(String requestId, Ask ask, Memory memory, long begun, Runnable shown) {
        this.requestId = requestId;
        this.ask = ask;
        this.memory = memory;
        this.begun = begun;
        this.shown = shown;
    }

    String key() {
        return ask.who().key();
    }
}

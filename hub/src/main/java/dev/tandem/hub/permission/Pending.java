package dev.tandem.hub.permission;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** An ask without an answer yet: shown as a card, or waiting behind one; guarded by the desk. */
final class Pending {
    final String requestId;
    final Ask ask;

    /** What the desk remembers about the one who asks. */
    final Memory memory;

    final long begun;
    final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    /** What the calls wait for that share it, and whom to tell when the person looks at it. */
    private final IdentityHashMap<CompletableFuture<Outcome>, Consumer<Card>> waiters =
            new IdentityHashMap<>();

    /** A caller gave up waiting and will come back with the same call. */
    boolean abandoned;

    Pending(String requestId, Ask ask, Memory memory, long begun) {
        this.requestId = requestId;
        this.ask = ask;
        this.memory = memory;
        this.begun = begun;
    }

    String key() {
        return ask.who().key();
    }

    /**
     * One more call that waits.
     *
     * @param shown is told when the person looks at it
     */
    CompletableFuture<Outcome> join(Consumer<Card> shown) {
        CompletableFuture<Outcome> own = outcome.copy();
        waiters.put(own, shown);
        return own;
    }

    /** That call waits no more; false when it did not. */
    boolean part(CompletableFuture<Outcome> own) {
        return waiters.remove(own) != null;
    }

    /** Whether somebody waits for the answer, or will come back for it. */
    boolean needed() {
        return abandoned || !waiters.isEmpty();
    }

    List<Consumer<Card>> viewers() {
        return List.copyOf(waiters.values());
    }
}

package dev.tandem.hub.ops;

import dev.tandem.hub.browser.OpsLane;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Runs the requests of one connection, each on a virtual thread that may block: those that mean one
 * target one after the other, those of different targets beside each other. Any thread may call it.
 */
final class Lanes {
    private static final String ALL = "";

    /** By queue and target, the end of the last request there; what is over is not kept. */
    private final Map<String, Map<String, CompletableFuture<Void>>> last = new HashMap<>();

    void submit(OpsLane lane, Runnable work) {
        if (lane.isFree()) {
            Thread.startVirtualThread(work);
        } else {
            enqueue(lane, work);
        }
    }

    private synchronized void enqueue(OpsLane lane, Runnable work) {
        Map<String, CompletableFuture<Void>> ends =
                last.computeIfAbsent(lane.queue(), name -> new HashMap<>());
        // What is active may be another target when its turn comes.
        boolean known = lane.named() || !ends.containsKey(ALL);
        String target = known ? lane.target() : ALL;
        List<CompletableFuture<Void>> before =
                target.equals(ALL)
                        ? List.copyOf(ends.values())
                        : Stream.of(ALL, target)
                                .flatMap(name -> Optional.ofNullable(ends.get(name)).stream())
                                .toList();
        if (target.equals(ALL)) {
            ends.clear();
        }
        CompletableFuture<Void> end = new CompletableFuture<>();
        ends.put(target, end);
        var _ =
                CompletableFuture.allOf(before.toArray(CompletableFuture[]::new))
                        .thenRunAsync(work, Thread::startVirtualThread)
                        .whenComplete((_, _) -> {
                            leave(lane.queue(), target, end);
                            end.complete(null);
                        });
    }

    private synchronized void leave(String queue, String target, CompletableFuture<Void> end) {
        Map<String, CompletableFuture<Void>> ends = last.get(queue);
        if (ends != null && ends.remove(target, end) && ends.isEmpty()) {
            last.remove(queue);
        }
    }

    /** How many queues hold a request. */
    synchronized int busy() {
        return last.size();
    }
}

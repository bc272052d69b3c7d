package dev.tandem.hub.sessions;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What happens in a session right now: new entries in order, and the deltas of the running turn.
 * Deltas are kept in a ring until their entry is stored, so that a viewer who comes late or back
 * misses nothing and sees nothing twice. Any thread may call it; viewers must not block.
 */
public final class SessionFeed {
    private static final int RING = 20_000;

    private final LongFunction<List<Entry>> stored;
    private final CopyOnWriteArrayList<Watch> watches = new CopyOnWriteArrayList<>();
    private final ArrayDeque<Delta> ring = new ArrayDeque<>();
    private long announced;
    private long deltas;

    SessionFeed(LongFunction<List<Entry>> stored, long announced, Clock clock) {
        this.stored = stored;
        this.announced = announced;
        // Entries keep the number of their last delta, so numbers must rise over restarts, too.
        this.deltas = clock.millis() * 1000;
    }

    /**
     * A viewer, and the last entry it was shown from the store: stored may be ahead of announced.
     */
    private record Watch(Viewer viewer, long shown) {}

    /**
     * A live piece of the running turn, not durable by itself.
     *
     * @param block the message or tool call it belongs to: the entry that will hold it has this as
     *     {@code messageId} or {@code toolCallId}; empty for news that no entry will hold
     * @param update what the agent sent, unchanged
     */
    public record Delta(long ring, String block, ObjectNode update) {}

    /** Someone who watches. */
    public interface Viewer {
        void onEntry(Entry entry);

        void onDelta(Delta delta);

        /** The session was deleted. */
        default void onEnd() {}
    }

    /**
     * Shows everything after {@code seq}, then the deltas after {@code ringSeen} whose text no
     * entry holds yet, then what comes. The answer ends the watch.
     */
    public AutoCloseable follow(long seq, long ringSeen, Viewer viewer) {
        long shown = seq;
        Map<String, Long> held = new HashMap<>();
        while (true) {
            List<Entry> page = stored.apply(shown);
            for (Entry entry : page) {
                viewer.onEntry(entry);
                shown = entry.seq();
                block(entry).ifPresent(block -> held.put(block, lastRing(entry)));
            }
            synchronized (this) {
                if (announced <= shown) {
                    for (Delta delta : ring) {
                        if (delta.ring > Math.max(ringSeen, held.getOrDefault(delta.block, 0L))) {
                            viewer.onDelta(delta);
                        }
                    }
                    Watch watch = new Watch(viewer, shown);
                    watches.add(watch);
                    return () -> watches.remove(watch);
                }
            }
        }
    }

    /** Publishes a delta that an entry will hold later; answers its number. */
    public synchronized long publish(String block, ObjectNode update) {
        Delta delta = new Delta(++deltas, block, update);
        if (!block.isEmpty()) {
            if (ring.size() == RING) {
                ring.removeFirst();
            }
            ring.addLast(delta);
        }
        for (Watch watch : watches) {
            watch.viewer.onDelta(delta);
        }
        return delta.ring;
    }

    /** Publishes news for those who watch now; nothing of it is kept. */
    public void publish(ObjectNode news) {
        publish("", news);
    }

    private static Optional<String> block(Entry entry) {
        return entry.body().has("ring")
                ? entry.text("messageId").or(() -> entry.text("toolCallId"))
                : Optional.empty();
    }

    private static long lastRing(Entry entry) {
        JsonNode ring = entry.body().path("ring");
        return ring.isIntegralNumber() ? ring.longValue() : 0;
    }

    private void settle(Entry entry) {
        Optional<String> block = block(entry);
        if (block.isPresent()) {
            long last = lastRing(entry);
            ring.removeIf(delta -> delta.ring <= last && delta.block.equals(block.get()));
        }
    }

    /** The number of the last delta. */
    public synchronized long ringPosition() {
        return deltas;
    }

    public int viewers() {
        return watches.size();
    }

    /**
     * Tells viewers of a stored entry. Writers may get here out of order; whatever is stored up to
     * this entry is told first, so that everybody sees the order of the log.
     */
    synchronized void announce(Entry entry) {
        while (announced < entry.seq()) {
            List<Entry> next =
                    entry.seq() == announced + 1 ? List.of(entry) : stored.apply(announced);
            for (Entry one : next) {
                for (Watch watch : watches) {
                    if (one.seq() > watch.shown) {
                        watch.viewer.onEntry(one);
                    }
                }
                settle(one);
                announced = one.seq();
            }
        }
    }

    synchronized void close() {
        watches.forEach(watch -> watch.viewer.onEnd());
        watches.clear();
    }
}

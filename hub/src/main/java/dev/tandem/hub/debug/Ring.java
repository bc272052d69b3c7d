package dev.tandem.hub.debug;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * The latest entries of a stream. Readers come for what they have not seen; a slow one is told of
 * its gap and holds nobody up. Thread-safe.
 */
final class Ring {
    private final int kept;
    private final long before;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private long last;
    private boolean closed;

    /** One entry, and whose it is. */
    record Entry(long id, String owner, ObjectNode json) {}

    /**
     * What a reader has not seen.
     *
     * @param lost the first id that is still kept, if earlier ones were missed
     * @param position where to go on
     */
    record Batch(List<Entry> entries, Optional<Long> lost, long position) {}

    Ring(int kept, Clock clock) {
        this.kept = kept;
        // Numbers go on over a restart of the hub, so that a reader never takes new for seen.
        this.before = clock.millis() * 1000;
        this.last = before;
    }

    synchronized void add(String owner, ObjectNode json) {
        last++;
        json.put("id", last);
        entries.addLast(new Entry(last, owner, json));
        if (entries.size() > kept) {
            entries.removeFirst();
        }
        notifyAll();
    }

    /** Entries after that one; waits for the first of them, but no longer than said. */
    synchronized Batch after(long seen, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (last <= seen && !closed) {
            long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        List<Entry> fresh = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.id > seen) {
                fresh.add(entry);
            }
        }
        boolean gap = seen > 0 && !fresh.isEmpty() && fresh.getFirst().id > seen + 1;
        return new Batch(
                fresh,
                gap ? Optional.of(fresh.getFirst().id) : Optional.empty(),
                Math.max(last, seen));
    }

    /** Everything that is kept. */
    synchronized List<Entry> all() {
        return List.copyOf(entries);
    }

    /** Where somebody begins who wants nothing of the past. */
    synchronized long position() {
        return last;
    }

    /** How many there were since the hub began. */
    synchronized long total() {
        return last - before;
    }

    synchronized boolean closed() {
        return closed;
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }
}

package dev.tandem.hub.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows of one table, written behind whoever adds them, many at once. What cannot be written is said
 * in the log. Any thread may call it; only {@link #flush} waits.
 */
public final class RowsBehind implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RowsBehind.class);

    private final Database database;
    private final String what;
    private final String insert;
    private final LinkedBlockingQueue<@Nullable Object[]> queue = new LinkedBlockingQueue<>();
    private final Semaphore news = new Semaphore(0);
    private volatile boolean closed;

    /**
     * @param what the rows, as the log calls them
     * @param insert the statement that writes one
     */
    public RowsBehind(Database database, String what, String insert) {
        this.database = database;
        this.what = what;
        this.insert = insert;
        Thread.ofVirtual().name(what).start(this::write);
    }

    public void add(@Nullable Object... row) {
        queue.add(row);
        news.release();
    }

    /** Returns when everything that was added before is written. */
    public synchronized void flush() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        queue.drainTo(rows);
        if (rows.isEmpty()) {
            return;
        }
        try {
            database.write(sql -> {
                sql.batch(insert, rows);
                return rows.size();
            });
        } catch (RuntimeException e) {
            LOG.error("{} {} were not written: {}", rows.size(), what, e.getMessage());
        }
    }

    private void write() {
        while (!closed) {
            news.acquireUninterruptibly();
            news.drainPermits();
            flush();
        }
    }

    @Override
    public void close() {
        closed = true;
        news.release();
        flush();
    }
}

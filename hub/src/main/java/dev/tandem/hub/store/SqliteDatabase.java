package dev.tandem.hub.store;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.sqlite.SQLiteException;

/**
 * SQLite in one file. One writer thread commits what has gathered in one go: durable writes cost
 * one fsync per batch, not one each. Readers take a connection of their own.
 */
final class SqliteDatabase implements Database {
    private static final int READERS = 4;
    private static final int BATCH = 256;
    private static final int FULL = 13;
    private static final int IO_ERROR = 10;
    private static final long ROOM_TO_WORK_BYTES = 64 * 1024;

    private final Path file;
    private final BlockingQueue<Write<?>> writes = new LinkedBlockingQueue<>(10_000);
    private final BlockingQueue<Connection> readers = new ArrayBlockingQueue<>(READERS);
    private final Connection writer;
    private final Thread thread;
    private volatile boolean closed;

    SqliteDatabase(Path file) {
        this.file = file;
        this.writer = connect();
        manualCommit(writer);
        for (int i = 0; i < READERS; i++) {
            readers.add(connect());
        }
        this.thread = Thread.ofPlatform().name("store-writer").daemon().start(this::writeLoop);
    }

    @Override
    public String name() {
        return "SQLite";
    }

    @Override
    public <T> T read(Work<T> work) {
        Connection connection = take();
        try {
            return work.run(new Sql(connection));
        } catch (SQLException e) {
            throw failed(e);
        } finally {
            readers.add(connection);
        }
    }

    @Override
    public <T> T write(Work<T> work) {
        Write<T> write = new Write<>(work, new CompletableFuture<>());
        try {
            if (closed) {
                throw new StoreException("The store is closed.", new IllegalStateException());
            }
            writes.put(write);
            return write.result.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("Interrupted while waiting for the store.", e);
        } catch (CompletionException e) {
            if (e.getCause() instanceof SQLException sql) {
                throw failed(sql);
            }
            if (e.getCause() instanceof RuntimeException runtime) {
                throw runtime;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        thread.interrupt();
        try {
            thread.join(2_000);
            writer.close();
            for (Connection reader : readers) {
                reader.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private void writeLoop() {
        List<Write<?>> batch = new ArrayList<>();
        while (!closed || !writes.isEmpty()) {
            try {
                batch.clear();
                Write<?> first = closed ? writes.poll() : writes.take();
                if (first == null) {
                    return;
                }
                batch.add(first);
                writes.drainTo(batch, BATCH - 1);
                commit(batch);
            } catch (InterruptedException e) {
                // close() asks us to write what is queued and end
            }
        }
    }

    private void commit(List<Write<?>> batch) {
        List<Runnable> done = new ArrayList<>();
        try {
            for (Write<?> write : batch) {
                done.add(run(write));
            }
            writer.commit();
            done.forEach(Runnable::run);
        } catch (SQLException e) {
            startOver(e);
            if (batch.size() == 1) {
                batch.getFirst().result.completeExceptionally(e);
            } else {
                // What did not fit took the others with it.
                batch.forEach(write -> commit(List.of(write)));
            }
        }
    }

    /** After a full disk no transaction is open, and only a new one lets the next write in. */
    private void startOver(SQLException cause) {
        try {
            writer.rollback();
        } catch (SQLException noneOpen) {
            cause.addSuppressed(noneOpen);
            try {
                writer.setAutoCommit(true);
            } catch (SQLException nothingToCommit) {
                cause.addSuppressed(nothingToCommit);
            }
            manualCommit(writer);
        }
    }

    private <T> Runnable run(Write<T> write) throws SQLException {
        Savepoint before = writer.setSavepoint();
        try {
            T value = write.work.run(new Sql(writer));
            writer.releaseSavepoint(before);
            return () -> write.result.complete(value);
        } catch (SQLException | RuntimeException e) {
            undo(before, e);
            return () -> write.result.completeExceptionally(e);
        }
    }

    /** A full disk ends the whole transaction by itself; then the savepoint is gone, too. */
    private void undo(Savepoint before, Exception cause) throws SQLException {
        try {
            writer.rollback(before);
        } catch (SQLException gone) {
            if (cause instanceof SQLException first) {
                first.addSuppressed(gone);
                throw first;
            }
            throw gone;
        }
    }

    private Connection take() {
        try {
            return readers.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("Interrupted while waiting for the store.", e);
        }
    }

    private Connection connect() {
        try {
            Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
            try (var statement = connection.createStatement()) {
                statement.execute("PRAGMA journal_mode=WAL");
                statement.execute("PRAGMA synchronous=FULL");
                statement.execute("PRAGMA foreign_keys=ON");
                statement.execute("PRAGMA busy_timeout=5000");
            }
            return connection;
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private void manualCommit(Connection connection) {
        try {
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private RuntimeException failed(SQLException e) {
        if (isFull(e)) {
            return new TandemException(
                    ErrorCode.STORE_FULL,
                    "The disk that holds "
                            + file
                            + " is full. Nothing of this was stored; free some space and try again.");
        }
        return new StoreException("The store " + file + " answered: " + e.getMessage(), e);
    }

    private boolean isFull(SQLException e) {
        if (!(e instanceof SQLiteException sqlite)) {
            return false;
        }
        int code = sqlite.getResultCode().code & 0xff;
        return code == FULL
                || (code == IO_ERROR && file.toFile().getUsableSpace() < ROOM_TO_WORK_BYTES);
    }

    private record Write<T>(Work<T> work, CompletableFuture<T> result) {}
}

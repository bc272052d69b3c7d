package dev.tandem.hub.store;

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

/**
 * SQLite in one file. One writer thread commits what has gathered in one go: durable writes cost
 * one fsync per batch, not one each. Readers take a connection of their own.
 */
final class SqliteDatabase implements Database {
    private static final int READERS = 4;
    private static final int BATCH = 256;

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
            try {
                writer.rollback();
            } catch (SQLException rollback) {
                e.addSuppressed(rollback);
            }
            batch.forEach(write -> write.result.completeExceptionally(e));
        }
    }

    private <T> Runnable run(Write<T> write) throws SQLException {
        Savepoint before = writer.setSavepoint();
        try {
            T value = write.work.run(new Sql(writer));
            writer.releaseSavepoint(before);
            return () -> write.result.complete(value);
        } catch (SQLException | RuntimeException e) {
            writer.rollback(before);
            return () -> write.result.completeExceptionally(e);
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

    private StoreException failed(SQLException e) {
        return new StoreException("The store " + file + " answered: " + e.getMessage(), e);
    }

    private record Write<T>(Work<T> work, CompletableFuture<T> result) {}
}

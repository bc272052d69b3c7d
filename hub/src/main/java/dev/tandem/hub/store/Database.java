package dev.tandem.hub.store;

/** Where the hub remembers things. Any thread may call it; calls block until done. */
public interface Database extends AutoCloseable {

    /**
     * Work on one connection. It does nothing else: where what was written together with it did not
     * fit, it is run again.
     */
    interface Work<T> {
        T run(Sql sql) throws java.sql.SQLException;
    }

    /** Runs work that only reads. */
    <T> T read(Work<T> work);

    /** Runs work in a transaction; when this returns, the change is durable. */
    <T> T write(Work<T> work);

    /** The words people know it by: "SQLite" or "PostgreSQL". */
    String name();

    @Override
    void close();

    /** True when a failure means that the file's content is damaged, not that it is in use. */
    static boolean isCorrupt(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof org.sqlite.SQLiteException e) {
                int code = e.getResultCode().code & 0xff;
                return code == 11 || code == 26;
            }
        }
        return false;
    }

    /** Opens the database a user named, or SQLite in the given file when the address is empty. */
    static Database open(String address, java.nio.file.Path sqliteFile) {
        Database database =
                address.isEmpty() ? new SqliteDatabase(sqliteFile) : new PostgresDatabase(address);
        try {
            Migrations.run(database);
            return database;
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }
}

package dev.tandem.hub.store;

/** Lets a SQLite store believe that its disk is full, as far as its file would have to grow. */
public final class FullDisk {
    private FullDisk() {}

    public static void fill(Database store) {
        limit(store, 1);
    }

    public static void free(Database store) {
        limit(store, 1_000_000_000);
    }

    /** A limit below the file's size is taken as its size. */
    private static void limit(Database store, int pages) {
        store.write(sql -> sql.query("PRAGMA max_page_count = " + pages, row -> row.getLong(1)));
    }
}

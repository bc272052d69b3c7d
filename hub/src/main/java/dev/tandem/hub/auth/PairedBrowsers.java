package dev.tandem.hub.auth;

import dev.tandem.hub.store.Database;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Browsers that were paired: their names and the keys by which the hub proves itself to them. */
public final class PairedBrowsers {
    private final Database database;
    private final Clock clock;
    private final Map<String, Long> called = new ConcurrentHashMap<>();
    private volatile long strangerAt;

    public PairedBrowsers(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Remembers a browser and answers its new key, 32 bytes in hex. */
    public String pair(String browserId, String name) {
        String key = Secrets.hex(32);
        database.write(sql ->
                sql.update(
                        "INSERT INTO browsers(browser_id, name, hub_key, created_at) VALUES"
                                + " (?, ?, ?, ?) ON CONFLICT(browser_id) DO UPDATE SET"
                                + " name = excluded.name, hub_key = excluded.hub_key,"
                                + " created_at = excluded.created_at",
                        browserId,
                        name,
                        key,
                        clock.millis()));
        return key;
    }

    /** The key of a browser that looks for its hub; remembers that it did. */
    public Optional<String> key(String browserId) {
        Optional<String> key =
                database.read(sql ->
                        sql.first(
                                "SELECT hub_key FROM browsers WHERE browser_id = ?",
                                row -> row.getString(1),
                                browserId));
        if (key.isPresent()) {
            called.put(browserId, clock.millis());
        } else {
            strangerAt = clock.millis();
        }
        return key;
    }

    /**
     * A browser that was paired once.
     *
     * @param pairedAt when that was, the last time
     * @param calledAt when it last looked for this run of the hub; 0 for never
     */
    public record Known(String browserId, String name, long pairedAt, long calledAt) {}

    public List<Known> list() {
        return database.read(sql ->
                sql.query(
                        "SELECT browser_id, name, created_at FROM browsers ORDER BY created_at",
                        row ->
                                new Known(
                                        row.getString(1),
                                        row.getString(2),
                                        row.getLong(3),
                                        called.getOrDefault(row.getString(1), 0L))));
    }

    /** When a browser last looked for a hub that this one is not; 0 for never. */
    public long strangerAt() {
        return strangerAt;
    }
}

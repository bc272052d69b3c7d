package dev.tandem.hub.auth;

import dev.tandem.hub.store.Database;
import java.time.Clock;
import java.util.Optional;

/** Browsers that were paired: their names and the keys by which the hub proves itself to them. */
public final class PairedBrowsers {
    private final Database database;
    private final Clock clock;

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
                                + " name = excluded.name, hub_key = excluded.hub_key",
                        browserId,
                        name,
                        key,
                        clock.millis()));
        return key;
    }

    public Optional<String> key(String browserId) {
        return database.read(sql ->
                sql.first(
                        "SELECT hub_key FROM browsers WHERE browser_id = ?",
                        row -> row.getString(1),
                        browserId));
    }
}

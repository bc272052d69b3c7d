package dev.tandem.hub.auth;

import dev.tandem.hub.store.Database;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which web origins may speak to the hub: the pinned extension, the hub itself, and those the user
 * added.
 */
public final class Origins {
    private final Database database;
    private final String extensionOrigin;
    private final Set<String> added = ConcurrentHashMap.newKeySet();

    public Origins(Database database, String extensionId) {
        this.database = database;
        this.extensionOrigin = "chrome-extension://" + extensionId;
        added.addAll(
                database.read(sql ->
                        sql.query("SELECT origin FROM allowed_origins", row -> row.getString(1))));
    }

    public String extensionOrigin() {
        return extensionOrigin;
    }

    public boolean isExtension(String origin) {
        return extensionOrigin.equals(origin);
    }

    /** True for origins the user added by hand; never for {@code null} or a pattern. */
    public boolean isAdded(String origin) {
        return added.contains(origin);
    }

    public List<String> list() {
        return added.stream().sorted().toList();
    }

    /** Adds an origin; answers false when it was there already. */
    public boolean add(String origin) {
        if (!origin.matches("(https?|chrome-extension|moz-extension)://[a-zA-Z0-9.\\-\\[\\]:]+")) {
            throw new IllegalArgumentException(
                    "\""
                            + origin
                            + "\" is not an origin. Write scheme://host[:port], for example"
                            + " http://localhost:5173.");
        }
        database.write(sql ->
                sql.update(
                        "INSERT INTO allowed_origins(origin, created_at) VALUES (?, ?)"
                                + " ON CONFLICT DO NOTHING",
                        origin,
                        System.currentTimeMillis()));
        return added.add(origin);
    }

    public boolean remove(String origin) {
        database.write(sql -> sql.update("DELETE FROM allowed_origins WHERE origin = ?", origin));
        return added.remove(origin);
    }
}

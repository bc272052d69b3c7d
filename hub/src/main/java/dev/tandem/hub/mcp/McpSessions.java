package dev.tandem.hub.mcp;

import dev.tandem.hub.auth.Secrets;
import dev.tandem.hub.store.Database;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;

/**
 * Session ids that need no memory: signed, with their version inside, so that they outlive the hub.
 * Only ended ones are remembered.
 */
public final class McpSessions {
    private static final int REMEMBERED = 20_000;

    private final String key;
    private final Database database;
    private final Set<String> ended = ConcurrentHashMap.newKeySet();

    /**
     * @param key 32 bytes in hex, the same at every start
     */
    public McpSessions(String key, Database database) {
        this.key = key;
        this.database = database;
        database.write(sql ->
                sql.update(
                        "DELETE FROM ended_mcp_sessions WHERE id NOT IN (SELECT id FROM"
                                + " ended_mcp_sessions ORDER BY ended_at DESC LIMIT ?)",
                        REMEMBERED));
        ended.addAll(
                database.read(sql ->
                        sql.query("SELECT id FROM ended_mcp_sessions", row -> row.getString(1))));
    }

    String begin(String version, long now) {
        String facts = Long.toString(now, 36) + "." + version + "." + Secrets.hex(16);
        return facts + "." + Secrets.hmac(key, facts);
    }

    /** The version negotiated at the beginning; none for a forged or ended id. */
    Optional<String> version(String id) {
        int dot = id.lastIndexOf('.');
        if (dot < 0 || ended.contains(id)) {
            return Optional.empty();
        }
        String facts = id.substring(0, dot);
        if (!Secrets.same(Secrets.hmac(key, facts), id.substring(dot + 1))) {
            return Optional.empty();
        }
        String[] parts = facts.split("\\.", -1);
        return parts.length == 3 ? Optional.of(parts[1]) : Optional.empty();
    }

    /** Ends a session; false when there was none. */
    boolean end(String id, long now) {
        if (version(id).isEmpty() || !ended.add(id)) {
            return false;
        }
        database.write(sql ->
                sql.update(
                        "INSERT INTO ended_mcp_sessions(id, ended_at) VALUES (?, ?)"
                                + " ON CONFLICT DO NOTHING",
                        id,
                        now));
        return true;
    }

    static Optional<JsonNode> id(JsonNode message) {
        return Optional.ofNullable(message.get("id"))
                .filter(id -> id.isString() || id.isIntegralNumber());
    }
}

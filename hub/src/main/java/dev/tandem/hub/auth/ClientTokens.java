package dev.tandem.hub.auth;

import dev.tandem.hub.store.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Tokens the user makes for programs, each with a name, a tool profile and a mode; revocable. */
public final class ClientTokens {
    private final Database database;
    private final Clock clock;
    private final Map<String, Caller> known = new ConcurrentHashMap<>();
    private final List<Consumer<String>> onRevoked = new CopyOnWriteArrayList<>();
    private final List<Consumer<String>> onNarrowed = new CopyOnWriteArrayList<>();

    public ClientTokens(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Tells the id of every token that is ended from now on. */
    public void onRevoked(Consumer<String> listener) {
        onRevoked.add(listener);
    }

    /** Tells the id of every token that may do less from now on. */
    public void onNarrowed(Consumer<String> listener) {
        onNarrowed.add(listener);
    }

    /** A token as listed: everything but the secret. */
    public record Entry(String id, String name, String profile, String mode, long createdAt) {}

    /** Makes a token; the answer is the only time its value is seen. */
    public String add(String name, String profile, Caller.Mode mode) {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9 ._-]{0,59}")) {
            throw new IllegalArgumentException(
                    "A token's name has 1 to 60 letters, digits, spaces, dots, dashes or"
                            + " underscores, and starts with a letter or digit.");
        }
        if (list().stream().anyMatch(entry -> entry.name.equals(name))) {
            throw new IllegalArgumentException(
                    "There is a token named \""
                            + name
                            + "\" already. Revoke it first (tandem token revoke), or choose another"
                            + " name.");
        }
        String token = Secrets.token("tdc_");
        database.write(sql ->
                sql.update(
                        "INSERT INTO client_tokens(id, name, token_hash, profile, mode,"
                                + " created_at) VALUES (?, ?, ?, ?, ?, ?)",
                        "client-" + UUID.randomUUID(),
                        name,
                        Secrets.sha256(token),
                        profile,
                        mode.word(),
                        clock.millis()));
        return token;
    }

    public List<Entry> list() {
        return database.read(sql ->
                sql.query(
                        "SELECT id, name, profile, mode, created_at FROM client_tokens"
                                + " ORDER BY created_at",
                        row ->
                                new Entry(
                                        row.getString(1),
                                        row.getString(2),
                                        row.getString(3),
                                        row.getString(4),
                                        row.getLong(5))));
    }

    /** Takes act mode from a token; false when it did not have it. */
    public boolean askFirst(String name) {
        int changed =
                database.write(sql ->
                        sql.update(
                                "UPDATE client_tokens SET mode = ? WHERE name = ? AND mode = ?",
                                Caller.Mode.ASK.word(),
                                name,
                                Caller.Mode.ACT.word()));
        known.clear();
        if (changed > 0) {
            tell(onNarrowed, name);
        }
        return changed > 0;
    }

    private void tell(List<Consumer<String>> listeners, String name) {
        list().stream()
                .filter(entry -> entry.name.equals(name))
                .forEach(entry -> listeners.forEach(listener -> listener.accept(entry.id)));
    }

    /** Ends a token by name; answers its id, or none when there was no such token. */
    public Optional<String> revoke(String name) {
        Optional<String> id =
                list().stream().filter(entry -> entry.name.equals(name)).map(Entry::id).findFirst();
        database.write(sql -> sql.update("DELETE FROM client_tokens WHERE name = ?", name));
        known.clear();
        id.ifPresent(gone -> onRevoked.forEach(listener -> listener.accept(gone)));
        return id;
    }

    public Optional<Caller> caller(String token) {
        if (!token.startsWith("tdc_")) {
            return Optional.empty();
        }
        // Found and kept in one step: what ends meanwhile is not remembered after its end.
        return Optional.ofNullable(
                known.computeIfAbsent(Secrets.sha256(token), hash -> find(hash).orElse(null)));
    }

    private Optional<Caller> find(String hash) {
        return database.read(sql ->
                sql.first(
                        "SELECT id, name, profile, mode FROM client_tokens WHERE token_hash = ?",
                        ClientTokens::caller,
                        hash));
    }

    private static Caller caller(ResultSet row) throws SQLException {
        return new Caller(
                TokenKind.CLIENT,
                row.getString(1),
                row.getString(2),
                row.getString(3),
                Caller.Mode.of(row.getString(4)).orElse(Caller.Mode.READ_ONLY),
                Optional.empty());
    }
}

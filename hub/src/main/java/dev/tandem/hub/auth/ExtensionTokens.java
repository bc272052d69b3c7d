package dev.tandem.hub.auth;

import dev.tandem.hub.store.Database;
import dev.tandem.hub.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Token pairs of paired browsers and of web pages on other devices: access for 15 minutes, refresh
 * for 30 days, both new at each refresh. A refresh token used again after ten seconds means a copy
 * exists: the session ends.
 */
public final class ExtensionTokens {
    public static final Duration ACCESS_LIFE = Duration.ofMinutes(15);
    public static final Duration REFRESH_LIFE = Duration.ofDays(30);
    public static final Duration REUSE_GRACE = Duration.ofSeconds(10);

    private static final String EXTENSION_PREFIX = "tde_";
    private static final String DEVICE_PREFIX = "tdd_";

    private final Database database;
    private final Clock clock;
    private final Map<String, Access> known = new ConcurrentHashMap<>();
    private final List<Consumer<String>> onRevoked = new CopyOnWriteArrayList<>();

    public ExtensionTokens(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** What a browser gets. */
    public record Pair(String sessionId, String access, String refresh, long expiresAt) {}

    /** One paired browser's login. */
    public record Session(
            String id,
            String browserId,
            String deviceName,
            long createdAt,
            long refreshExpiresAt) {}

    private record Access(Caller caller, long expiresAt) {}

    /** The first pair of a browser with the extension. */
    public Pair create(String browserId, String deviceName) {
        return create(TokenKind.EXTENSION, browserId, deviceName);
    }

    /** The first pair of a web page on some device. */
    public Pair createDevice(String deviceId, String deviceName) {
        return create(TokenKind.DEVICE, deviceId, deviceName);
    }

    private Pair create(TokenKind kind, String browserId, String deviceName) {
        String id = UUID.randomUUID().toString();
        Pair pair = fresh(id, kind.word());
        database.write(sql ->
                sql.update(
                        "INSERT INTO extension_sessions(id, kind, browser_id, device_name,"
                                + " access_hash, access_expires_at, refresh_hash,"
                                + " refresh_expires_at, created_at)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        id,
                        kind.word(),
                        browserId,
                        deviceName,
                        Secrets.sha256(pair.access),
                        pair.expiresAt,
                        Secrets.sha256(pair.refresh),
                        clock.millis() + REFRESH_LIFE.toMillis(),
                        clock.millis()));
        return pair;
    }

    /** Tells the id of every pairing that is ended from now on. */
    public void onRevoked(Consumer<String> listener) {
        onRevoked.add(listener);
    }

    /** The caller behind an access token, or none when unknown, expired or revoked. */
    public Optional<Caller> caller(String token) {
        if (!token.startsWith(EXTENSION_PREFIX) && !token.startsWith(DEVICE_PREFIX)) {
            return Optional.empty();
        }
        String hash = Secrets.sha256(token);
        // Found and kept in one step: what ends meanwhile is not remembered after its end.
        Access access = known.computeIfAbsent(hash, missing -> find(missing).orElse(null));
        if (access == null) {
            return Optional.empty();
        }
        if (access.expiresAt < clock.millis()) {
            known.remove(hash);
            return Optional.empty();
        }
        return Optional.of(access.caller);
    }

    private Optional<Access> find(String hash) {
        return database.read(sql ->
                sql.first(
                        "SELECT id, device_name, access_expires_at, kind FROM extension_sessions"
                                + " WHERE access_hash = ? AND revoked_at IS NULL",
                        ExtensionTokens::access,
                        hash));
    }

    /** The browser that an access token was made for, also where it is no longer valid. */
    public Optional<String> browserOf(String token) {
        return database.read(sql ->
                sql.first(
                        "SELECT browser_id FROM extension_sessions WHERE access_hash = ?",
                        row -> row.getString(1),
                        Secrets.sha256(token)));
    }

    /** Exchanges a refresh token for a new pair; none when it is not valid (any more). */
    public Optional<Pair> refresh(String token) {
        String hash = Secrets.sha256(token);
        long now = clock.millis();
        List<String> ended = new ArrayList<>();
        Optional<Pair> pair = database.write(sql -> rotate(sql, hash, now, ended));
        known.clear();
        ended.forEach(this::tellRevoked);
        return pair;
    }

    private Optional<Pair> rotate(Sql sql, String hash, long now, List<String> ended)
            throws SQLException {
        Optional<Stored> found =
                sql.first(
                        "SELECT id, refresh_hash, refresh_expires_at, previous_until, kind FROM"
                                + " extension_sessions WHERE (refresh_hash = ? OR"
                                + " previous_refresh_hash = ?) AND revoked_at IS NULL",
                        Stored::read,
                        hash,
                        hash);
        if (found.isEmpty() || found.get().refreshExpiresAt < now) {
            return Optional.empty();
        }
        Stored stored = found.get();
        boolean current = stored.refreshHash.equals(hash);
        if (!current && stored.previousUntil < now) {
            sql.update("UPDATE extension_sessions SET revoked_at = ? WHERE id = ?", now, stored.id);
            ended.add(stored.id);
            return Optional.empty();
        }
        Pair pair = fresh(stored.id, stored.kind);
        sql.update(
                "UPDATE extension_sessions SET access_hash = ?, access_expires_at = ?,"
                        + " refresh_hash = ?, refresh_expires_at = ?, previous_refresh_hash = ?,"
                        + " previous_until = ? WHERE id = ?",
                Secrets.sha256(pair.access),
                pair.expiresAt,
                Secrets.sha256(pair.refresh),
                now + REFRESH_LIFE.toMillis(),
                hash,
                current ? now + REUSE_GRACE.toMillis() : stored.previousUntil,
                stored.id);
        return Optional.of(pair);
    }

    /** The browsers whose pairing holds, by id. */
    public List<String> browsers() {
        return database.read(sql ->
                sql.query(
                        "SELECT DISTINCT browser_id FROM extension_sessions WHERE kind = ? AND"
                                + " revoked_at IS NULL AND refresh_expires_at > ?",
                        row -> row.getString(1),
                        TokenKind.EXTENSION.word(),
                        clock.millis()));
    }

    public List<Session> list() {
        return database.read(sql ->
                sql.query(
                        "SELECT id, browser_id, device_name, created_at, refresh_expires_at"
                                + " FROM extension_sessions WHERE revoked_at IS NULL AND"
                                + " refresh_expires_at > ? ORDER BY created_at",
                        row ->
                                new Session(
                                        row.getString(1),
                                        row.getString(2),
                                        row.getString(3),
                                        row.getLong(4),
                                        row.getLong(5)),
                        clock.millis()));
    }

    public Optional<Session> session(String id) {
        return list().stream().filter(session -> session.id.equals(id)).findFirst();
    }

    public void revoke(String id) {
        database.write(sql ->
                sql.update(
                        "UPDATE extension_sessions SET revoked_at = ? WHERE id = ?",
                        clock.millis(),
                        id));
        known.clear();
        tellRevoked(id);
    }

    private void tellRevoked(String id) {
        onRevoked.forEach(listener -> listener.accept(id));
    }

    private Pair fresh(String id, String kind) {
        return new Pair(
                id,
                Secrets.token(device(kind) ? DEVICE_PREFIX : EXTENSION_PREFIX),
                Secrets.token("tdr_"),
                clock.millis() + ACCESS_LIFE.toMillis());
    }

    private static Access access(ResultSet row) throws SQLException {
        String id = row.getString(1);
        String name = row.getString(2);
        Caller caller =
                device(row.getString(4)) ? Caller.device(id, name) : Caller.extension(id, name);
        return new Access(caller, row.getLong(3));
    }

    private static boolean device(String kind) {
        return kind.equals(TokenKind.DEVICE.word());
    }

    private record Stored(
            String id, String refreshHash, long refreshExpiresAt, long previousUntil, String kind) {
        static Stored read(ResultSet row) throws SQLException {
            return new Stored(
                    row.getString(1),
                    row.getString(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getString(5));
        }
    }
}

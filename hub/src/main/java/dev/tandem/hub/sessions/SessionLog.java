package dev.tandem.hub.sessions;

import dev.tandem.hub.store.Database;
import dev.tandem.hub.store.Sql;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/**
 * The one log of each session. An entry is durable before anybody is told of it, and everybody is
 * told in the order of {@code seq}. Any thread may call it.
 */
public final class SessionLog {
    static final String COLUMNS = "session_id, seq, id, kind, body, client_message_id, created_at";

    private final Database database;
    private final Clock clock;
    private final ConcurrentMap<String, SessionFeed> feeds = new ConcurrentHashMap<>();
    private final CopyOnWriteArrayList<Consumer<String>> watchers = new CopyOnWriteArrayList<>();

    public SessionLog(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Tells the id of each session in which something new is stored; watchers must not block. */
    public AutoCloseable watch(Consumer<String> watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }

    /** An entry before it has a place in the log. */
    public record Draft(Entry.Kind kind, ObjectNode body, Optional<String> clientMessageId) {
        public Draft(Entry.Kind kind, ObjectNode body) {
            this(kind, body, Optional.empty());
        }
    }

    /** What an append did: the entry, and whether it was new. */
    public record Appended(Entry entry, boolean stored) {}

    public Entry append(String sessionId, Entry.Kind kind, ObjectNode body) {
        return append(sessionId, new Draft(kind, body)).entry();
    }

    /** Appends, or answers the entry that this client message id already made. */
    public Appended append(String sessionId, Draft draft) {
        return appendAll(sessionId, List.of(draft)).getFirst();
    }

    /** Appends several entries in one transaction. */
    public List<Appended> appendAll(String sessionId, List<Draft> drafts) {
        return appendAll(sessionId, drafts, (sql, appended) -> {});
    }

    /** What must become durable together with entries. */
    interface Alongside {
        void run(Sql sql, List<Appended> appended) throws SQLException;
    }

    List<Appended> appendAll(String sessionId, List<Draft> drafts, Alongside also) {
        return appendAll(sessionId, drafts, also, () -> {});
    }

    /**
     * @param stored run once they are durable and nobody has been told of them
     */
    List<Appended> appendAll(
            String sessionId, List<Draft> drafts, Alongside also, Runnable stored) {
        List<Appended> appended =
                database.write(sql -> {
                    List<Appended> written = store(sql, sessionId, drafts);
                    also.run(sql, written);
                    return written;
                });
        stored.run();
        SessionFeed feed = feeds.get(sessionId);
        if (feed != null) {
            for (Appended one : appended) {
                if (one.stored) {
                    feed.announce(one.entry);
                }
            }
        }
        watchers.forEach(watcher -> watcher.accept(sessionId));
        return appended;
    }

    /** Entries after a seq, ascending. */
    public List<Entry> after(String sessionId, long seq, int limit) {
        return database.read(sql ->
                sql.query(
                        "SELECT "
                                + COLUMNS
                                + " FROM messages WHERE session_id = ? AND seq > ?"
                                + " ORDER BY session_id, seq LIMIT ?",
                        SessionLog::entry,
                        sessionId,
                        seq,
                        limit));
    }

    /** The last entries before a seq, ascending: how a long log is opened from its end. */
    public List<Entry> before(String sessionId, long seq, int limit) {
        List<Entry> newestFirst =
                database.read(sql ->
                        sql.query(
                                "SELECT "
                                        + COLUMNS
                                        + " FROM messages WHERE session_id = ? AND seq < ?"
                                        + " ORDER BY session_id DESC, seq DESC LIMIT ?",
                                SessionLog::entry,
                                sessionId,
                                seq,
                                limit));
        return newestFirst.reversed();
    }

    /** The entry with that id. */
    public Optional<Entry> find(String id) {
        return database.read(sql ->
                sql.first(
                        "SELECT " + COLUMNS + " FROM messages WHERE id = ?",
                        SessionLog::entry,
                        id));
    }

    /** The newest entry of one of these kinds. */
    public Optional<Entry> last(String sessionId, Entry.Kind kind) {
        return database.read(sql ->
                sql.first(
                        "SELECT "
                                + COLUMNS
                                + " FROM messages WHERE session_id = ? AND kind = ?"
                                + " ORDER BY session_id DESC, seq DESC LIMIT 1",
                        SessionLog::entry,
                        sessionId,
                        kind.word()));
    }

    /** How many answers and errors came after a seq; more than {@code most} are not counted. */
    int news(String sessionId, long seq, int most) {
        return database.read(sql ->
                        sql.first(
                                "SELECT COUNT(*) FROM (SELECT seq FROM messages WHERE session_id ="
                                        + " ? AND seq > ? AND kind IN ('assistant', 'error') LIMIT"
                                        + " ?) AS news",
                                row -> row.getInt(1),
                                sessionId,
                                seq,
                                most))
                .orElse(0);
    }

    /** The live side of a session's log; made when first asked for. */
    public SessionFeed feed(String sessionId) {
        return feeds.computeIfAbsent(
                sessionId,
                id -> new SessionFeed(after -> after(id, after, 500), lastSeq(id), clock));
    }

    long lastSeq(String sessionId) {
        return database.read(sql ->
                        sql.first(
                                "SELECT last_seq FROM sessions WHERE id = ?",
                                row -> row.getLong(1),
                                sessionId))
                .orElse(0L);
    }

    void forget(String sessionId) {
        SessionFeed feed = feeds.remove(sessionId);
        if (feed != null) {
            feed.close();
        }
    }

    private List<Appended> store(Sql sql, String sessionId, List<Draft> drafts)
            throws SQLException {
        List<Appended> appended = new ArrayList<>();
        for (Draft draft : drafts) {
            appended.add(store(sql, sessionId, draft));
        }
        return appended;
    }

    private Appended store(Sql sql, String sessionId, Draft draft) throws SQLException {
        if (draft.clientMessageId.isPresent()) {
            Optional<Entry> known = known(sql, sessionId, draft.clientMessageId.get());
            if (known.isPresent()) {
                return new Appended(known.get(), false);
            }
        }
        long now = clock.millis();
        long seq =
                sql.first(
                                "UPDATE sessions SET last_seq = last_seq + 1, updated_at = ? WHERE"
                                        + " id = ? RETURNING last_seq",
                                row -> row.getLong(1),
                                now,
                                sessionId)
                        .orElseThrow(() ->
                                new TandemException(
                                        ErrorCode.NOT_FOUND,
                                        "Session with id='" + sessionId + "' not found"));
        Entry entry =
                new Entry(
                        sessionId,
                        seq,
                        Ids.next(clock),
                        draft.kind,
                        draft.body,
                        draft.clientMessageId,
                        now);
        sql.update(
                "INSERT INTO messages(" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?)",
                sessionId,
                seq,
                entry.id(),
                draft.kind.word(),
                Json.write(draft.body),
                draft.clientMessageId.orElse(null),
                now);
        return new Appended(entry, true);
    }

    private static Optional<Entry> known(Sql sql, String sessionId, String clientMessageId)
            throws SQLException {
        return sql.first(
                "SELECT "
                        + COLUMNS
                        + " FROM messages WHERE session_id = ? AND client_message_id = ?",
                SessionLog::entry,
                sessionId,
                clientMessageId);
    }

    static Entry entry(ResultSet row) throws SQLException {
        return new Entry(
                row.getString(1),
                row.getLong(2),
                row.getString(3),
                Entry.Kind.of(row.getString(4)),
                Json.parseObject(row.getString(5)),
                Optional.ofNullable(row.getString(6)),
                row.getLong(7));
    }
}

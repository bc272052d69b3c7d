package dev.tandem.hub.sessions;

import dev.tandem.hub.store.Database;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/** Projects and sessions as rows. Every change is one transaction and is then told to watchers. */
public final class SessionStore {
    private static final String COLUMNS =
            "id, project_id, document, phase, last_seq, read_seq, created_at, updated_at";

    private final Database database;
    private final SessionLog log;
    private final Clock clock;
    private final CopyOnWriteArrayList<Watcher> watchers = new CopyOnWriteArrayList<>();

    public SessionStore(Database database, SessionLog log, Clock clock) {
        this.database = database;
        this.log = log;
        this.clock = clock;
    }

    /** What happened to a session. */
    public enum Change {
        CREATED,
        UPDATED,
        DELETED
    }

    /** Someone who wants to know about changes of sessions; must not block. */
    public interface Watcher {
        void onChange(Change change, Session session);
    }

    public AutoCloseable watch(Watcher watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }

    public List<Project> projects() {
        return database.read(sql ->
                sql.query(
                        "SELECT id, document, created_at, updated_at FROM projects"
                                + " ORDER BY created_at",
                        SessionStore::project));
    }

    public Optional<Project> project(String id) {
        return database.read(sql ->
                sql.first(
                        "SELECT id, document, created_at, updated_at FROM projects"
                                + " WHERE id = ?",
                        SessionStore::project,
                        id));
    }

    /** Makes a project; false when the name is taken. */
    public boolean createProject(String id, ObjectNode fields) {
        long now = clock.millis();
        return database.write(sql ->
                sql.update(
                        "INSERT INTO projects(id, document, created_at, updated_at)"
                                + " VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                        id,
                        Json.write(fields),
                        now,
                        now))
                == 1;
    }

    public boolean updateProject(String id, ObjectNode fields) {
        return database.write(sql ->
                sql.update(
                        "UPDATE projects SET document = ?, updated_at = ?" + " WHERE id = ?",
                        Json.write(fields),
                        clock.millis(),
                        id))
                == 1;
    }

    public boolean deleteProject(String id) {
        return database.write(sql -> sql.update("DELETE FROM projects WHERE id = ?", id)) == 1;
    }

    /** All sessions, newest change first. */
    public List<Session> sessions() {
        return database.read(sql ->
                sql.query(
                        "SELECT " + COLUMNS + " FROM sessions ORDER BY updated_at DESC, id",
                        SessionStore::session));
    }

    public Optional<Session> session(String id) {
        return database.read(sql ->
                sql.first(
                        "SELECT " + COLUMNS + " FROM sessions WHERE id = ?",
                        SessionStore::session,
                        id));
    }

    /** The session, or the error that every edge shows. */
    public Session required(String id) {
        return session(id)
                .orElseThrow(() ->
                        new TandemException(
                                ErrorCode.NOT_FOUND, "Session with id='" + id + "' not found"));
    }

    public Session create(String projectId, ObjectNode fields) {
        String id = Ids.next(clock);
        long now = clock.millis();
        database.write(sql ->
                sql.update(
                        "INSERT INTO sessions(" + COLUMNS + ") VALUES (?, ?, ?, '', 0, 0, ?, ?)",
                        id,
                        projectId,
                        Json.write(fields),
                        now,
                        now));
        return tell(Change.CREATED, required(id));
    }

    /** Changes fields in one transaction; the function gets a copy of the current ones. */
    public Session update(String id, UnaryOperator<ObjectNode> change) {
        return tell(
                Change.UPDATED,
                database.write(sql -> {
                    Session before =
                            sql.first(
                                            "UPDATE sessions SET updated_at = ? WHERE id = ?"
                                                    + " RETURNING "
                                                    + COLUMNS,
                                            SessionStore::session,
                                            clock.millis(),
                                            id)
                                    .orElseThrow(() -> gone(id));
                    ObjectNode after = change.apply(before.fields().deepCopy());
                    sql.update(
                            "UPDATE sessions SET document = ? WHERE id = ?", Json.write(after), id);
                    return sql.first(
                                    "SELECT " + COLUMNS + " FROM sessions WHERE id = ?",
                                    SessionStore::session,
                                    id)
                            .orElseThrow(() -> gone(id));
                }));
    }

    /** Moves to another phase; an illegal move is refused and changes nothing. */
    public Session move(String id, Phase next) {
        Session moved =
                database.write(sql -> {
                    Session now =
                            sql.first(
                                            "UPDATE sessions SET updated_at = ? WHERE id = ?"
                                                    + " RETURNING "
                                                    + COLUMNS,
                                            SessionStore::session,
                                            clock.millis(),
                                            id)
                                    .orElseThrow(() -> gone(id));
                    if (!now.phase().leadsTo(next)) {
                        throw illegal(now.phase(), next);
                    }
                    sql.update("UPDATE sessions SET phase = ? WHERE id = ?", next.word(), id);
                    return new Session(
                            id,
                            now.projectId(),
                            now.fields(),
                            next,
                            now.lastSeq(),
                            now.readSeq(),
                            now.createdAt(),
                            now.updatedAt());
                });
        return tell(Change.UPDATED, moved);
    }

    /** Notes how far somebody has read. */
    public void read(String id, long seq) {
        database.write(sql ->
                sql.update(
                        "UPDATE sessions SET read_seq = ? WHERE id = ? AND read_seq < ?",
                        seq,
                        id,
                        seq));
        session(id).ifPresent(session -> tell(Change.UPDATED, session));
    }

    /** Deletes a session and its log; false when it was not there. */
    public boolean delete(String id) {
        Optional<Session> session = session(id);
        if (session.isEmpty()) {
            return false;
        }
        database.write(sql -> {
            for (String table : List.of("messages", "undelivered", "unfinished")) {
                sql.update("DELETE FROM " + table + " WHERE session_id = ?", id);
            }
            return sql.update("DELETE FROM sessions WHERE id = ?", id);
        });
        log.forget(id);
        tell(Change.DELETED, session.get());
        return true;
    }

    private Session tell(Change change, Session session) {
        for (Watcher watcher : watchers) {
            watcher.onChange(change, session);
        }
        return session;
    }

    private static TandemException gone(String id) {
        return new TandemException(ErrorCode.NOT_FOUND, "Session with id='" + id + "' not found");
    }

    /** The contract's own words for the two moves that people ask for. */
    private static TandemException illegal(Phase now, Phase next) {
        String text =
                switch (next) {
                    case PENDING ->
                            "cannot start session in phase \""
                                    + now.word()
                                    + "\"; must be empty, Stopped, Failed, or Completed";
                    case STOPPING ->
                            "cannot stop session in phase \""
                                    + now.word()
                                    + "\"; must be Running, Creating, or Pending";
                    case NONE, CREATING, RUNNING, STOPPED, COMPLETED, FAILED ->
                            "cannot go from phase \""
                                    + now.word()
                                    + "\" to \""
                                    + next.word()
                                    + "\"";
                };
        return new TandemException(ErrorCode.CONFLICT, text);
    }

    private static Project project(ResultSet row) throws SQLException {
        return new Project(
                row.getString(1),
                Json.parseObject(row.getString(2)),
                row.getLong(3),
                row.getLong(4));
    }

    private static Session session(ResultSet row) throws SQLException {
        return new Session(
                row.getString(1),
                row.getString(2),
                Json.parseObject(row.getString(3)),
                Phase.of(row.getString(4)).orElse(Phase.FAILED),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7),
                row.getLong(8));
    }
}

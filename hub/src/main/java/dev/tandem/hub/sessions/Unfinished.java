package dev.tandem.hub.sessions;

import dev.tandem.hub.store.Database;
import dev.tandem.protocol.Json;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Text that an agent is still writing, kept so that a crash loses half a second at most. */
final class Unfinished {
    private final Database database;
    private final SessionLog log;

    Unfinished(Database database, SessionLog log) {
        this.database = database;
        this.log = log;
    }

    private record Row(String sessionId, String block, Entry.Kind kind, ObjectNode body) {}

    void keep(String sessionId, String block, Entry.Kind kind, ObjectNode body) {
        database.write(sql ->
                sql.update(
                        "INSERT INTO unfinished(session_id, block, kind, body) VALUES (?, ?, ?, ?)"
                                + " ON CONFLICT (session_id, block) DO UPDATE SET"
                                + " body = excluded.body",
                        sessionId,
                        block,
                        kind.word(),
                        Json.write(body)));
    }

    /** Appends entries, one of which holds the whole of this block now. */
    List<SessionLog.Appended> finish(
            String sessionId, String block, List<SessionLog.Draft> drafts, Runnable stored) {
        return log.appendAll(
                sessionId,
                drafts,
                (sql, appended) ->
                        sql.update(
                                "DELETE FROM unfinished WHERE session_id = ? AND block = ?",
                                sessionId,
                                block),
                stored);
    }

    /** After a crash: what was stored of unfinished text becomes an entry, marked partial. */
    void recover(String sessionId) {
        List<Row> rows =
                database.read(sql ->
                        sql.query(
                                "SELECT session_id, block, kind, body FROM unfinished WHERE"
                                        + " session_id = ?",
                                row ->
                                        new Row(
                                                row.getString(1),
                                                row.getString(2),
                                                Entry.Kind.of(row.getString(3)),
                                                Json.parseObject(row.getString(4))),
                                sessionId));
        for (Row row : rows) {
            SessionLog.Draft draft = new SessionLog.Draft(row.kind, row.body.put("partial", true));
            finish(row.sessionId, row.block, List.of(draft), () -> {});
        }
    }
}

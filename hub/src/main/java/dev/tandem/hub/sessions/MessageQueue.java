package dev.tandem.hub.sessions;

import dev.tandem.hub.store.Database;
import dev.tandem.hub.store.Sql;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Prompts that are stored but not yet given to the agent. Each is in the log from the moment it was
 * taken; until it is delivered it can be changed or withdrawn. Any thread may call it.
 */
public final class MessageQueue {
    private final Database database;
    private final SessionLog log;

    MessageQueue(Database database, SessionLog log) {
        this.database = database;
        this.log = log;
    }

    /** Stores a prompt; one with a known client message id only once. */
    SessionLog.Appended add(String sessionId, SessionLog.Draft prompt) {
        return log.appendAll(
                        sessionId,
                        List.of(prompt),
                        (sql, appended) -> {
                            if (appended.getFirst().stored()) {
                                sql.update(
                                        "INSERT INTO undelivered(session_id, seq) VALUES (?, ?)",
                                        sessionId,
                                        appended.getFirst().entry().seq());
                            }
                        })
                .getFirst();
    }

    /** Those that wait for the agent, in order. */
    public List<Entry> list(String sessionId) {
        return database.read(sql ->
                sql.query(
                        "SELECT "
                                + SessionLog.COLUMNS
                                + " FROM messages WHERE session_id = ? AND seq IN (SELECT seq FROM"
                                + " undelivered WHERE session_id = ?) ORDER BY session_id, seq",
                        SessionLog::entry,
                        sessionId,
                        sessionId));
    }

    Optional<Entry> next(String sessionId) {
        return list(sessionId).stream().findFirst();
    }

    /** Takes a prompt out for delivery and notes the start of its turn; empty if it is gone. */
    boolean start(Entry prompt, String runId) {
        ObjectNode started = Json.object().put("event", "run_started");
        started.put("runId", runId).put("prompt", prompt.seq());
        return taken(
                prompt.sessionId(),
                prompt.seq(),
                new SessionLog.Draft(Entry.Kind.LIFECYCLE, started),
                sql -> {});
    }

    /** Changes the words of a prompt that still waits; what is attached to it stays. */
    public Entry edit(String sessionId, long seq, String text) {
        Entry prompt = waiting(sessionId, seq);
        ObjectNode body = prompt.body().deepCopy();
        body.put("text", text).put("edited", true);
        if (body.path("content") instanceof ArrayNode given) {
            ArrayNode content = body.putArray("content");
            content.addObject().put("type", "text").put("text", text);
            for (JsonNode block : given) {
                if (!Json.text(block, "type").orElse("").equals("text")) {
                    content.add(block);
                }
            }
        }
        ObjectNode news = Json.object().put("event", "queue_edited");
        news.putObject("value").put("seq", seq).put("text", text);
        log.appendAll(
                sessionId,
                List.of(new SessionLog.Draft(Entry.Kind.SYSTEM, news)),
                (sql, appended) -> {
                    int held =
                            sql.update(
                                    "UPDATE undelivered SET seq = seq WHERE session_id = ? AND seq"
                                            + " = ?",
                                    sessionId,
                                    seq);
                    if (held == 0) {
                        throw gone();
                    }
                    rewrite(sql, sessionId, seq, body);
                });
        return waiting(sessionId, seq);
    }

    /** Takes back a prompt that still waits; it stays in the log as withdrawn. */
    public void withdraw(String sessionId, long seq) {
        Entry prompt = waiting(sessionId, seq);
        ObjectNode body = prompt.body().deepCopy().put("withdrawn", true);
        ObjectNode news = Json.object().put("event", "queue_withdrawn");
        news.putObject("value").put("seq", seq);
        boolean taken =
                taken(
                        sessionId,
                        seq,
                        new SessionLog.Draft(Entry.Kind.SYSTEM, news),
                        sql -> rewrite(sql, sessionId, seq, body));
        if (!taken) {
            throw gone();
        }
    }

    private interface Change {
        void run(Sql sql) throws SQLException;
    }

    private static final class AlreadyTaken extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Exactly one caller takes a prompt, whoever else tries at the same time. */
    private boolean taken(String sessionId, long seq, SessionLog.Draft news, Change change) {
        try {
            log.appendAll(
                    sessionId,
                    List.of(news),
                    (sql, appended) -> {
                        int rows =
                                sql.update(
                                        "DELETE FROM undelivered WHERE session_id = ? AND seq = ?",
                                        sessionId,
                                        seq);
                        if (rows == 0) {
                            throw new AlreadyTaken();
                        }
                        change.run(sql);
                    });
            return true;
        } catch (AlreadyTaken e) {
            return false;
        }
    }

    private static void rewrite(Sql sql, String sessionId, long seq, ObjectNode body)
            throws SQLException {
        sql.update(
                "UPDATE messages SET body = ? WHERE session_id = ? AND seq = ?",
                Json.write(body),
                sessionId,
                seq);
    }

    private Entry waiting(String sessionId, long seq) {
        return list(sessionId).stream()
                .filter(entry -> entry.seq() == seq)
                .findFirst()
                .orElseThrow(MessageQueue::gone);
    }

    private static TandemException gone() {
        return new TandemException(
                ErrorCode.CONFLICT, "This message does not wait any more.", "delivered");
    }
}

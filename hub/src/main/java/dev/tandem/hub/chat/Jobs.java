package dev.tandem.hub.chat;

import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.store.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The jobs that chat messages became. Any thread may call it. */
final class Jobs {
    private static final String COLUMNS =
            "id, session_id, user_seq, user_message_id, status, created_at, started_at,"
                    + " completed_at, error";

    private final Database database;
    private final Clock clock;

    Jobs(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** The job of a user's message; made when it is the first to ask. */
    Job of(Entry user) {
        String id = Job.idOf(user.id());
        return database.write(sql -> {
            sql.update(
                    "INSERT INTO chat_jobs(id, session_id, user_seq, user_message_id, status,"
                            + " created_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                    id,
                    user.sessionId(),
                    user.seq(),
                    user.id(),
                    Job.Status.PENDING.word(),
                    user.createdAt());
            return sql.first("SELECT " + COLUMNS + " FROM chat_jobs WHERE id = ?", Jobs::job, id)
                    .orElseThrow();
        });
    }

    Optional<Job> find(String id) {
        return database.read(sql ->
                sql.first("SELECT " + COLUMNS + " FROM chat_jobs WHERE id = ?", Jobs::job, id));
    }

    /** Newest first. */
    List<Job> list(int limit) {
        return database.read(sql ->
                sql.query(
                        "SELECT " + COLUMNS + " FROM chat_jobs ORDER BY created_at DESC LIMIT ?",
                        Jobs::job,
                        limit));
    }

    /** How many there are in each state. */
    Map<Job.Status, Long> count() {
        Map<Job.Status, Long> counts = new EnumMap<>(Job.Status.class);
        for (Job.Status status : Job.Status.values()) {
            counts.put(status, 0L);
        }
        database.read(sql ->
                sql.query(
                        "SELECT status, COUNT(*) FROM chat_jobs GROUP BY status",
                        row -> counts.put(status(row.getString(1)), row.getLong(2))));
        return counts;
    }

    /** Those of a session that wait for their turn. */
    List<Job> waiting(String sessionId) {
        return database.read(sql ->
                sql.query(
                        "SELECT "
                                + COLUMNS
                                + " FROM chat_jobs WHERE session_id = ? AND status = ?"
                                + " ORDER BY user_seq",
                        Jobs::job,
                        sessionId,
                        Job.Status.PENDING.word()));
    }

    /** Those that an earlier hub left in the middle. */
    List<Job> unfinished() {
        return database.read(sql ->
                sql.query(
                        "SELECT " + COLUMNS + " FROM chat_jobs WHERE status = ?",
                        Jobs::job,
                        Job.Status.PROCESSING.word()));
    }

    Job move(Job job, Job.Status status, String error) {
        long now = clock.millis();
        long started = status == Job.Status.PROCESSING ? now : job.startedAt();
        Job moved =
                new Job(
                        job.id(),
                        job.sessionId(),
                        job.userSeq(),
                        job.userMessageId(),
                        status,
                        job.createdAt(),
                        started,
                        status.over() ? now : 0,
                        error);
        database.write(sql ->
                sql.update(
                        "UPDATE chat_jobs SET status = ?, started_at = ?, completed_at = ?,"
                                + " error = ? WHERE id = ?",
                        status.word(),
                        moved.startedAt(),
                        moved.completedAt(),
                        error,
                        job.id()));
        return moved;
    }

    /** The job of a user's message, if it has one. */
    Optional<Job> find(String sessionId, long userSeq) {
        return database.read(sql ->
                sql.first(
                        "SELECT "
                                + COLUMNS
                                + " FROM chat_jobs WHERE session_id = ? AND user_seq = ?",
                        Jobs::job,
                        sessionId,
                        userSeq));
    }

    /** Sessions in which something waits for its turn. */
    List<String> sessionsThatWait() {
        return database.read(sql ->
                sql.query(
                        "SELECT DISTINCT session_id FROM chat_jobs WHERE status = ?",
                        row -> row.getString(1),
                        Job.Status.PENDING.word()));
    }

    /** Forgets what was said in sessions that are no more. */
    void forgetTheGone() {
        String gone = "SELECT id FROM chat_jobs WHERE session_id NOT IN (SELECT id FROM sessions)";
        database.write(sql -> {
            sql.update("DELETE FROM chat_stream_events WHERE stream_id IN (" + gone + ")");
            return sql.update(
                    "DELETE FROM chat_jobs WHERE session_id NOT IN (SELECT id FROM sessions)");
        });
    }

    void remove(String id) {
        database.write(sql -> {
            sql.update("DELETE FROM chat_stream_events WHERE stream_id = ?", id);
            return sql.update("DELETE FROM chat_jobs WHERE id = ?", id);
        });
    }

    private static Job.Status status(String word) {
        return Job.Status.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private static Job job(ResultSet row) throws SQLException {
        String error = row.getString(9);
        return new Job(
                row.getString(1),
                row.getString(2),
                row.getLong(3),
                row.getString(4),
                status(row.getString(5)),
                row.getLong(6),
                row.getLong(7),
                row.getLong(8),
                error == null ? "" : error);
    }
}

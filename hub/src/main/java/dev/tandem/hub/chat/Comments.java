package dev.tandem.hub.chat;

import dev.tandem.hub.store.Database;
import dev.tandem.protocol.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Notes of people about pages, sessions and messages. Any thread may call it. */
final class Comments {
    private static final String COLUMNS =
            "id, context_type, context_id, section_key, created_by, assigned_to, status, thread_id,"
                    + " content, tool_call_id, created_at, updated_at";

    private final Database database;
    private final Clock clock;

    Comments(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** A comment to be written. */
    record Draft(
            String contextType,
            String contextId,
            @Nullable String section,
            String author,
            @Nullable String assigned,
            @Nullable String thread,
            String content) {}

    ObjectNode add(Draft draft) {
        String id = UUID.randomUUID().toString();
        String thread = draft.thread == null ? id : draft.thread;
        long now = clock.millis();
        database.write(sql ->
                sql.update(
                        "INSERT INTO chat_comments("
                                + COLUMNS
                                + ") VALUES (?, ?, ?, ?, ?, ?, 'open', ?, ?, NULL, ?, ?)",
                        id,
                        draft.contextType,
                        draft.contextId,
                        draft.section,
                        draft.author,
                        draft.assigned,
                        thread,
                        draft.content,
                        now,
                        now));
        return find(id).orElseThrow();
    }

    List<ObjectNode> of(String contextType, String contextId) {
        return database.read(sql ->
                sql.query(
                        "SELECT "
                                + COLUMNS
                                + " FROM chat_comments WHERE context_type = ? AND context_id = ?"
                                + " ORDER BY created_at, id",
                        Comments::comment,
                        contextType,
                        contextId));
    }

    Optional<ObjectNode> find(String id) {
        return database.read(sql ->
                sql.first(
                        "SELECT " + COLUMNS + " FROM chat_comments WHERE id = ?",
                        Comments::comment,
                        id));
    }

    void change(String id, String content, @Nullable String assigned) {
        database.write(sql ->
                sql.update(
                        "UPDATE chat_comments SET content = ?, assigned_to = ?, updated_at = ?"
                                + " WHERE id = ?",
                        content,
                        assigned,
                        clock.millis(),
                        id));
    }

    /** A thread is open or closed as a whole. */
    void status(String threadId, String status) {
        database.write(sql ->
                sql.update(
                        "UPDATE chat_comments SET status = ?, updated_at = ? WHERE thread_id = ?",
                        status,
                        clock.millis(),
                        threadId));
    }

    void remove(String id) {
        database.write(sql ->
                sql.update("DELETE FROM chat_comments WHERE id = ? OR thread_id = ?", id, id));
    }

    private static ObjectNode comment(ResultSet row) throws SQLException {
        ObjectNode json = Json.object();
        String[] names = COLUMNS.split(",\\s*", -1);
        for (int i = 0; i < names.length - 2; i++) {
            json.put(names[i], row.getString(i + 1));
        }
        json.put("created_at", Instant.ofEpochMilli(row.getLong(11)).toString());
        return json.put("updated_at", Instant.ofEpochMilli(row.getLong(12)).toString());
    }
}

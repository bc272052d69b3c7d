package dev.tandem.hub.ambient;

import dev.tandem.hub.sessions.Ids;
import dev.tandem.hub.store.Database;
import dev.tandem.protocol.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/** Agent profiles, inbox messages and schedules as rows. Any thread may call it. */
final class Documents {
    private static final String COLUMNS = "id, kind, parent, document, created_at, updated_at";

    private final Database database;
    private final Clock clock;

    Documents(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** One of them; {@code parent} is the project, or the profile of an inbox message. */
    record Document(
            String id, String kind, String parent, ObjectNode fields, long made, long changed) {}

    /** Makes one; empty when its name is taken under this parent. */
    Optional<Document> create(String kind, String parent, ObjectNode fields) {
        String id = Ids.next(clock);
        long now = clock.millis();
        Optional<String> name = Json.text(fields, "name");
        boolean made =
                database.write(sql -> {
                    boolean taken =
                            name.isPresent()
                                    && sql
                                            .query(
                                                    "SELECT document FROM ambient_documents"
                                                            + " WHERE kind = ? AND parent = ?",
                                                    row -> Json.parseObject(row.getString(1)),
                                                    kind,
                                                    parent)
                                            .stream()
                                            .anyMatch(
                                                    other -> Json.text(other, "name").equals(name));
                    if (!taken) {
                        sql.update(
                                "INSERT INTO ambient_documents("
                                        + COLUMNS
                                        + ") VALUES (?, ?, ?, ?, ?, ?)",
                                id,
                                kind,
                                parent,
                                Json.write(fields),
                                now,
                                now);
                    }
                    return !taken;
                });
        return made ? find(kind, parent, id) : Optional.empty();
    }

    List<Document> list(String kind, String parent) {
        return database.read(sql ->
                sql.query(
                        "SELECT "
                                + COLUMNS
                                + " FROM ambient_documents WHERE kind = ? AND parent = ?"
                                + " ORDER BY created_at, id",
                        Documents::document,
                        kind,
                        parent));
    }

    List<Document> list(String kind) {
        return database.read(sql ->
                sql.query(
                        "SELECT "
                                + COLUMNS
                                + " FROM ambient_documents WHERE kind = ? ORDER BY created_at, id",
                        Documents::document,
                        kind));
    }

    Optional<Document> find(String kind, String parent, String id) {
        return database.read(sql ->
                sql.first(
                        "SELECT "
                                + COLUMNS
                                + " FROM ambient_documents"
                                + " WHERE id = ? AND kind = ? AND parent = ?",
                        Documents::document,
                        id,
                        kind,
                        parent));
    }

    Document required(String kind, String parent, String id) {
        return find(kind, parent, id).orElseThrow(() -> Problems.missing(kind, id));
    }

    Document update(Document one, UnaryOperator<ObjectNode> change) {
        database.write(sql -> {
            Optional<ObjectNode> now =
                    sql.first(
                            "UPDATE ambient_documents SET updated_at = ? WHERE id = ?"
                                    + " RETURNING document",
                            row -> Json.parseObject(row.getString(1)),
                            clock.millis(),
                            one.id);
            return sql.update(
                    "UPDATE ambient_documents SET document = ? WHERE id = ?",
                    Json.write(
                            change.apply(
                                    now.orElseThrow(() -> Problems.missing(one.kind, one.id)))),
                    one.id);
        });
        return required(one.kind, one.parent, one.id);
    }

    /** Everything of a project: its schedules, its profiles, and their inboxes. */
    void deleteOf(String project) {
        database.write(sql -> {
            sql.update(
                    "DELETE FROM ambient_documents WHERE parent IN (SELECT id FROM"
                            + " ambient_documents WHERE parent = ?)",
                    project);
            return sql.update("DELETE FROM ambient_documents WHERE parent = ?", project);
        });
    }

    void delete(Document one) {
        database.write(sql -> {
            sql.update("DELETE FROM ambient_documents WHERE parent = ?", one.id);
            return sql.update("DELETE FROM ambient_documents WHERE id = ?", one.id);
        });
    }

    /** What the world sees of one, at that address. */
    static ObjectNode view(Resource resource, Document one, String path) {
        ObjectNode view = resource.view(one.fields);
        view.put("id", one.id).put("kind", one.kind);
        view.put("href", Problems.BASE + path + "/" + one.id);
        view.put("created_at", Resource.time(one.made));
        return view.put("updated_at", Resource.time(one.changed));
    }

    private static Document document(ResultSet row) throws SQLException {
        return new Document(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                Json.parseObject(row.getString(4)),
                row.getLong(5),
                row.getLong(6));
    }
}

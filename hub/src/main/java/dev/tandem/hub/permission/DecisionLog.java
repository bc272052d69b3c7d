package dev.tandem.hub.permission;

import dev.tandem.hub.store.Database;
import dev.tandem.hub.store.RowsBehind;
import java.time.Clock;
import java.util.List;

/**
 * One row per decision: who, what kind, where, how; never typed text or page content. Nobody waits
 * for the writing.
 */
final class DecisionLog implements AutoCloseable {
    private static final String INSERT =
            "INSERT INTO permission_decisions(at, client, client_name, project, tool_call_id, tool,"
                    + " kinds, origin, tab, decision, decided_by, rule_id, duration_ms) VALUES (?,"
                    + " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private final Database database;
    private final Clock clock;
    private final RowsBehind rows;

    DecisionLog(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
        this.rows = new RowsBehind(database, "decisions", INSERT);
    }

    void write(Ask ask, Outcome outcome, String ruleId, long begun) {
        long now = clock.millis();
        rows.add(
                now,
                ask.who().key(),
                ask.who().name(),
                ask.who().project(),
                ask.who().toolCallId(),
                ask.what().tool(),
                ask.what().names().isEmpty()
                        ? ask.what().title()
                        : String.join(" ", ask.what().names().stream().sorted().toList()),
                ask.where().origin(),
                ask.where().tab(),
                outcome.kind().word(),
                outcome.by(),
                ruleId,
                now - begun);
    }

    List<PermissionDesk.Decision> newest(int limit) {
        rows.flush();
        return database.read(sql ->
                sql.query(
                        "SELECT at, client, client_name, tool, kinds, origin, decision,"
                                + " decided_by, rule_id, duration_ms FROM permission_decisions"
                                + " ORDER BY at DESC LIMIT ?",
                        row ->
                                new PermissionDesk.Decision(
                                        row.getLong(1),
                                        row.getString(2),
                                        row.getString(3),
                                        row.getString(4),
                                        row.getString(5),
                                        row.getString(6),
                                        row.getString(7),
                                        row.getString(8),
                                        row.getString(9),
                                        row.getLong(10)),
                        limit));
    }

    @Override
    public void close() {
        rows.close();
    }
}

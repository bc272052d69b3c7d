package dev.tandem.hub.browser;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.store.Database;
import dev.tandem.hub.store.RowsBehind;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * One row for every execution: who, which tool, where, how it ended. Never what was typed or what a
 * page said. Rows are written behind the call, many at once.
 */
public final class Audit implements AutoCloseable {
    private static final String INSERT =
            "INSERT INTO audit(at, client_key, client_name, door, tool, ops_session, browser,"
                    + " origin, outcome, reason, duration_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                    + " ?)";

    private final Database database;
    private final Clock clock;
    private final RowsBehind rows;
    private volatile CallWatcher watcher = (client, tool, arguments) -> end -> {};

    /** A row as listed. */
    public record Row(
            long at,
            String client,
            String door,
            String tool,
            String session,
            String browser,
            String origin,
            String outcome,
            String reason,
            long durationMs) {}

    public Audit(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
        this.rows = new RowsBehind(database, "audit rows", INSERT);
    }

    Entry begin(OpsClient client, Tool tool, JsonNode arguments) {
        Who who = new Who(client.key(), client.label(), client.door().word());
        return new Entry(who, tool.name(), watcher.began(client, tool, arguments));
    }

    /** The same for what is no tool. */
    Entry begin(OpsClient client, String what) {
        return new Entry(
                new Who(client.key(), client.label(), client.door().word()), what, _ -> {});
    }

    /** Tells someone of every call from now on. */
    public void watchedBy(CallWatcher other) {
        watcher = other;
    }

    /** What a program on /cdp took, or was refused. */
    public void cdp(Caller caller, String browser, String what, String url, String outcome) {
        note("cdp", caller, browser, what, url, outcome);
    }

    /** What was done at a door of its own, and how it ended. */
    public void note(
            String door, Caller caller, String browser, String what, String url, String outcome) {
        Entry entry = new Entry(new Who(caller.id(), caller.name(), door), what, _ -> {});
        entry.browser = browser;
        entry.origin = WebOrigin.of(url);
        entry.end(outcome, "");
    }

    /**
     * Which rows are wanted; empty strings mean all.
     *
     * @param outcome {@code ok}, {@code failed} or a code
     */
    public record Filter(
            String client,
            String tool,
            String door,
            String origin,
            String outcome,
            long since,
            int limit) {}

    /** The rows that fit, newest first. */
    public List<Row> find(Filter filter) {
        rows.flush();
        StringBuilder where = new StringBuilder(" WHERE at >= ?");
        List<Object> values = new ArrayList<>(List.of(filter.since()));
        equal(where, values, "client_name", filter.client());
        equal(where, values, "tool", filter.tool());
        equal(where, values, "door", filter.door());
        equal(where, values, "origin", filter.origin());
        if (filter.outcome().equals("failed")) {
            where.append(" AND outcome <> 'ok'");
        } else {
            equal(where, values, "outcome", filter.outcome());
        }
        values.add(filter.limit());
        return database.read(sql ->
                sql.query(
                        "SELECT at, client_name, door, tool, ops_session, browser, origin,"
                                + " outcome, reason, duration_ms FROM audit"
                                + where
                                + " ORDER BY at DESC LIMIT ?",
                        row ->
                                new Row(
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
                        values.toArray()));
    }

    private static void equal(
            StringBuilder where, List<Object> values, String column, String value) {
        if (!value.isEmpty()) {
            where.append(" AND ").append(column).append(" = ?");
            values.add(value);
        }
    }

    @Override
    public void close() {
        rows.close();
    }

    private record Who(String key, String name, String door) {}

    /** A call that is being watched; it ends once. */
    final class Entry {
        private final Who who;
        private final String tool;
        private final CallWatcher.Call watched;
        private final long at = clock.millis();
        private final long begun = System.nanoTime();
        private String session = "";
        private String browser = "";
        private String origin = "";
        private String outcome = "";
        private String reason = "";
        private long durationMs;

        private Entry(Who who, String tool, CallWatcher.Call watched) {
            this.who = who;
            this.tool = tool;
            this.watched = watched;
        }

        void session(OpsSession used) {
            session = used.id();
            browser = used.browser().name();
        }

        void browser(Browser used) {
            browser = used.name();
        }

        void done(JsonNode answer) {
            String url =
                    Json.text(answer, "finalUrl").or(() -> Json.text(answer, "url")).orElse("");
            origin = WebOrigin.of(url);
            if (browser.isEmpty()) {
                browser = Json.text(answer, "browser").orElse("");
            }
            end("ok", "");
            watched.ended(new CallWatcher.End(answer, Optional.empty(), browser, durationMs));
        }

        void failed(TandemException failure) {
            end(failure.code().code(), failure.reason().orElse(""));
            watched.ended(
                    new CallWatcher.End(Json.object(), Optional.of(failure), browser, durationMs));
        }

        private void end(String how, String why) {
            outcome = how;
            reason = why;
            durationMs = (System.nanoTime() - begun) / 1_000_000;
            rows.add(
                    at,
                    who.key(),
                    who.name(),
                    who.door(),
                    tool,
                    session,
                    browser,
                    origin,
                    outcome,
                    reason,
                    durationMs);
        }
    }
}

package dev.tandem.hub.sessions;

import dev.tandem.hub.store.Database;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Finds sessions by words in their name, labels or messages. */
final class SessionSearch {
    private final Database database;
    private final SessionStore store;

    SessionSearch(Database database, SessionStore store) {
        this.database = database;
        this.store = store;
    }

    List<Session> find(String words) {
        String wanted = words.strip().toLowerCase(Locale.ROOT);
        if (wanted.isEmpty()) {
            return store.sessions();
        }
        String pattern =
                "%" + wanted.replace("!", "!!").replace("%", "!%").replace("_", "!_") + "%";
        Set<String> said =
                Set.copyOf(
                        database.read(sql ->
                                sql.query(
                                        "SELECT DISTINCT session_id FROM messages WHERE kind IN"
                                                + " ('user', 'assistant') AND LOWER(body) LIKE ?"
                                                + " ESCAPE '!'",
                                        row -> row.getString(1),
                                        pattern)));
        return store.sessions().stream()
                .filter(session -> said.contains(session.id()) || about(session).contains(wanted))
                .toList();
    }

    private static String about(Session session) {
        return (session.name() + "\n" + session.field("labels").orElse(""))
                .toLowerCase(Locale.ROOT);
    }
}

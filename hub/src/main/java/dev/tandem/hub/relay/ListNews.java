package dev.tandem.hub.relay;

import dev.tandem.hub.permission.Card;
import dev.tandem.hub.permission.Outcome;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionStore;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What one socket is told of all sessions, also of those it does not watch. */
final class ListNews implements AutoCloseable {
    private final RelayEndpoint.Parts parts;
    private final RowNews rows;
    private final Wire wire;
    private @Nullable AutoCloseable changes;
    private @Nullable AutoCloseable rowNews;

    ListNews(RelayEndpoint.Parts parts, RowNews rows, Wire wire) {
        this.parts = parts;
        this.rows = rows;
        this.wire = wire;
    }

    synchronized void begin() {
        if (changes == null) {
            changes = watchLists();
        }
        closeIfGone();
    }

    /** Who has been shown the whole list is told from now on how its rows change. */
    synchronized void listed() {
        if (rowNews == null && !wire.compat()) {
            rowNews = rows.follow(row -> wire.send(Wire.message("session_row").set("row", row)));
        }
        closeIfGone();
    }

    private void closeIfGone() {
        if (!wire.socket().isOpen()) {
            close();
        }
    }

    private AutoCloseable watchLists() {
        AutoCloseable sessions = parts.store().watch(this::changed);
        AutoCloseable cards =
                parts.desk()
                        .watch(
                                new PermissionDesk.Watcher() {
                                    @Override
                                    public void onCard(Card card) {
                                        attention(card.key(), true);
                                    }

                                    @Override
                                    public void onResolved(Card card, Outcome outcome) {
                                        attention(card.key(), false);
                                    }
                                });
        return () -> {
            Watches.close(sessions);
            Watches.close(cards);
        };
    }

    /** Lists show who waits for a person. */
    private void attention(String sessionId, boolean needed) {
        if (!wire.compat()) {
            wire.send(Wire.about("session_attention", sessionId).put("needed", needed));
        }
    }

    private void changed(SessionStore.Change change, Session session) {
        if (!wire.compat()) {
            ObjectNode state = Wire.about("session_state", session.id());
            state.put("change", change.name().toLowerCase(Locale.ROOT));
            state.put("title", session.name()).put("projectId", session.projectId());
            state.put("phase", session.phase().word()).put("lastSeq", session.lastSeq());
            state.put("mode", session.mode().word());
            wire.send(
                    state.put("readSeq", session.readSeq()).put("updatedAt", session.updatedAt()));
        }
    }

    @Override
    public synchronized void close() {
        if (changes != null) {
            Watches.close(changes);
            changes = null;
        }
        if (rowNews != null) {
            Watches.close(rowNews);
            rowNews = null;
        }
    }
}

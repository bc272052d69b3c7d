package dev.tandem.hub.relay;

import dev.tandem.hub.permission.Card;
import dev.tandem.hub.permission.Outcome;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.protocol.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells those who look at the list how a session's row has changed, at most four times a second for
 * each session, however much happens in it. The row is drawn once for all. Any thread may call it.
 */
final class RowNews implements PermissionDesk.Watcher {
    private static final Logger LOG = LoggerFactory.getLogger(RowNews.class);
    private static final int APART_MS = 250;

    /** What is told may become true a moment later: a turn ends after its last word is stored. */
    private static final int AGAIN_MS = 1000;

    private final SessionRows rows;
    private final CopyOnWriteArrayList<Consumer<JsonNode>> readers = new CopyOnWriteArrayList<>();
    private final Set<String> changed = ConcurrentHashMap.newKeySet();
    private final Map<String, JsonNode> told = new ConcurrentHashMap<>();
    private final AtomicBoolean due = new AtomicBoolean();

    RowNews(RelayEndpoint.Parts parts) {
        this.rows = new SessionRows(parts);
        var _ =
                parts.store()
                        .watch((change, session) -> {
                            if (change == SessionStore.Change.DELETED) {
                                told.remove(session.id());
                            } else {
                                changed(session.id());
                            }
                        });
        var _ = parts.log().watch(this::changed);
        var _ = parts.desk().watch(this);
    }

    AutoCloseable follow(Consumer<JsonNode> reader) {
        readers.add(reader);
        return () -> readers.remove(reader);
    }

    @Override
    public void onCard(Card card) {
        changed(card.key());
    }

    @Override
    public void onResolved(Card card, Outcome outcome) {
        changed(card.key());
    }

    private void changed(String sessionId) {
        if (!readers.isEmpty() && changed.add(sessionId) && due.compareAndSet(false, true)) {
            in(APART_MS, this::tell);
        }
    }

    private static void in(int millis, Runnable work) {
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS)
                .execute(() -> Thread.ofVirtual().name("rows").start(work));
    }

    private void tell() {
        due.set(false);
        List<String> these = List.copyOf(changed);
        these.forEach(changed::remove);
        these.forEach(this::tell);
    }

    private void tell(String sessionId) {
        ObjectNode query = Json.object();
        query.putArray("sessionIds").add(sessionId);
        try {
            for (JsonNode row : rows.of(query)) {
                if (!row.equals(told.put(sessionId, row))) {
                    readers.forEach(reader -> reader.accept(row));
                    in(AGAIN_MS, () -> changed(sessionId));
                }
            }
        } catch (RuntimeException e) {
            LOG.debug("A row was not told: {}", e.toString());
        }
    }
}

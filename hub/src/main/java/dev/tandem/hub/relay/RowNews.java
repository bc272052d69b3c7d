package dev.tandem.hub.relay;

import dev.tandem.hub.permission.Card;
import dev.tandem.hub.permission.Outcome;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.protocol.Json;
import java.util.List;
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
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells those who look at the list how a session's row has changed, at most four times a second for
 * each session, however much happens in it. The row is drawn once for all. Any thread may call it.
 */
final class RowNews implements PermissionDesk.Watcher {
    private static final Logger LOG = LoggerFactory.getLogger(RowNews.class);
    private static final int APART_MS = 250;

    private final SessionRows rows;
    private final CopyOnWriteArrayList<Consumer<JsonNode>> readers = new CopyOnWriteArrayList<>();
    private final Set<String> changed = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean due = new AtomicBoolean();

    RowNews(RelayEndpoint.Parts parts) {
        this.rows = new SessionRows(parts);
        var _ = parts.store().watch((change, session) -> changed(session.id()));
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
            CompletableFuture.delayedExecutor(APART_MS, TimeUnit.MILLISECONDS)
                    .execute(() -> Thread.ofVirtual().name("rows").start(this::tell));
        }
    }

    private void tell() {
        due.set(false);
        List<String> these = List.copyOf(changed);
        these.forEach(changed::remove);
        ObjectNode query = Json.object();
        ArrayNode ids = query.putArray("sessionIds");
        these.forEach(ids::add);
        try {
            for (JsonNode row : rows.of(query)) {
                readers.forEach(reader -> reader.accept(row));
            }
        } catch (RuntimeException e) {
            LOG.debug("Rows were not told: {}", e.toString());
        }
    }
}

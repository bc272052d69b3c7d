package dev.tandem.hub.bus;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** A bus within this process; watchers run on the publisher's thread. */
public final class LocalBus implements Bus {
    private static final Logger LOG = LoggerFactory.getLogger(LocalBus.class);

    private final Map<String, CopyOnWriteArrayList<Consumer<JsonNode>>> watchers =
            new ConcurrentHashMap<>();

    @Override
    public void publish(String topic, JsonNode event) {
        for (Consumer<JsonNode> watcher :
                watchers.getOrDefault(topic, new CopyOnWriteArrayList<>())) {
            try {
                watcher.accept(event);
            } catch (RuntimeException e) {
                LOG.warn("A watcher of {} failed: {}", topic, e.toString());
            }
        }
    }

    @Override
    public Subscription subscribe(String topic, Consumer<JsonNode> watcher) {
        watchers.computeIfAbsent(topic, _ -> new CopyOnWriteArrayList<>()).add(watcher);
        return () ->
                watchers.computeIfPresent(
                        topic,
                        (_, list) -> {
                            list.remove(watcher);
                            return list.isEmpty() ? null : list;
                        });
    }

    /** Topics with at least one watcher. */
    List<String> topics() {
        return watchers.keySet().stream().sorted().toList();
    }
}

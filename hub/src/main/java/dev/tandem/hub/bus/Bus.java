package dev.tandem.hub.bus;

import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Publish and subscribe by topic. Any thread may call it. */
public interface Bus {

    /** Delivers an event to everyone who watches this topic now, in the order of the calls. */
    void publish(String topic, JsonNode event);

    /** Watches a topic until the answer is closed. The watcher must not block. */
    Subscription subscribe(String topic, Consumer<JsonNode> watcher);

    /** A watch that can be ended. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}

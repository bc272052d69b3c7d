package dev.tandem.hub.terminal;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which tabs are open, on their way to the terminal agent: the newest only, one at a time, and
 * again to an agent that comes later. Thread-safe.
 */
final class TabNews {
    private static final Logger LOG = LoggerFactory.getLogger(TabNews.class);

    private final Post post;
    private final AtomicBoolean telling = new AtomicBoolean();
    private final AtomicReference<@Nullable ObjectNode> untold = new AtomicReference<>();
    private volatile @Nullable ObjectNode newest;

    /** Brings a body to the agent. */
    interface Post {
        void send(ObjectNode body) throws IOException;
    }

    TabNews(Post post) {
        this.post = post;
    }

    void changed(ObjectNode tabState) {
        newest = tabState;
        untold.set(tabState);
        tell();
    }

    /** A new agent knows nothing yet. */
    void again() {
        untold.set(newest);
        tell();
    }

    private void tell() {
        if (untold.get() != null && telling.compareAndSet(false, true)) {
            Thread.ofVirtual().name("tab-news").start(this::send);
        }
    }

    private void send() {
        boolean sent = false;
        try {
            ObjectNode now = untold.getAndSet(null);
            if (now != null) {
                post.send(now);
            }
            sent = true;
        } catch (IOException e) {
            LOG.debug("The terminal agent does not know the tabs yet: {}", e.getMessage());
        } finally {
            telling.set(false);
        }
        // What changed meanwhile found somebody telling; without an agent, the next one is told.
        if (sent) {
            tell();
        }
    }
}

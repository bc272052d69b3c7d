package dev.tandem.hub.permission;

import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what follows from a decision, one thing after the other, so that everybody hears of cards in
 * the order in which they came. Any thread may call it.
 */
final class Teller implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Teller.class);

    private final CopyOnWriteArrayList<PermissionDesk.Watcher> watchers =
            new CopyOnWriteArrayList<>();
    private final ExecutorService line =
            Executors.newSingleThreadExecutor(Thread.ofVirtual().name("desk").factory());

    AutoCloseable watch(PermissionDesk.Watcher watcher) {
        watchers.add(watcher);
        return () -> watchers.remove(watcher);
    }

    void tell(Consumer<PermissionDesk.Watcher> news) {
        line.execute(() -> {
            for (PermissionDesk.Watcher watcher : watchers) {
                try {
                    news.accept(watcher);
                } catch (RuntimeException e) {
                    LOG.warn("Someone who watches cards failed: {}", e.toString());
                }
            }
        });
    }

    void then(Runnable work) {
        line.execute(work);
    }

    @Override
    public void close() {
        line.close();
    }
}

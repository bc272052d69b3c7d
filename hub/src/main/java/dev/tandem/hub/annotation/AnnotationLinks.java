package dev.tandem.hub.annotation;

import dev.tandem.hub.web.Socket;
import dev.tandem.protocol.Limits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/** The browsers that can be annotated now, one socket each. Any thread may call it. */
final class AnnotationLinks {
    private final ToLongFunction<String> focusedAt;

    /** By browser, the one that came last at the end. */
    private final Map<String, Socket> sockets = new LinkedHashMap<>();

    /**
     * @param focusedAt when the user last turned to a browser, by its id
     */
    AnnotationLinks(ToLongFunction<String> focusedAt) {
        this.focusedAt = focusedAt;
    }

    /** The newest connection of a browser replaces the older one. */
    synchronized void connected(String browserId, Socket socket, Runnable greet) {
        Socket old = sockets.remove(browserId);
        sockets.put(browserId, socket);
        greet.run();
        notifyAll();
        if (old != null) {
            old.close(1000, "Replaced by a new extension client");
        }
    }

    /** True when that connection was the current one. */
    synchronized boolean lost(String browserId, Socket socket) {
        return sockets.remove(browserId, socket);
    }

    synchronized List<Socket> all() {
        return List.copyOf(sockets.values());
    }

    synchronized Optional<Socket> find(String browserId) {
        return Optional.ofNullable(sockets.get(browserId));
    }

    /**
     * The browser asked for, else the one that the user turned to last; waits a while for one to
     * (re)connect.
     */
    String choose(Optional<String> browserId) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Limits.EXTENSION_HOLD_MS);
        synchronized (this) {
            while (true) {
                Optional<String> found = pick(browserId);
                if (found.isPresent()) {
                    return found.get();
                }
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    throw new AnnotationException(
                            "relay_unavailable", "The extension is not connected for annotations.");
                }
                try {
                    wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new AnnotationException("cancelled", "The hub is stopping.");
                }
            }
        }
    }

    private Optional<String> pick(Optional<String> browserId) {
        if (browserId.isPresent()) {
            return browserId.filter(sockets::containsKey);
        }
        // Of those that nobody turned to, the one that came last.
        return List.copyOf(sockets.keySet()).reversed().stream()
                .reduce((one, other) ->
                        focusedAt.applyAsLong(other) > focusedAt.applyAsLong(one) ? other : one);
    }
}

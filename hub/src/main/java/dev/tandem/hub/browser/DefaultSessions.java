package dev.tandem.hub.browser;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The session that a caller gets who never asked for one; two calls at once get the same. Any
 * thread may call it.
 */
final class DefaultSessions {
    private final OpsSessions sessions;
    private final Map<String, ReentrantLock> launches = new ConcurrentHashMap<>();

    DefaultSessions(OpsSessions sessions) {
        this.sessions = sessions;
    }

    OpsSession of(OpsClient client, Supplier<OpsSession> launch) {
        ReentrantLock lock = launches.computeIfAbsent(client.key(), key -> new ReentrantLock());
        lock.lock();
        try {
            Optional<OpsSession> meanwhile = sessions.only(client);
            return meanwhile.orElseGet(launch);
        } finally {
            lock.unlock();
        }
    }
}

package dev.tandem.hub.browser;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What kept browsers out, the last of each until it is in: that another one came says nothing of
 * it. Any thread may call it.
 */
final class HandshakeErrors {
    /** Anything on this computer can name an origin, so only so many are kept. */
    private static final int MOST = 16;

    private final Map<String, One> errors = new LinkedHashMap<>();

    record One(String code, String message, long at, boolean tokenRefused) {}

    /**
     * @param from the browser, or the extension's origin where that is all that is known
     */
    synchronized void add(String from, One error) {
        errors.remove(from);
        errors.put(from, error);
        if (errors.size() > MOST) {
            errors.remove(errors.keySet().iterator().next());
        }
    }

    synchronized void over(String from) {
        errors.remove(from);
    }

    synchronized List<One> all() {
        return List.copyOf(errors.values());
    }

    Optional<One> latest() {
        List<One> all = all();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
    }
}

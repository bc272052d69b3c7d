package dev.tandem.hub.browser;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Origins that browsers have named to a client, so that its next call can say beforehand which of
 * them it may use. What they may is asked anew each time. Any thread may call it.
 */
final class KnownOrigins {
    private static final int KEPT = 200;

    private final Map<String, Set<String>> named = new ConcurrentHashMap<>();

    Set<String> of(Gate.Request request) {
        return named.computeIfAbsent(request.client().key(), _ -> ConcurrentHashMap.newKeySet());
    }

    void remember(Gate.Request request, String origin) {
        Set<String> known = of(request);
        if (known.size() < KEPT) {
            known.add(origin);
        }
    }
}

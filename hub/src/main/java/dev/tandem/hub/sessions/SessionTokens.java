package dev.tandem.hub.sessions;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Secrets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The MCP tokens of running sessions: a new one at each start, worthless after the end, never
 * stored. Any thread may call it.
 */
final class SessionTokens {
    private static final String PREFIX = "tds_";

    private final SessionStore store;
    private final Map<String, String> sessions = new ConcurrentHashMap<>();

    SessionTokens(SessionStore store) {
        this.store = store;
    }

    String issue(String sessionId) {
        revoke(sessionId);
        String token = Secrets.token(PREFIX);
        sessions.put(Secrets.sha256(token), sessionId);
        return token;
    }

    void revoke(String sessionId) {
        sessions.values().removeIf(sessionId::equals);
    }

    Optional<Caller> caller(String token) {
        if (!token.startsWith(PREFIX)) {
            return Optional.empty();
        }
        return Optional.ofNullable(sessions.get(Secrets.sha256(token)))
                .flatMap(store::session)
                .map(Session::caller);
    }
}

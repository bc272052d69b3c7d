package dev.tandem.hub.terminal;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Secrets;
import dev.tandem.hub.auth.TokenKind;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What programs inside a terminal present to the hub, one token per terminal, in memory only. They
 * act as that terminal, and asking first. Thread-safe.
 */
public final class TerminalTokens {
    private static final String PREFIX = "tdt_";

    private final Map<String, String> sessionByToken = new ConcurrentHashMap<>();

    String mint(String sessionId) {
        String token = Secrets.token(PREFIX);
        sessionByToken.put(token, sessionId);
        return token;
    }

    void revoke(String sessionId) {
        sessionByToken.values().removeIf(sessionId::equals);
    }

    /** Forgets the tokens of every terminal but these. */
    void keep(Collection<String> sessionIds) {
        sessionByToken.values().retainAll(sessionIds);
    }

    public Optional<Caller> caller(String token) {
        return Optional.ofNullable(sessionByToken.get(token))
                .map(session ->
                        new Caller(
                                TokenKind.CLIENT,
                                "terminal-" + session,
                                "Terminal " + session.substring(0, 6),
                                "all",
                                Caller.Mode.ASK,
                                Optional.empty()));
    }
}

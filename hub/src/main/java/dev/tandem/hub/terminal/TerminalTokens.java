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
        return Optional.ofNullable(sessionByToken.get(token)).map(TerminalTokens::inside);
    }

    /** Who a program inside this terminal is; one whose terminal is not known may only look. */
    public static Caller inside(String sessionId) {
        boolean known = !sessionId.isEmpty();
        return new Caller(
                TokenKind.CLIENT,
                known ? "terminal-" + sessionId : "terminal",
                known
                        ? "Terminal " + sessionId.substring(0, Math.min(6, sessionId.length()))
                        : "a process of an ended terminal",
                known ? "all" : "read-only",
                known ? Caller.Mode.ASK : Caller.Mode.READ_ONLY,
                Optional.empty());
    }
}

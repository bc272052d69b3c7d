package dev.tandem.hub.terminal;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Secrets;
import dev.tandem.hub.auth.TokenKind;
import java.time.Clock;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * What programs inside a terminal present to the hub, one token per terminal. They act as that
 * terminal, and asking first. A token follows from the terminal's id by a key of this state dir, so
 * a terminal that outlives a hub keeps its token and no file holds one. Thread-safe.
 */
public final class TerminalTokens {
    private static final String PREFIX = "tdt_";

    private final Map<String, String> sessionByToken = new ConcurrentHashMap<>();
    private final String key;
    private final Predicate<String> running;

    /**
     * @param key in hex
     */
    public TerminalTokens(String key, TerminalAgent agent, Clock clock) {
        this(key, new RunningTerminals(() -> agent.get("list"), clock));
    }

    /**
     * @param running whether that terminal's program runs
     */
    TerminalTokens(String key, Predicate<String> running) {
        this.key = key;
        this.running = running;
    }

    /** The token of this terminal, good from now on. */
    String mint(String sessionId) {
        String token = PREFIX + Secrets.hmac(key, "token|" + sessionId);
        sessionByToken.put(token, sessionId);
        return token;
    }

    /** What may end this terminal and nothing else. */
    String disposeSecret(String sessionId) {
        return Secrets.hmac(key, "dispose|" + sessionId);
    }

    void revoke(String sessionId) {
        sessionByToken.values().removeIf(sessionId::equals);
    }

    /** Forgets the tokens of every terminal but these. */
    void keep(Collection<String> sessionIds) {
        sessionByToken.values().retainAll(sessionIds);
    }

    /** The terminal that this is the token of, while its program runs. */
    public Optional<Caller> caller(String token) {
        return Optional.ofNullable(sessionByToken.get(token))
                .filter(running)
                .map(TerminalTokens::inside);
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

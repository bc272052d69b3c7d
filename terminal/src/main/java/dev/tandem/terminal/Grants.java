package dev.tandem.terminal;

import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tokens that may open a socket: filled by the hub, each taken once. Thread-safe. */
final class Grants {
    private static final long LONGEST_MS = 30 * 60_000L;

    private final Map<String, Grant> validTokens = new LinkedHashMap<>();
    private final InstantSource clock;

    /**
     * What one socket may do.
     *
     * @param command what the hub wants to be run; empty where the profile says it
     * @param attach only to a terminal that is there; nothing is started for it
     */
    record Grant(
            String sessionId,
            String profile,
            List<String> command,
            String directory,
            boolean resume,
            boolean attach,
            boolean readOnly,
            Map<String, String> environment,
            long expiresAt) {
        Grant atMostUntil(long time) {
            return new Grant(
                    sessionId,
                    profile,
                    command,
                    directory,
                    resume,
                    attach,
                    readOnly,
                    environment,
                    Math.min(expiresAt, time));
        }
    }

    Grants(InstantSource clock) {
        this.clock = clock;
    }

    synchronized void add(String token, Grant grant) {
        prune();
        if (validTokens.size() >= Limits.GRANTS) {
            Iterator<String> oldest = validTokens.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        validTokens.put(token, grant.atMostUntil(clock.millis() + LONGEST_MS));
    }

    /** The grant of a live token, which is worth nothing from now on. */
    synchronized Optional<Grant> take(String token) {
        Grant grant = validTokens.remove(token);
        return Optional.ofNullable(grant).filter(g -> g.expiresAt > clock.millis());
    }

    synchronized boolean revoke(String token) {
        return validTokens.remove(token) != null;
    }

    synchronized void revokeAll(String sessionId) {
        validTokens.values().removeIf(grant -> grant.sessionId.equals(sessionId));
    }

    private void prune() {
        long now = clock.millis();
        validTokens.values().removeIf(grant -> grant.expiresAt <= now);
    }
}

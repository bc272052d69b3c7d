package dev.tandem.hub.terminal;

import dev.tandem.hub.auth.Secrets;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;

/** Tokens that may still open a terminal's socket, and who was given them; in memory only. */
final class AttachTokens {
    private static final int MOST = 10_000;

    private final Clock clock;
    private final Deque<Minted> all = new ArrayDeque<>();

    private record Minted(String callerId, String token, long expiresAt) {}

    AttachTokens(Clock clock) {
        this.clock = clock;
    }

    /** What goes with a token and proves nothing without it: a client may send it to any port. */
    static String cookieOf(String token) {
        byte[] hash = HexFormat.of().parseHex(Secrets.sha256("gstack_pty " + token));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    }

    synchronized void add(String callerId, String token, long expiresAt) {
        long now = clock.millis();
        all.removeIf(minted -> minted.expiresAt < now);
        if (all.size() == MOST) {
            all.removeFirst();
        }
        all.addLast(new Minted(callerId, token, expiresAt));
    }

    /** Forgets what this caller was given and tells what it was. */
    synchronized List<String> take(String callerId) {
        List<String> theirs = new ArrayList<>();
        all.removeIf(minted -> minted.callerId.equals(callerId) && theirs.add(minted.token));
        return theirs;
    }
}

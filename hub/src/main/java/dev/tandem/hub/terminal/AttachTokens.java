package dev.tandem.hub.terminal;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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

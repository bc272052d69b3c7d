package dev.tandem.hub.permission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the desk remembers about one requester until its session ends; guarded by the desk. */
final class Memory {
    private static final Duration REFUSED_FOR = Duration.ofMinutes(10);
    private static final int REFUSALS_BEFORE_PAUSE = 3;

    /** Clients put the open card away and stop the turn: two messages of one press. */
    private static final Duration ONE_PRESS = Duration.ofSeconds(2);

    /** Origins the user named, opened or allowed: act mode works inside them. */
    final Set<String> fence = new HashSet<>();

    /** Sites whose content may be read without asking again. */
    final Set<String> readable = new HashSet<>();

    /** Sites whose content was read in this session: what could leak. */
    final Set<String> read = new HashSet<>();

    /** "from → to" pairs of sites the user agreed to. */
    final Set<String> pairs = new HashSet<>();

    /** "name at origin" for this session. */
    final Set<String> forSession = new HashSet<>();

    /** Sites with every routine kind allowed for this session. */
    final Set<String> sites = new HashSet<>();

    /** Hashes of refused requests and until when they stay refused. */
    final Map<String, Long> refused = new HashMap<>();

    /** Hashes of requests that were put away without an answer, and when. */
    private final Map<String, Long> putAway = new HashMap<>();

    /** Single yeses by request hash and place, and until when they hold. */
    final Map<String, Long> grants = new HashMap<>();

    /** When a person said no in this turn, oldest first. */
    private final List<Long> refusals = new ArrayList<>();

    /** Programs have no turns: each refusal of theirs counts for a while. */
    private boolean byTime;

    boolean paused;

    void newTurn() {
        refusals.clear();
        paused = false;
    }

    /** Forgets a program's refusals that are long ago, and what it was paused for with them. */
    void lapse(long now) {
        byTime = true;
        refusals.removeIf(at -> at + REFUSED_FOR.toMillis() <= now);
        paused = paused && enoughRefusals();
    }

    boolean enoughRefusals() {
        return refusals.size() >= REFUSALS_BEFORE_PAUSE;
    }

    /** What a paused requester is told: a program also when it may ask again. */
    String whyPaused(long now) {
        if (!byTime || !enoughRefusals()) {
            return "The session is paused after three refusals.";
        }
        long ends = refusals.get(refusals.size() - REFUSALS_BEFORE_PAUSE) + REFUSED_FOR.toMillis();
        long minutes = Math.max(1, Math.ceilDiv(ends - now, 60_000L));
        return "This program is paused after three refusals. It may ask again in "
                + minutes
                + (minutes == 1 ? " minute." : " minutes.");
    }

    boolean granted(String key, long now) {
        return grants.getOrDefault(key, 0L) > now;
    }

    /** A person said no: the same is not asked again for a while, and three are enough. */
    void turnedAway(String hash, long now) {
        refused.put(hash, now + REFUSED_FOR.toMillis());
        refusals.add(now);
    }

    /** A person chose nothing: as good as a no, unless the turn is stopped with it. */
    void putAway(String hash, long now) {
        turnedAway(hash, now);
        putAway.values().removeIf(at -> now - at > ONE_PRESS.toMillis());
        putAway.put(hash, now);
    }

    /** The user stopped the turn, which says nothing about what it had asked. */
    void stopped(long now) {
        putAway.forEach((hash, at) -> {
            if (now - at <= ONE_PRESS.toMillis()) {
                refused.remove(hash);
            }
        });
        putAway.clear();
    }

    boolean refusedBefore(String hash, long now) {
        refused.values().removeIf(until -> until <= now);
        return refused.containsKey(hash);
    }
}

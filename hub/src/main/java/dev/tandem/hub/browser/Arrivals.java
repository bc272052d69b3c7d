package dev.tandem.hub.browser;

import dev.tandem.protocol.Limits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Which browsers that are not connected may be in a moment: those that the hub starts, those that
 * left a while ago, and after its own start those that it is paired with. Any thread may call it.
 */
final class Arrivals {
    /** How long a call waits for a browser that the hub itself is starting. */
    private static final long STARTING_MS = 30_000;

    /** A worker that was stopped is woken sooner than that. */
    private static final long LATELY_MS = 10L * Limits.EXTENSION_HOLD_MS;

    /** The longest that a browser which lost its hub waits until it looks for it again. */
    private static final long BACKOFF_MS =
            (long) Limits.of("reconnectMaxMs") * (100 + Limits.of("reconnectJitterPercent")) / 100;

    private final long began = System.nanoTime();
    private final Map<String, Expected> prepared = new ConcurrentHashMap<>();
    private final Set<String> starting = ConcurrentHashMap.newKeySet();
    private final Map<String, Browser> known;
    private volatile Supplier<List<String>> paired = List::of;

    /** A browser the hub prepared itself: its name and the way it is driven. */
    private record Expected(String name, String mode) {}

    /**
     * @param known the browsers that were there since the start, by id
     */
    Arrivals(Map<String, Browser> known) {
        this.known = known;
    }

    /** Says whose pairing holds, by the ids of their browsers. */
    void pairedWith(Supplier<List<String>> ids) {
        paired = ids;
    }

    void expect(String browserId, String name, String mode) {
        prepared.put(browserId, new Expected(name, mode));
        starting.add(browserId);
    }

    /** It came, or will not come (any more). */
    void unexpect(String browserId) {
        starting.remove(browserId);
    }

    /** Whether one is being started. */
    boolean oneStarts() {
        return !starting.isEmpty();
    }

    Optional<String> expectedName(String browserId) {
        return Optional.ofNullable(prepared.get(browserId)).map(Expected::name);
    }

    String modeOf(String browserId) {
        Expected one = prepared.get(browserId);
        if (one != null) {
            return one.mode();
        }
        return browserId.startsWith(DebuggedBrowsers.PREFIX) ? "cdpConnect" : "extension";
    }

    /** How long a call waits that would wait that long for one which left. */
    long hold(long millis) {
        return oneStarts() ? Math.max(millis, STARTING_MS) : millis;
    }

    /** Whether such a browser may come, of that name where one is given. */
    boolean mayCome(Optional<String> name, Predicate<Browser> wanted) {
        return starting.stream().anyMatch(id -> name.isEmpty() || isNamed(id, name.get()))
                || known.values().stream()
                        .filter(one -> !one.connected() && !one.awayFor(LATELY_MS))
                        .filter(wanted)
                        .anyMatch(one -> name.isEmpty() || one.isNamed(name.get()))
                || pairedOneMayCome();
    }

    private boolean isNamed(String id, String name) {
        return id.equals(name) || expectedName(id).filter(name::equalsIgnoreCase).isPresent();
    }

    /** What it will call itself is not known before it is there. */
    private boolean pairedOneMayCome() {
        return System.nanoTime() - began < TimeUnit.MILLISECONDS.toNanos(BACKOFF_MS)
                && paired.get().stream()
                        .anyMatch(id ->
                                modeOf(id).equals("extension")
                                        && !id.startsWith(ManagedBrowsers.PREFIX)
                                        && !known.containsKey(id));
    }
}

package dev.tandem.hub.browser;

import dev.tandem.hub.auth.TokenKind;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The hub's view of one client's hold on tabs. Guarded by itself; any thread may call it. */
public final class OpsSession {
    private static final String ENDED = "closed";

    private final String id;
    private final String leaseId;
    private final Browser browser;
    private final OpsClient owner;
    private final String shareMode;
    private final String label;
    private final Set<String> targets = new LinkedHashSet<>();
    private final Map<String, String> renamed = new HashMap<>();
    private final Stops stops = new Stops();
    private String state = "active";
    private String endReason = "";
    private String activeTargetId;
    private OpsClient connection;
    private long usedAt;

    OpsSession(
            String id,
            String leaseId,
            Browser browser,
            OpsClient owner,
            String shareMode,
            String label,
            String activeTargetId) {
        this.id = id;
        this.leaseId = leaseId;
        this.browser = browser;
        this.owner = owner;
        this.connection = owner;
        this.shareMode = shareMode;
        this.label = label;
        this.activeTargetId = activeTargetId;
        if (!activeTargetId.isEmpty()) {
            targets.add(activeTargetId);
        }
    }

    public String id() {
        return id;
    }

    public String leaseId() {
        return leaseId;
    }

    public Browser browser() {
        return browser;
    }

    public String ownerKey() {
        return owner.key();
    }

    /** The user's own sessions have nobody to count them together for. */
    Artifacts.Shelf shelf() {
        return owner.caller().kind() == TokenKind.HUB
                ? Artifacts.Shelf.ofUser(id)
                : new Artifacts.Shelf(ownerKey(), id);
    }

    public String label() {
        return label;
    }

    public String shareMode() {
        return shareMode;
    }

    public boolean sharedForReading() {
        return shareMode.equals("read");
    }

    /** The client the extension knows as the owner. */
    synchronized OpsClient connection() {
        return connection;
    }

    synchronized void takenBackBy(OpsClient client) {
        connection = client;
        state = "active";
    }

    /** The browser takes whoever comes with the lease for the owner's connection from then on. */
    synchronized void usedBy(OpsClient client) {
        connection = client;
    }

    /** "managed", "cdpConnect" or "extension_ops". */
    public String sessionMode() {
        return browser.mode().equals("extension") ? "extension_ops" : browser.mode();
    }

    public synchronized String state() {
        return state;
    }

    synchronized void state(String now) {
        state = now;
    }

    /** Ends it, and what waits for something to happen in it. */
    void end(String reason) {
        synchronized (this) {
            endReason = state.equals(ENDED) ? endReason : reason;
            state = ENDED;
        }
        stops.end();
    }

    /** Runs when the session ends, at once if it has. */
    public void onEnd(Runnable stop) {
        stops.add(stop);
    }

    /** Forgets a stop whose work is done. */
    public void done(Runnable stop) {
        stops.remove(stop);
    }

    /** A session can end while its call was held or waited for a person. */
    public synchronized void throwIfEnded() {
        if (state.equals(ENDED)) {
            throw unknown(endReason);
        }
    }

    /** There is none for a call any more, or never was. */
    static TandemException unknown(String reason) {
        return new TandemException(ErrorCode.INVALID_SESSION, "Unknown ops session", reason);
    }

    public synchronized String activeTargetId() {
        return activeTargetId;
    }

    synchronized void active(String targetId) {
        activeTargetId = targetId;
        targets.add(targetId);
    }

    synchronized void opened(String targetId) {
        targets.add(targetId);
    }

    synchronized void closed(String targetId) {
        targets.remove(targetId);
    }

    /** The browser calls the same tab by another name from now on, as when it was asleep. */
    synchronized void renamed(String before, String now) {
        renamed.put(before, now);
        if (activeTargetId.equals(before)) {
            activeTargetId = now;
        }
    }

    /** The name of a target now; callers may go on with an older one. */
    synchronized String current(String targetId) {
        String name = targetId;
        while (renamed.containsKey(name)) {
            name = renamed.get(name);
        }
        return name;
    }

    public synchronized Set<String> targets() {
        return Set.copyOf(targets);
    }

    synchronized long usedAt() {
        return usedAt;
    }

    synchronized void used(long now) {
        usedAt = now;
    }
}

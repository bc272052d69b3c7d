package dev.tandem.hub.auth;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Whose work a process does. One that descends from an agent or a terminal acts as that session,
 * whatever token it holds. For any thread.
 */
public final class Lineage {
    private final Function<List<Long>, Optional<Caller>> sessions;
    private final long hub = ProcessHandle.current().pid();

    /**
     * @param sessions knows the session of a process by it and its ancestors, nearest first;
     *     processes that lost their parents included
     */
    public Lineage(Function<List<Long>, Optional<Caller>> sessions) {
        this.sessions = sessions;
    }

    /** The session that this process works for; empty for a process of the user's own. */
    public Optional<Caller> sessionOf(long pid) {
        Optional<List<Long>> line = Processes.ancestry(pid);
        if (line.isEmpty()) {
            return Optional.of(ORPHAN);
        }
        return sessions.apply(line.get())
                .or(() ->
                        pid != hub && line.get().contains(hub)
                                ? Optional.of(ORPHAN)
                                : Optional.empty());
    }

    /** One of the hub's, or that has ended, whose session nobody knows: it may look, not act. */
    private static final Caller ORPHAN =
            new Caller(
                    TokenKind.SESSION,
                    "orphan",
                    "a process of an ended session",
                    "read-only",
                    Caller.Mode.READ_ONLY,
                    Optional.of("orphan"));
}

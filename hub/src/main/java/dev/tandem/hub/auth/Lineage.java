package dev.tandem.hub.auth;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;

/**
 * Which processes the hub started for whom. A process that descends from one of them acts as that
 * session, whatever token it holds. For any thread.
 */
public final class Lineage {
    private final Map<Long, Caller> started = new ConcurrentHashMap<>();
    private final LongFunction<Optional<Caller>> agents;
    private final long hub = ProcessHandle.current().pid();

    /**
     * @param agents knows the processes of agents, those that lost their parents included
     */
    public Lineage(LongFunction<Optional<Caller>> agents) {
        this.agents = agents;
    }

    /** For a hub without agents. */
    public Lineage() {
        this(pid -> Optional.empty());
    }

    /** Remembers a process that works for a session; closing the answer forgets it. */
    public Runnable adopt(long pid, Caller session) {
        started.put(pid, session);
        return () -> started.remove(pid, session);
    }

    /** The session that this process works for; empty for a process of the user's own. */
    public Optional<Caller> sessionOf(long pid) {
        Optional<Caller> agent = agents.apply(pid);
        if (agent.isPresent()) {
            return agent;
        }
        for (long ancestor : Processes.ancestry(pid)) {
            Caller session = started.get(ancestor);
            if (session != null) {
                return Optional.of(session);
            }
            if (ancestor == hub && pid != hub) {
                return Optional.of(ORPHAN);
            }
        }
        return Optional.empty();
    }

    /** A child of the hub whose session is not known any more: it may look, not act. */
    private static final Caller ORPHAN =
            new Caller(
                    TokenKind.SESSION,
                    "orphan",
                    "a process of an ended session",
                    "read-only",
                    Caller.Mode.READ_ONLY,
                    Optional.of("orphan"));
}

package dev.tandem.hub.sessions;

import static java.util.Objects.requireNonNull;

import dev.tandem.hub.agent.Agent;
import dev.tandem.hub.agent.AgentEntry;
import dev.tandem.hub.agent.AgentRuntime;
import dev.tandem.hub.agent.AgentSession;
import dev.tandem.hub.auth.Caller;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The processes of agents and who works in them. A process is one session's own, unless the user
 * lets an agent serve several: then sessions share one as long as that widens nothing for any of
 * them. It ends with its last session. Any thread may call it.
 */
final class AgentPool {
    private final SessionStore store;
    private final AgentRuntime runtime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Kind, ReentrantLock> starting = new ConcurrentHashMap<>();
    private final Map<String, Shared> shared = new ConcurrentHashMap<>();

    AgentPool(SessionStore store, AgentRuntime runtime) {
        this.store = store;
        this.runtime = runtime;
    }

    /** What sessions in one process have in common; its own folder is that of all of them. */
    private record Kind(
            AgentEntry entry, String projectId, Caller.Mode mode, String profile, Path cwd) {
        static Kind of(Session session, AgentEntry entry, Path cwd) {
            Caller caller = session.caller();
            return new Kind(entry, session.projectId(), caller.mode(), caller.profile(), cwd);
        }
    }

    /** A process that several may use; guarded by the lock. */
    private static final class Shared {
        private final String owner = "agent-" + UUID.randomUUID();
        private final Kind kind;
        private final Set<String> sessions = new HashSet<>();
        private final Set<String> conversations = new HashSet<>();
        private @Nullable Agent agent;
        private boolean everShared;

        Shared(Kind kind) {
            this.kind = kind;
        }
    }

    /** One session's place in a process. */
    final class Seat {
        private final Agent agent;
        private final String session;
        private final @Nullable Shared process;
        private final boolean joined;

        private Seat(Agent agent, String session, @Nullable Shared process, boolean joined) {
            this.agent = agent;
            this.session = session;
            this.process = process;
            this.joined = joined;
        }

        Agent agent() {
            return agent;
        }

        /** Whether another session had started the process. */
        boolean joined() {
            return joined;
        }

        /** The process knows this conversation from now on. */
        void has(String conversation) {
            lock.lock();
            try {
                if (process != null) {
                    process.conversations.add(conversation);
                }
            } finally {
                lock.unlock();
            }
        }

        /** False when this session, as it is now, may not work beside the others any more. */
        boolean fits(Session now) {
            lock.lock();
            try {
                return process == null
                        || !process.everShared
                        || process.kind.equals(
                                Kind.of(now, process.kind.entry(), process.kind.cwd()));
            } finally {
                lock.unlock();
            }
        }

        /**
         * Ends the session in the agent, and the process with its last one. A process that does not
         * confirm the end goes, too: whoever stops a session relies on it.
         *
         * @param closing is run before the process is ended
         * @return whether the process is gone
         */
        boolean leave(Optional<AgentSession> open, boolean forget, Runnable closing) {
            if (process == null) {
                closing.run();
            }
            boolean over = open.map(one -> agent.leave(one, forget)).orElse(true);
            boolean ends = isLast() || !over;
            if (ends) {
                if (process != null) {
                    closing.run();
                }
                agent.close();
            }
            return ends;
        }

        private boolean isLast() {
            lock.lock();
            try {
                if (process == null) {
                    return true;
                }
                process.sessions.remove(session);
                if (process.sessions.isEmpty()) {
                    shared.remove(process.owner);
                }
                return process.sessions.isEmpty();
            } finally {
                lock.unlock();
            }
        }
    }

    /** A place in a process that may be shared with this session, or in a new one. */
    Seat take(Session session, AgentEntry entry, Path cwd) throws InterruptedException {
        if (!entry.sharedProcess()) {
            return alone(session, entry, cwd);
        }
        Kind kind = Kind.of(session, entry, cwd);
        ReentrantLock one = starting.computeIfAbsent(kind, fresh -> new ReentrantLock());
        one.lockInterruptibly();
        try {
            Optional<Seat> beside = join(kind, session);
            return beside.isPresent() ? beside.get() : begin(kind, session);
        } finally {
            one.unlock();
        }
    }

    /** A process of its own: all that descends from it is this session's. */
    Seat alone(Session session, AgentEntry entry, Path cwd) {
        Agent agent = Agent.start(entry, entry.launch(session.id(), cwd, Map.of()), runtime);
        return new Seat(agent, session.id(), null, false);
    }

    private Seat begin(Kind kind, Session session) {
        Shared process = new Shared(kind);
        process.sessions.add(session.id());
        shared.put(process.owner, process);
        try {
            Agent agent =
                    Agent.start(
                            kind.entry(),
                            kind.entry().launch(process.owner, kind.cwd(), Map.of()),
                            runtime);
            lock.lock();
            try {
                process.agent = agent;
            } finally {
                lock.unlock();
            }
            return new Seat(agent, session.id(), process, false);
        } catch (RuntimeException failed) {
            shared.remove(process.owner);
            throw failed;
        }
    }

    private Optional<Seat> join(Kind kind, Session session) {
        Optional<Shared> found = enter(kind, session);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Shared process = found.get();
        Seat seat = new Seat(requireNonNull(process.agent), session.id(), process, true);
        // Whoever was alone may have been given another mode since the process began.
        boolean same =
                sessions(process.owner).orElse(Set.of()).stream()
                        .flatMap(id -> store.session(id).stream())
                        .allMatch(one -> Kind.of(one, kind.entry(), kind.cwd()).equals(kind));
        if (!same) {
            seat.leave(Optional.empty(), false, () -> {});
        }
        return Optional.of(seat).filter(fits -> same);
    }

    private Optional<Shared> enter(Kind kind, Session session) {
        // Many agents know a conversation only in part where they have had it already.
        String conversation = session.field("sdk_session_id").orElse("");
        lock.lock();
        try {
            for (Shared process : shared.values()) {
                Agent agent = process.agent;
                if (agent != null
                        && agent.isRunning()
                        && agent.capabilities().closeSession()
                        && process.kind.equals(kind)
                        && !process.conversations.contains(conversation)) {
                    process.everShared = true;
                    process.sessions.add(session.id());
                    return Optional.of(process);
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Who works in the process of that name; empty for names of no shared process. */
    Optional<Set<String>> sessions(String owner) {
        lock.lock();
        try {
            return Optional.ofNullable(shared.get(owner)).map(one -> Set.copyOf(one.sessions));
        } finally {
            lock.unlock();
        }
    }
}

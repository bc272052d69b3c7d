package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.ProcessTrees;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Holder;
import dev.tandem.hub.auth.Holders;
import dev.tandem.hub.auth.Processes;
import dev.tandem.hub.auth.TcpEnds;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Who comes through a session's own door: its agent, in a turn, and nobody who found its token. Any
 * thread may call it.
 */
public final class SessionDoor {
    private static final Caller SOME_AGENT =
            new Caller(
                    TokenKind.SESSION,
                    "unknown-agent",
                    "an agent",
                    "none",
                    Caller.Mode.READ_ONLY,
                    Optional.empty());

    private final SessionStore store;
    private final SessionTokens tokens;
    private final ProcessTrees trees;
    private final AgentPool pool;
    private final Predicate<String> turnRuns;
    private final Holders holders = new Holders();

    SessionDoor(
            SessionStore store,
            SessionTokens tokens,
            ProcessTrees trees,
            AgentPool pool,
            Predicate<String> turnRuns) {
        this.store = store;
        this.tokens = tokens;
        this.trees = trees;
        this.pool = pool;
        this.turnRuns = turnRuns;
    }

    /** Who stands behind a session's MCP token. */
    public Optional<Caller> caller(String token) {
        return tokens.caller(token);
    }

    /**
     * Lets a call with a session's token in, or says why not: no turn runs, or the connection from
     * these ends does not belong to the session's agent, where the system can tell.
     */
    public void admit(String sessionId, TcpEnds ends) {
        if (!turnRuns.test(sessionId)) {
            throw TandemException.of(ErrorCode.NO_TURN);
        }
        if (!Processes.visible()) {
            return;
        }
        boolean own =
                holders.of(ends) instanceof Holder.Found(List<Long> line)
                        && trees.ownerOf(line)
                                .filter(owner -> users(owner).contains(sessionId))
                                .isPresent();
        if (!own) {
            throw new TandemException(
                    ErrorCode.FORBIDDEN,
                    "This token belongs to the agent of another process.",
                    "foreign_process");
        }
    }

    /**
     * Whom a process acts as when a known agent started it; empty for all others.
     *
     * @param line the process and its ancestors, nearest first
     */
    public Optional<Caller> actor(List<Long> line) {
        if (trees.isEmpty()) {
            return Optional.empty();
        }
        return trees.ownerOf(line)
                .filter(id -> !id.equals(ProcessTrees.UNKNOWN_OWNER))
                .map(owner -> worker(users(owner)).map(Session::caller).orElse(SOME_AGENT));
    }

    /** The sessions that a process of this name works for: one, unless it is shared. */
    private Set<String> users(String owner) {
        return pool.sessions(owner).orElse(Set.of(owner));
    }

    /** In a shared process it is the one that works; of several nobody can tell which it was. */
    private Optional<Session> worker(Set<String> users) {
        List<String> able =
                users.size() == 1 ? List.copyOf(users) : users.stream().filter(turnRuns).toList();
        return able.size() == 1 ? store.session(able.getFirst()) : Optional.empty();
    }
}

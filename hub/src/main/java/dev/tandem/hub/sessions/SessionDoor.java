package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.ProcessTrees;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Processes;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.util.Optional;
import java.util.function.Predicate;

/** Who comes through a session's own door: its agent, in a turn, and nobody who found its token. */
final class SessionDoor {
    private static final Caller SOME_AGENT =
            new Caller(
                    TokenKind.SESSION,
                    "unknown-agent",
                    "an agent",
                    "none",
                    Caller.Mode.READ_ONLY,
                    Optional.empty());

    private final SessionStore store;
    private final ProcessTrees trees;
    private final Predicate<String> turnRuns;

    SessionDoor(SessionStore store, ProcessTrees trees, Predicate<String> turnRuns) {
        this.store = store;
        this.trees = trees;
        this.turnRuns = turnRuns;
    }

    /** Refuses calls outside a turn and, where the system can tell, from foreign processes. */
    void admit(String sessionId, int remotePort, int hubPort) {
        if (!turnRuns.test(sessionId)) {
            throw TandemException.of(ErrorCode.NO_TURN);
        }
        if (!Processes.visible()) {
            return;
        }
        boolean own =
                Processes.holder(remotePort, hubPort)
                        .flatMap(trees::ownerOf)
                        .filter(sessionId::equals)
                        .isPresent();
        if (!own) {
            throw new TandemException(
                    ErrorCode.FORBIDDEN,
                    "This token belongs to the agent of another process.",
                    "foreign_process");
        }
    }

    /** Whom a process acts as when a known agent started it; empty for all others. */
    Optional<Caller> actor(long pid) {
        if (trees.isEmpty()) {
            return Optional.empty();
        }
        return trees.ownerOf(pid)
                .filter(id -> !id.equals(ProcessTrees.UNKNOWN_OWNER))
                .map(id -> store.session(id).map(Session::caller).orElse(SOME_AGENT));
    }
}

package dev.tandem.hub;

import dev.tandem.hub.agent.ProcessTrees;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Processes;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.terminal.TerminalAgent;
import dev.tandem.hub.terminal.TerminalTokens;
import dev.tandem.hub.web.Kin;
import java.util.Optional;

/** Connections of agents' processes, of programs in terminals, and of what either left behind. */
record AgentKin(
        SessionEngine engine, TerminalAgent terminals, ProcessTrees trees, PermissionDesk desk)
        implements Kin {
    private static final Caller STRAY =
            new Caller(
                    TokenKind.SESSION,
                    "stray",
                    "an agent or a terminal that is gone",
                    "none",
                    Caller.Mode.READ_ONLY,
                    Optional.empty());

    @Override
    public Optional<Caller> of(int remotePort, int hubPort, boolean browser) {
        if (!Processes.visible()) {
            return Optional.empty();
        }
        return agent(remotePort, hubPort)
                .or(() -> terminals.terminalBehind(remotePort, hubPort).map(TerminalTokens::inside))
                .or(() -> browser ? Optional.empty() : stray(remotePort, hubPort));
    }

    private Optional<Caller> agent(int remotePort, int hubPort) {
        if (trees.isEmpty()) {
            return Optional.empty();
        }
        // The hub is the reaper of all that agents start, so none of it is outside its descendants.
        return Processes.holderAmong(
                        ProcessHandle.current().descendants().map(ProcessHandle::pid),
                        remotePort,
                        hubPort)
                .flatMap(engine::actor);
    }

    private Optional<Caller> stray(int remotePort, int hubPort) {
        return Processes.holderAmong(trees.strays(), remotePort, hubPort).map(_ -> STRAY);
    }

    @Override
    public void refused(Caller agent, String what) {
        desk.refused(agent, what);
    }
}

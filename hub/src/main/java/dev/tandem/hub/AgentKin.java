package dev.tandem.hub;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Processes;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.terminal.TerminalAgent;
import dev.tandem.hub.terminal.TerminalTokens;
import dev.tandem.hub.web.Kin;
import java.util.Optional;

/** Connections of agents' processes and of programs in terminals. */
record AgentKin(SessionEngine engine, TerminalAgent terminals, PermissionDesk desk) implements Kin {
    @Override
    public Optional<Caller> of(int remotePort, int hubPort, boolean browser) {
        if (!Processes.visible()) {
            return Optional.empty();
        }
        return agent(remotePort, hubPort, browser)
                .or(() ->
                        terminals.terminalBehind(remotePort, hubPort).map(TerminalTokens::inside));
    }

    private Optional<Caller> agent(int remotePort, int hubPort, boolean browser) {
        if (!engine.hadAgents()) {
            return Optional.empty();
        }
        // The hub is the reaper of all that agents start, so none of it is outside its descendants.
        return Processes.holderAmong(
                        ProcessHandle.current().descendants().map(ProcessHandle::pid),
                        remotePort,
                        hubPort)
                .flatMap(pid ->
                        engine.actor(pid).or(() -> browser ? Optional.empty() : engine.stray(pid)));
    }

    @Override
    public void refused(Caller agent, String what) {
        desk.refused(agent, what);
    }
}

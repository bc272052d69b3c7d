package dev.tandem.hub.web;

import dev.tandem.hub.auth.Caller;
import java.util.Optional;

/** Knows which connections come from processes that agents started, whatever token they show. */
public interface Kin {
    /** The agent session behind a connection from that port; empty for everybody else. */
    Optional<Caller> of(int remotePort, int hubPort);

    /** Takes note of what such a process was refused. */
    void refused(Caller agent, String what);

    /** For a hub without agents. */
    Kin NONE =
            new Kin() {
                @Override
                public Optional<Caller> of(int remotePort, int hubPort) {
                    return Optional.empty();
                }

                @Override
                public void refused(Caller agent, String what) {}
            };
}

package dev.tandem.hub.web;

import dev.tandem.hub.auth.Caller;
import java.util.Optional;

/** Knows which connections come from processes that agents started, whatever token they show. */
public interface Kin {
    /**
     * The agent session behind a connection from that port; empty for everybody else.
     *
     * @param browser whether it shows a browser's token or is about to get one: a browser that the
     *     hub opened for the user may have left the hub's own session, as an agent's process does
     */
    Optional<Caller> of(int remotePort, int hubPort, boolean browser);

    /** Takes note of what such a process was refused. */
    void refused(Caller agent, String what);

    /** For a hub without agents. */
    Kin NONE =
            new Kin() {
                @Override
                public Optional<Caller> of(int remotePort, int hubPort, boolean browser) {
                    return Optional.empty();
                }

                @Override
                public void refused(Caller agent, String what) {}
            };
}

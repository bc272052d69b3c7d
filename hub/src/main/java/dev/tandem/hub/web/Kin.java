package dev.tandem.hub.web;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TcpEnds;
import java.util.Optional;

/** Knows which connections come from processes that agents started, whatever token they show. */
public interface Kin {
    /**
     * Why the user's own credentials are worth nothing on this connection; empty where they are the
     * user's.
     *
     * @param browser whether it shows a browser's token or is about to get one: browsers may come
     *     by ways that show no process
     */
    Optional<Refusal> of(TcpEnds ends, boolean browser);

    /**
     * A connection that is not the user's, or cannot be shown to be.
     *
     * @param who the session behind it, as far as it is known
     */
    record Refusal(Caller who, String why) {}

    /** Takes note of what such a process was refused. */
    void refused(Caller agent, String what);

    /** For a hub without agents. */
    Kin NONE =
            new Kin() {
                @Override
                public Optional<Refusal> of(TcpEnds ends, boolean browser) {
                    return Optional.empty();
                }

                @Override
                public void refused(Caller agent, String what) {}
            };
}

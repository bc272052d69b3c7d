package dev.tandem.hub.auth;

import java.util.List;

/** Who has the other end of a connection, as far as the system shows it. */
public sealed interface Holder {
    /** This process has it open. */
    record Found(long pid) implements Holder {}

    /**
     * It is open, but in no process that can be looked into.
     *
     * @param uid the user who made it
     * @param closed the processes whose descriptors cannot be read
     */
    record Hidden(int uid, List<Long> closed) implements Holder {}

    /** It was closed: who asked cannot be told any more. */
    record Gone() implements Holder {}

    /** It is no socket of this system, but of the one that this system runs in. */
    record Elsewhere() implements Holder {}
}

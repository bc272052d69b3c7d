package dev.tandem.hub.auth;

import java.util.List;

/** Who has the other end of a connection, as far as the system shows it. */
public sealed interface Holder {
    /**
     * A process has it open.
     *
     * @param line that process and its ancestors, nearest first
     */
    record Found(List<Long> line) implements Holder {}

    /**
     * It is open, but in no process that can be looked into.
     *
     * @param uid the user who made it
     * @param hiding the processes that may have it: their descriptors cannot be read, or not all
     */
    record Hidden(int uid, List<Long> hiding) implements Holder {}

    /** It was closed: who asked cannot be told any more. */
    record Gone() implements Holder {}

    /** It is no socket of this system, but of the one that this system runs in. */
    record Elsewhere() implements Holder {}
}

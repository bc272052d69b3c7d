package dev.tandem.hub.relay;

import dev.tandem.protocol.Limits;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** The sockets that have not said who they are: few, and a new one pushes the oldest out. */
final class Unproven {
    private static final int MOST = Limits.of("unprovenSockets");

    private final Deque<RelayClient> waiting = new ArrayDeque<>();
    private final Runnable wrongToken;

    /**
     * @param wrongToken counts one; throws when there were too many of late
     */
    Unproven(Runnable wrongToken) {
        this.wrongToken = wrongToken;
    }

    void wrongToken() {
        wrongToken.run();
    }

    void add(RelayClient client) {
        oldestTooMany(client).ifPresent(RelayClient::leaveUnproven);
    }

    synchronized void remove(RelayClient client) {
        waiting.remove(client);
    }

    private synchronized Optional<RelayClient> oldestTooMany(RelayClient client) {
        waiting.addLast(client);
        return waiting.size() > MOST ? Optional.of(waiting.removeFirst()) : Optional.empty();
    }
}

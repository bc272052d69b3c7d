package dev.tandem.hub.sessions;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Starts a session again whose agent crashed while messages waited for it, so that nobody waits for
 * nothing; but not after two crashes in a row, which would go on for ever.
 */
final class Restarts {
    private static final Logger LOG = LoggerFactory.getLogger(Restarts.class);
    private static final Duration IN_A_ROW = Duration.ofSeconds(30);

    private final SessionLog log;
    private final MessageQueue queue;
    private final Clock clock;
    private final Consumer<String> start;
    private final Map<String, Long> crashes = new ConcurrentHashMap<>();

    Restarts(SessionLog log, MessageQueue queue, Clock clock, Consumer<String> start) {
        this.log = log;
        this.queue = queue;
        this.clock = clock;
        this.start = start;
    }

    /** Whether a crash now would not be the end: messages wait, and it is the first in a while. */
    boolean would(String id) {
        return alone(crashes.get(id)) && !queue.list(id).isEmpty();
    }

    private boolean alone(@Nullable Long before) {
        return before == null || clock.millis() - before > IN_A_ROW.toMillis();
    }

    /** The session's agent ended in a way that nobody asked for, and everything of it is stored. */
    void crashed(String id) {
        boolean again = alone(crashes.put(id, clock.millis()));
        int waiting = queue.list(id).size();
        if (waiting == 0) {
            return;
        }
        try {
            tell(id, again, waiting);
            if (again) {
                start.accept(id);
            }
        } catch (TandemException e) {
            LOG.info("Session {} was not started again: {}", id, e.message());
        }
    }

    private void tell(String id, boolean again, int waiting) {
        ObjectNode body = Json.object().put("event", again ? "restarting" : "not_restarted");
        String messages = waiting == 1 ? "a message waits" : waiting + " messages wait";
        body.putObject("value")
                .put("waiting", waiting)
                .put(
                        "message",
                        again
                                ? "The agent is started again, because " + messages + "."
                                : "The agent crashed twice within 30 s, so it is not started again"
                                        + " by itself although "
                                        + messages
                                        + ". Start the session to go on.");
        log.append(id, Entry.Kind.SYSTEM, body);
    }

    void forget(String id) {
        crashes.remove(id);
    }
}

package dev.tandem.hub.sessions;

import dev.tandem.protocol.Json;
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

    private final Parts parts;
    private final Consumer<String> start;
    private final Map<String, Long> crashes = new ConcurrentHashMap<>();

    Restarts(Parts parts, Consumer<String> start) {
        this.parts = parts;
        this.start = start;
    }

    /** Whether a crash now would not be the end: messages wait, and it is the first in a while. */
    boolean would(String id) {
        return alone(crashes.get(id)) && !parts.queue().list(id).isEmpty();
    }

    private boolean alone(@Nullable Long before) {
        return before == null || parts.clock().millis() - before > IN_A_ROW.toMillis();
    }

    /**
     * The session's agent ended in a way that nobody asked for, and everything of it is stored.
     *
     * @param promised whether those who watch were told that it comes back
     */
    void crashed(String id, boolean promised) {
        boolean again = alone(crashes.put(id, parts.clock().millis()));
        String why = "nothing waits for it any more.";
        try {
            int waiting = parts.queue().list(id).size();
            if (waiting > 0) {
                if (again) {
                    start.accept(id);
                }
                tell(id, again, waiting);
            }
        } catch (RuntimeException e) {
            LOG.info("Session {} was not started again: {}", id, e.toString());
            why = Turn.words(e);
        }
        if (promised) {
            takeBack(parts, id, why);
        }
    }

    /**
     * Those who wait for an agent that was promised are told that it does not come; nothing is told
     * where it comes.
     */
    static void takeBack(Parts parts, String id, String why) {
        boolean ended =
                parts.store()
                        .session(id)
                        .filter(session -> session.phase() == Phase.FAILED)
                        .isPresent();
        boolean waited =
                parts.log()
                        .last(id, Entry.Kind.LIFECYCLE)
                        .filter(last -> last.body().path("again").asBoolean(false))
                        .isPresent();
        if (ended && waited) {
            ObjectNode stopped = Json.object().put("event", "session_stopped");
            stopped.put("phase", Phase.FAILED.word()).put("reason", "not_restarted");
            stopped.put(
                    "message",
                    "The agent is not started again after all: "
                            + why
                            + " Start the session to go on.");
            new UntilStored(() -> LOG.warn("The end of session {} waits for room", id))
                    .run(() -> parts.log().append(id, Entry.Kind.LIFECYCLE, stopped));
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
        parts.log().append(id, Entry.Kind.SYSTEM, body);
    }

    void forget(String id) {
        crashes.remove(id);
    }
}

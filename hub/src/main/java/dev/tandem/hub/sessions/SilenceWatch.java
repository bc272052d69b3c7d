package dev.tandem.hub.sessions;

import dev.tandem.protocol.Json;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Notices an agent that works for long without a word; once per turn. For one thread at a time. */
final class SilenceWatch {
    private final Duration limit;
    private String toldRun = "";
    private long waitedUntil;

    SilenceWatch(Duration limit) {
        this.limit = limit;
    }

    /**
     * The notice to show now, if any.
     *
     * @param heard how long ago the agent said its last word, in whatever turn
     * @param waits it waits for an answer, which is no silence
     */
    Optional<ObjectNode> look(Turn turn, Duration heard, boolean waits, long now) {
        if (waits) {
            waitedUntil = now;
        }
        long since = Math.max(turn.startedAt(), Math.max(waitedUntil, now - heard.toMillis()));
        if (turn.runId().equals(toldRun) || now - since <= limit.toMillis()) {
            return Optional.empty();
        }
        toldRun = turn.runId();
        ObjectNode notice = Json.object().put("sessionUpdate", "notice");
        notice.put("severity", "warning").put("action", "cancel");
        return Optional.of(
                notice.put(
                        "title",
                        "The agent has been silent for %s. It may still work; you can stop the turn."
                                .formatted(words(limit))));
    }

    private static String words(Duration time) {
        return time.toMinutes() > 0 ? time.toMinutes() + " min" : time.toSeconds() + " s";
    }
}

package dev.tandem.hub.sessions;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** What the fields of a session mean to the engine. */
final class SessionFields {
    /** What belongs to one session's life and not to its settings. */
    static final List<String> OF_ONE_RUN =
            List.of(
                    "prompt",
                    "start_time",
                    "completion_time",
                    "conditions",
                    EndOfLife.FAILURE,
                    "sdk_session_id",
                    "adopted",
                    OpenedAgent.UNTOLD,
                    "sdk_restart_count",
                    "starts",
                    "agent_options",
                    "cwd",
                    "usage",
                    "created_by_user_id");

    private SessionFields() {}

    /** Whether its agent had it before the hub: it stays with the agent, whatever happens here. */
    static boolean adopted(Session session) {
        return session.fields().path("adopted").asBoolean(false);
    }

    /** How long it may do nothing; zero for ever. */
    static Optional<Duration> idle(Session session) {
        return seconds(session.fields().path("inactivity_timeout"));
    }

    /** How long it may run at all. */
    static Optional<Duration> timeout(Session session) {
        return seconds(session.fields().path("timeout")).filter(limit -> !limit.isZero());
    }

    private static Optional<Duration> seconds(JsonNode value) {
        return value.isIntegralNumber() && value.longValue() >= 0
                ? Optional.of(Duration.ofSeconds(value.longValue()))
                : Optional.empty();
    }
}

package dev.tandem.hub.sessions;

import dev.tandem.protocol.TandemException;
import java.time.Duration;
import java.util.Optional;

/** Ends sessions that did nothing for too long, or that ran longer than they may. */
final class SessionClocks {
    private static final String IDLE = "tandem/inactivity-timeout";

    private final SessionStore store;
    private final Duration usual;
    private final Stop stop;

    SessionClocks(SessionStore store, Duration usual, Stop stop) {
        this.store = store;
        this.usual = usual;
        this.stop = stop;
    }

    /** Stops a session for a reason. */
    interface Stop {
        void stop(String id, String reason, String message);
    }

    void look(LiveSession session) {
        Session now = store.required(session.id());
        Duration idle = SessionFields.idle(now).or(() -> ofProject(now)).orElse(usual);
        boolean tooLong =
                session.turns().idle().map(time -> time.compareTo(idle) > 0).orElse(false);
        if (!idle.isZero() && tooLong) {
            stop.stop(
                    now.id(),
                    "idle",
                    "Nothing happened for " + words(idle) + ". Start the session to go on.");
            return;
        }
        Optional<Duration> limit = SessionFields.timeout(now);
        if (limit.isPresent() && session.age().compareTo(limit.get()) > 0) {
            session.fail(
                    "timeout",
                    "The session ran longer than its " + limit.get().toSeconds() + " s.");
        }
    }

    private Optional<Duration> ofProject(Session session) {
        try {
            return store.project(session.projectId())
                    .flatMap(project -> project.annotation(IDLE))
                    .map(Long::parseLong)
                    .filter(seconds -> seconds >= 0)
                    .map(Duration::ofSeconds);
        } catch (TandemException | NumberFormatException unreadable) {
            return Optional.empty();
        }
    }

    private static String words(Duration time) {
        return time.toMinutes() > 0 ? time.toMinutes() + " minutes" : time.toSeconds() + " s";
    }
}

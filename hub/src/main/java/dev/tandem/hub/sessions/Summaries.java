package dev.tandem.hub.sessions;

import java.util.Optional;
import java.util.stream.Stream;

/** Draws up how a session looks in a list. */
final class Summaries {
    /** Nobody reads a larger number than this from a list. */
    private static final int MOST_UNREAD = 100;

    private final SessionLog log;
    private final MessageQueue queue;

    Summaries(SessionLog log, MessageQueue queue) {
        this.log = log;
        this.queue = queue;
    }

    SessionSummary of(Session session, Optional<Turns> live) {
        String preview =
                Stream.of(Entry.Kind.USER, Entry.Kind.ASSISTANT)
                        .flatMap(kind -> log.last(session.id(), kind).stream())
                        .filter(entry -> !entry.body().path("withdrawn").asBoolean(false))
                        .max(java.util.Comparator.comparingLong(Entry::seq))
                        .map(History::preview)
                        .orElse("");
        return new SessionSummary(
                session,
                status(session, live),
                session.lastSeq() > session.readSeq()
                        ? log.news(session.id(), session.readSeq(), MOST_UNREAD)
                        : 0,
                preview,
                queue.list(session.id()).size(),
                live.map(Turns::locked).orElseGet(() -> EndOfLife.signInWords(session)));
    }

    private static SessionSummary.Status status(Session session, Optional<Turns> live) {
        return switch (session.phase()) {
            case COMPLETED -> SessionSummary.Status.COMPLETED;
            case FAILED -> SessionSummary.Status.FAILED;
            case NONE, STOPPING, STOPPED -> SessionSummary.Status.STOPPED;
            case PENDING, CREATING, RUNNING ->
                    live.filter(Turns::waitForUser).isPresent()
                            ? SessionSummary.Status.WAITING_INPUT
                            : live.filter(Turns::running).isPresent()
                                    ? SessionSummary.Status.WORKING
                                    : SessionSummary.Status.IDLE;
        };
    }
}

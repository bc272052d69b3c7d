package dev.tandem.hub;

import dev.tandem.hub.annotation.Chats;
import dev.tandem.hub.sessions.Prompt;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionSummary;
import dev.tandem.hub.sessions.SessionSummary.Status;
import dev.tandem.protocol.TandemException;
import java.util.List;
import java.util.Set;

/** The one agent session that is running: where a sent annotation goes. */
final class OpenChat implements Chats {
    private static final Set<Status> OPEN =
            Set.of(Status.WORKING, Status.IDLE, Status.WAITING_INPUT);

    private final SessionEngine engine;

    OpenChat(SessionEngine engine) {
        this.engine = engine;
    }

    @Override
    public Offer offer(String text) {
        List<SessionSummary> open =
                engine.summaries().stream()
                        .filter(summary -> OPEN.contains(summary.status()))
                        .toList();
        if (open.size() != 1) {
            return open.isEmpty() ? Offer.none() : Offer.ambiguous();
        }
        String id = open.getFirst().session().id();
        boolean waits = engine.turnRuns(id);
        try {
            var _ = engine.send(id, Prompt.of(text));
            return Offer.delivered(id, waits);
        } catch (TandemException e) {
            return Offer.none();
        }
    }
}

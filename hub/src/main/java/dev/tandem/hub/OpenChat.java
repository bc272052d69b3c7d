package dev.tandem.hub;

import dev.tandem.hub.annotation.Chats;
import dev.tandem.hub.sessions.Prompt;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionSummary.Status;
import dev.tandem.protocol.TandemException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Where a sent annotation goes: the session the person has open, else the only one that runs. */
final class OpenChat implements Chats {
    private static final Set<Status> OPEN =
            Set.of(Status.WORKING, Status.IDLE, Status.WAITING_INPUT);

    private final SessionEngine engine;

    OpenChat(SessionEngine engine) {
        this.engine = engine;
    }

    @Override
    public Offer offer(String text, Optional<String> chat) {
        List<String> open =
                engine.summaries().stream()
                        .filter(summary -> OPEN.contains(summary.status()))
                        .map(summary -> summary.session().id())
                        .toList();
        if (chat.isEmpty() && open.size() > 1) {
            return Offer.ambiguous();
        }
        return chat.or(() -> open.stream().findFirst())
                .map(id -> send(id, text))
                .orElseGet(Offer::none);
    }

    /** While a turn runs the words wait in the session's queue. */
    private Offer send(String id, String text) {
        try {
            boolean waits = engine.turnRuns(id);
            var _ = engine.send(id, Prompt.of(text));
            return Offer.delivered(id, waits);
        } catch (TandemException e) {
            return Offer.none();
        }
    }
}

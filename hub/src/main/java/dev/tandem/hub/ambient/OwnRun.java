package dev.tandem.hub.ambient;

import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.SessionFeed;

/** Shows the run of one prompt alone, from its start to its end. Called by one thread at a time. */
final class OwnRun implements SessionFeed.Viewer {
    private final String clientMessageId;
    private final RunEvents events;
    private long prompt = -1;
    private String run = "";

    OwnRun(String clientMessageId, RunEvents events) {
        this.clientMessageId = clientMessageId;
        this.events = events;
    }

    @Override
    public void onEntry(Entry entry) {
        if (entry.clientMessageId().filter(clientMessageId::equals).isPresent()) {
            prompt = entry.seq();
        }
        String event = MessageView.text(entry.body(), "event");
        if (event.equals("run_started") && entry.body().path("prompt").asLong(0) == prompt) {
            run = MessageView.text(entry.body(), "runId");
        }
        if (!run.isEmpty()) {
            events.onEntry(entry);
            if (event.equals("run_finished")) {
                run = "";
                events.onEnd();
            }
        }
    }

    @Override
    public void onDelta(SessionFeed.Delta delta) {
        if (!run.isEmpty()) {
            events.onDelta(delta);
        }
    }

    @Override
    public void onEnd() {
        events.onEnd();
    }
}

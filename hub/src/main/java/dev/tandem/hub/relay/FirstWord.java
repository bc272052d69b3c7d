package dev.tandem.hub.relay;

import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.SessionFeed;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Lets nothing of a session through before its client was told that there is one: agents speak of a
 * session before they have opened it. What is asked passes, as the opening may wait for the answer.
 */
final class FirstWord implements SessionFeed.Viewer {
    private final SessionFeed.Viewer viewer;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean said;

    FirstWord(SessionFeed.Viewer viewer) {
        this.viewer = viewer;
    }

    /** The client knows: what waited comes now, and the rest as it happens. */
    synchronized void said() {
        said = true;
        waiting.forEach(Runnable::run);
        waiting.clear();
    }

    @Override
    public void onEntry(Entry entry) {
        if (asks(entry)) {
            viewer.onEntry(entry);
        } else {
            show(() -> viewer.onEntry(entry));
        }
    }

    @Override
    public void onDelta(SessionFeed.Delta delta) {
        show(() -> viewer.onDelta(delta));
    }

    @Override
    public void onEnd() {
        show(viewer::onEnd);
    }

    private synchronized void show(Runnable what) {
        if (said) {
            what.run();
        } else {
            waiting.add(what);
        }
    }

    private static boolean asks(Entry entry) {
        return entry.kind() == Entry.Kind.PERMISSION
                || entry.text("event").orElse("").startsWith("elicitation_");
    }
}

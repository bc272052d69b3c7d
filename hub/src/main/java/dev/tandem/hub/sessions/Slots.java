package dev.tandem.hub.sessions;

import dev.tandem.protocol.Json;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.ObjectNode;

/**
 * Places for sessions with a process: there are only so many, and who came first gets the next. Any
 * thread may call it.
 */
final class Slots {
    private final Semaphore free;
    private final SessionLog log;

    Slots(int most, SessionLog log) {
        this.free = new Semaphore(most, true);
        this.log = log;
    }

    /** Takes one for a session; one that must wait says so. */
    void take(String sessionId) throws InterruptedException {
        // with a time, or it would pass those who wait already
        if (!free.tryAcquire(0, TimeUnit.SECONDS)) {
            ObjectNode waits = Json.object().put("event", "place_waits");
            waits.putObject("value")
                    .put(
                            "message",
                            "As many sessions run as may at a time. This one starts when another"
                                    + " is stopped.");
            log.append(sessionId, Entry.Kind.SYSTEM, waits);
            free.acquire();
        }
    }

    void release() {
        free.release();
    }
}

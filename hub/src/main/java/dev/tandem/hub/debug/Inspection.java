package dev.tandem.hub.debug;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import java.time.Clock;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What was last looked at in one browser, what was changed there, and who is told. Thread-safe. */
final class Inspection {
    private static final int KEPT = 100;
    private static final int STALE_MS = Limits.of("inspectorStaleMs");

    private final Clock clock;
    private final Ring events;
    private final ReentrantLock changes = new ReentrantLock();
    private JsonNode edits = Json.array();
    private JsonNode data = Json.mapper().nullNode();
    private long at;

    Inspection(Clock clock) {
        this.clock = clock;
        this.events = new Ring(KEPT, clock);
    }

    Ring events() {
        return events;
    }

    /**
     * Held from the question to the browser until its answer is kept: the browser makes changes one
     * after the other, and its answers must not overtake each other here.
     */
    ReentrantLock changes() {
        return changes;
    }

    synchronized void picked(JsonNode found) {
        keep(found);
        tell(Json.object().put("type", "pick").put("selector", text(found, "selector")));
    }

    synchronized void applied(JsonNode edit, JsonNode found) {
        keep(found);
        ObjectNode event = Json.object().put("type", "apply");
        event.set("modification", edit);
        tell(event);
    }

    /** What was asked for here is told with its answer; the rest the browser did by itself. */
    synchronized void edited(JsonNode modifications) {
        boolean same = edits.equals(modifications);
        edits = modifications;
        if (!same && !changes.isLocked()) {
            tell(Json.object().put("type", "reset"));
        }
    }

    synchronized void reset(JsonNode found) {
        if (found.isObject()) {
            keep(found);
        }
        tell(Json.object().put("type", "reset"));
    }

    synchronized ObjectNode state() {
        ObjectNode state = Json.object().put("timestamp", at);
        state.set("data", data);
        return state.put("stale", at == 0 || clock.millis() - at > STALE_MS);
    }

    synchronized ObjectNode history() {
        return Json.object().set("history", edits);
    }

    private void keep(JsonNode found) {
        data = found;
        at = clock.millis();
    }

    private void tell(ObjectNode event) {
        event.put("timestamp", clock.millis());
        event.set("data", data);
        event.put("edits", edits.size());
        events.add("", event);
    }

    private static String text(JsonNode node, String field) {
        return Json.text(node, field).orElse("");
    }
}

package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which frames of other origins a call may read and use: those that the rules and the person's
 * answers open already. The browser leaves out the rest and names it. Any thread may call it.
 */
final class FrameRights {
    private static final String LEFT_OUT = "leftOutOrigins";

    private final Gate gate;
    private final KnownOrigins known = new KnownOrigins();

    FrameRights(Gate gate) {
        this.gate = gate;
    }

    /** What a request says about frames; empty for callers to whom every frame is open. */
    Optional<ArrayNode> open(Gate.Request request) {
        if (!gate.guardsFrames(request)) {
            return Optional.empty();
        }
        ArrayNode open = Json.array();
        for (String origin : known.of(request)) {
            if (gate.opensFrame(request, origin)) {
                open.add(origin);
            }
        }
        return Optional.of(open);
    }

    /** Takes the browser's note off an answer; true when some of what it left out is open. */
    boolean missed(Gate.Request request, ObjectNode answer) {
        List<String> origins = Json.texts(answer, LEFT_OUT);
        answer.remove(LEFT_OUT);
        origins.forEach(origin -> remember(request, origin));
        return origins.stream().anyMatch(origin -> gate.opensFrame(request, origin));
    }

    /** The frame that a step was refused for, when it was for that. */
    static Optional<String> refusedFor(TandemException failure) {
        return Json.text(failure.details(), "frameOrigin");
    }

    void remember(Gate.Request request, String origin) {
        known.remember(request, origin);
    }
}

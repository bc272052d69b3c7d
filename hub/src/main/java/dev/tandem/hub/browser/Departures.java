package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;

/**
 * Where a call may send something: the page's own origin, and those that the rules and the person's
 * answers open already. What leads elsewhere is stopped by the browser and asked about with its
 * full address. Any thread may call it.
 */
final class Departures {
    private final Gate gate;
    private final KnownOrigins known = new KnownOrigins();

    Departures(Gate gate) {
        this.gate = gate;
    }

    /**
     * Something that a browser stopped.
     *
     * @param origin as the browser names it; the scheme where another program would take it
     * @param dispatched the step itself was made, only what it led to was not
     * @param late the page wanted to leave after the answer to the step before
     */
    record Departure(String url, String origin, boolean plain, boolean dispatched, boolean late) {}

    /** The departure that a call was refused for, when it was for that. */
    static Optional<Departure> refusedFor(TandemException failure) {
        var details = failure.details();
        return Json.text(details, "leadsTo")
                .map(url ->
                        new Departure(
                                url,
                                Json.text(details, "leadsToOrigin").orElse(""),
                                Json.text(details, "method").orElse("").equals("GET"),
                                Json.flag(details, "dispatched", true),
                                Json.flag(details, "late", false)));
    }

    /** What a request says about sending; empty for callers who may send everywhere. */
    Optional<ArrayNode> open(Gate.Request request) {
        if (!gate.guardsFrames(request)) {
            return Optional.empty();
        }
        ArrayNode open = Json.array();
        for (String origin : known.of(request)) {
            if (gate.opensFrame(request.leadingTo(origin + "/"), origin)) {
                open.add(origin);
            }
        }
        return Optional.of(open);
    }

    /** Asks whoever decides; throws when the answer is no. */
    ArrayNode opened(Gate.Request request, Departure departure) {
        gate.check(request.leadingTo(departure.url()));
        if (!departure.origin().endsWith(":")) {
            known.remember(request, departure.origin());
        }
        return open(request).orElseGet(Json::array).add(departure.origin());
    }

    /** The step was made and cannot be made twice on the caller's behalf. */
    static TandemException doItAgain(Departure departure) {
        return new TandemException(
                ErrorCode.EXECUTION_FAILED,
                "The page wanted to send a form to "
                        + departure.origin()
                        + " and was stopped. This is allowed now: do the step again.",
                Json.object().put("reason", "cancelled").put("dispatched", true));
    }
}

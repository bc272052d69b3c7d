package dev.tandem.hub.web;

import dev.tandem.protocol.TandemException;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** How one door looks from outside, where its API has customs of its own. */
public interface DoorFace {
    /** Headers that every answer of the door carries; asked once for each request. */
    Map<String, String> headers();

    /** What a request is told that the guards or its handler refused. */
    Refusal refuse(TandemException problem, Asked asked);

    /** The refused request, and the headers that its answer carries already. */
    record Asked(String path, Optional<String> authorization, Map<String, String> answerHeaders) {}

    /** Status and body of a refusal. */
    record Refusal(int status, ObjectNode body) {}
}

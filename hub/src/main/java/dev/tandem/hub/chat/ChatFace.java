package dev.tandem.hub.chat;

import dev.tandem.hub.web.DoorFace;
import dev.tandem.protocol.TandemException;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Refusals that clients of either custom can read: error, code and message. */
final class ChatFace implements DoorFace {
    @Override
    public Map<String, String> headers() {
        return Map.of();
    }

    @Override
    public Refusal refuse(TandemException problem, Asked asked) {
        ObjectNode body = problem.details().deepCopy();
        body.put("error", problem.getMessage()).put("message", problem.getMessage());
        body.put("code", problem.reason().orElse(problem.code().code()));
        body.put("hint", problem.hint());
        return new Refusal(problem.code().http(), body);
    }
}

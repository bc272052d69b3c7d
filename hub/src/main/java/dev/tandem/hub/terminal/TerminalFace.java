package dev.tandem.hub.terminal;

import dev.tandem.hub.web.DoorFace;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.Map;

/** Refusals of the terminals' door: the word its clients know, with our code and hint. */
final class TerminalFace implements DoorFace {
    private static final int UNAUTHORIZED = 401;

    @Override
    public Map<String, String> headers() {
        return Map.of();
    }

    @Override
    public Refusal refuse(TandemException problem, Asked asked) {
        int status = problem.code().http();
        return new Refusal(
                status,
                Json.object()
                        .put(
                                "error",
                                status == UNAUTHORIZED ? "Unauthorized" : problem.getMessage())
                        .put("code", problem.code().code())
                        .put("hint", problem.hint()));
    }
}

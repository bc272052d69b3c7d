package dev.tandem.hub.mcp;

import dev.tandem.hub.web.DoorFace;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.util.Map;
import java.util.Optional;

/** Refusals at the door in the client's own language: JSON-RPC errors, without an id. */
final class McpFace implements DoorFace {
    @Override
    public Map<String, String> headers() {
        return Map.of();
    }

    @Override
    public Refusal refuse(TandemException problem, Asked asked) {
        int code =
                problem.code() == ErrorCode.INTERNAL ? McpException.INTERNAL : McpException.INVALID;
        McpException error =
                new McpException(
                        problem.code().http(), code, problem.message() + " " + problem.hint());
        return new Refusal(error.status(), error.body(Optional.empty()));
    }
}

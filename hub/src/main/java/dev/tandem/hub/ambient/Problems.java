package dev.tandem.hub.ambient;

import dev.tandem.hub.sessions.Ids;
import dev.tandem.hub.web.DoorFace;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Errors as this API numbers them, and the id that every answer carries. */
final class Problems implements DoorFace {
    static final String BASE = "/api/ambient/v1";
    private static final String OPERATION = "X-Operation-ID";
    private static final String NUMBER = "ambient";

    private final Clock clock;

    Problems(Clock clock) {
        this.clock = clock;
    }

    static TandemException invalid(String reason) {
        return numbered(ErrorCode.BAD_REQUEST, 8, reason);
    }

    static TandemException malformed(String reason) {
        return numbered(ErrorCode.BAD_REQUEST, 17, reason);
    }

    static TandemException badQuery(String reason) {
        return numbered(ErrorCode.BAD_REQUEST, 21, reason);
    }

    static TandemException badSearch(String reason) {
        return numbered(ErrorCode.BAD_REQUEST, 23, "Failed to parse search query: " + reason);
    }

    static TandemException tooLarge(long limit) {
        return numbered(
                ErrorCode.PAYLOAD_TOO_LARGE, 17, "request body is larger than " + limit + " bytes");
    }

    static TandemException taken(String reason) {
        return numbered(ErrorCode.CONFLICT, 6, reason);
    }

    static TandemException missing(String kind, String id) {
        return numbered(ErrorCode.NOT_FOUND, 7, kind + " with id='" + id + "' not found");
    }

    static TandemException noRoute(String path) {
        return numbered(
                ErrorCode.NOT_FOUND, 404, "The requested resource '" + path + "' doesn't exist");
    }

    static TandemException notServed() {
        return numbered(
                ErrorCode.METHOD_NOT_ALLOWED, 10, "HTTP Method not implemented for this endpoint");
    }

    static TandemException unavailable(String reason) {
        return numbered(ErrorCode.OPS_UNAVAILABLE, 9, reason);
    }

    private static TandemException numbered(ErrorCode code, int number, String reason) {
        return new TandemException(code, reason, Json.object().put(NUMBER, number));
    }

    @Override
    public Map<String, String> headers() {
        return Map.of(OPERATION, Ids.next(clock), "Vary", "Authorization");
    }

    @Override
    public Refusal refuse(TandemException problem, Asked asked) {
        int number = problem.details().path(NUMBER).asInt(number(problem.code()));
        String reason =
                switch (problem.code()) {
                    case UNAUTHORIZED -> authorization(asked.authorization());
                    case METHOD_NOT_ALLOWED -> "HTTP Method not implemented for this endpoint";
                    case INTERNAL ->
                            "An unexpected error happened, please check the log of the service for"
                                    + " details";
                    default -> problem.message();
                };
        ObjectNode body = Json.object().put("id", Integer.toString(number)).put("kind", "Error");
        body.put("href", BASE + "/errors/" + number).put("code", "ambient-api-server-" + number);
        body.put("reason", reason);
        body.put("operation_id", asked.answerHeaders().getOrDefault(OPERATION, ""));
        return new Refusal(problem.code().http(), body);
    }

    private static int number(ErrorCode code) {
        return switch (code.http()) {
            case 401 -> 15;
            case 403 -> 4;
            case 404 -> 7;
            case 405 -> 10;
            case 409 -> 6;
            case 413 -> 17;
            case 400 -> code == ErrorCode.BAD_JSON ? 17 : 8;
            case 500 -> 1000;
            default -> 9;
        };
    }

    private static String authorization(Optional<String> header) {
        if (header.isEmpty()) {
            return "missing authorization header";
        }
        String[] parts = header.get().strip().split("\\s+", 2);
        if (!parts[0].equalsIgnoreCase("bearer")) {
            return "invalid authorization header format";
        }
        return parts.length < 2 ? "empty bearer token" : "invalid bearer token";
    }
}

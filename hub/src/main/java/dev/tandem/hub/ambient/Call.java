package dev.tandem.hub.ambient;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.web.Exchange;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** One request to an operation. */
record Call(Exchange exchange, Map<String, String> parts) {
    /** What answers an operation. */
    @FunctionalInterface
    interface Handler {
        void handle(Call call) throws IOException;
    }

    String part(String name) {
        return parts.getOrDefault(name, "");
    }

    Caller caller() {
        return exchange.caller();
    }

    Optional<String> query(String name) {
        return exchange.query(name).filter(value -> !value.isEmpty());
    }

    boolean flag(String name) {
        return query(name).map(value -> value.equals("true")).orElse(false);
    }

    /** The body as an object; an absent one is empty. */
    ObjectNode body() throws IOException {
        return parse(exchange.body());
    }

    /** The body as an object, if it is no longer than that. */
    ObjectNode body(int limit) throws IOException {
        byte[] bytes;
        try {
            bytes = exchange.body(limit);
        } catch (TandemException e) {
            throw e.code() == ErrorCode.PAYLOAD_TOO_LARGE ? Problems.tooLarge(limit) : e;
        }
        return parse(bytes);
    }

    private static ObjectNode parse(byte[] bytes) {
        if (bytes.length == 0) {
            return Json.object();
        }
        try {
            if (Json.parse(bytes) instanceof ObjectNode object) {
                return object;
            }
        } catch (TandemException e) {
            throw Problems.malformed("invalid JSON body: " + e.message());
        }
        throw Problems.malformed("invalid JSON body: an object is needed");
    }

    void answer(int status, JsonNode body) {
        exchange.respond(status, body);
    }

    void answerList(Resource resource, List<ObjectNode> items) {
        answerList(resource, items::forEach);
    }

    void answerList(Resource resource, ListQuery.Source items) {
        answer(200, ListQuery.of(this, resource).apply(items, Function.identity()));
    }

    void done() {
        exchange.respond(204);
    }

    /** Whether one of the types that Accept lists is an event stream. */
    boolean wantsEvents() {
        String accept = exchange.header("Accept").orElse("").toLowerCase(Locale.ROOT);
        for (String type : accept.split(",")) {
            if (type.split(";", 2)[0].strip().equals("text/event-stream")) {
                return true;
            }
        }
        return false;
    }
}

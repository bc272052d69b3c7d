package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Tool;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a step answers that was made and whose page then went to another site, with a yes: the
 * answer of its own tool, about a page that nobody can look at any more.
 */
final class StepAnswer {
    private final ObjectNode payload;
    private final ObjectNode arrived;

    private StepAnswer(ObjectNode payload, ObjectNode arrived) {
        this.payload = payload;
        this.arrived = arrived;
    }

    static ObjectNode of(Tool tool, ObjectNode payload, ObjectNode arrived) {
        StepAnswer answer = new StepAnswer(payload, arrived);
        ObjectNode result = Json.object();
        for (String field : Json.texts(tool.output(), "required")) {
            result.set(field, answer.fact(field));
        }
        if (result.has("value")) {
            result.put("redacted", true);
        }
        return result;
    }

    private JsonNode fact(String field) {
        return switch (field) {
            case "timingMs" ->
                    arrived.path("timingMs").isNumber() ? arrived.get("timingMs") : zero();
            case "url" -> text(arrived.path("finalUrl").asString(""));
            // what the field held went with its page, and it may have been a secret
            case "value" -> text("");
            case "selected" ->
                    payload.path("values").isArray() ? payload.get("values") : Json.array();
            case "dialog" -> Json.object().put("open", false);
            case "scrollTop" -> zero();
            case "targetId" -> text(payload.path("targetId").asString(""));
            case "fileCount" -> Json.object().numberNode(payload.path("contents").size());
            case "mode" -> text("direct_input");
            // navigated, changed, handled
            default -> Json.object().booleanNode(true);
        };
    }

    private static JsonNode zero() {
        return Json.object().numberNode(0);
    }

    private static JsonNode text(String value) {
        return Json.object().stringNode(value);
    }
}

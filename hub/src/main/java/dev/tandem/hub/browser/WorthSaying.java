package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Leaves out of a text what tells its reader nothing: every word costs a model some of its room,
 * and the structured answer has them all. What the caller gave is not given back; one of these per
 * answer, so that a page that one step named is not named again by the next.
 */
final class WorthSaying {
    private static final Set<String> FOR_PROGRAMS = Set.of("timingMs", "refCount");
    private static final Set<String> WHEN_TRUE = Set.of("truncated", "navigated", "redacted");
    private static final Set<String> OF_THE_PAGE = Set.of("url", "finalUrl", "title");

    private String page = "";
    private boolean samePage;
    private boolean asAsked;
    private JsonNode asked = Json.object();

    /** Takes the facts of the next step, or of the only one, and what it was asked for. */
    void next(ObjectNode data, JsonNode arguments) {
        asked = arguments;
        String here = Json.text(data, "finalUrl").or(() -> Json.text(data, "url")).orElse("");
        boolean stayed = data.has("navigated") && !Json.flag(data, "navigated", true);
        samePage = stayed || (!here.isEmpty() && here.equals(page));
        asAsked = here.equals(asked.path("url").asString(""));
        page = here.isEmpty() ? page : here;
    }

    boolean worth(String name, JsonNode value, ObjectNode data) {
        if (FOR_PROGRAMS.contains(name) || (value.isContainer() && value.isEmpty())) {
            return false;
        }
        if (WHEN_TRUE.contains(name) && value.isBoolean()) {
            return value.booleanValue();
        }
        if (OF_THE_PAGE.contains(name) && !data.has("tabs")) {
            return !samePage && (name.equals("title") || !asAsked) && !value.asString("").isEmpty();
        }
        return switch (name) {
            case "snapshotId" -> false;
            // what was put into a field is said if the field made something else of it
            case "value" -> !value.equals(asked.path("text"));
            case "selected" -> !value.equals(asked.path("values"));
            case "dropped" -> value.asInt(0) != 0;
            case "meta" -> !value.path("blockerState").asString("").equals("clear");
            case "status" -> !(data.has("finalUrl") && value.asInt(0) == 200);
            case "targetId" -> !data.has("snapshotId");
            case "sessionId" -> !data.has("results");
            default -> true;
        };
    }
}

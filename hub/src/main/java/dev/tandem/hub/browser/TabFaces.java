package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The names by which chat clients know tabs, {@code tab_read}, {@code tab_action} and the older
 * six: other words for tools of the catalogue. They are understood, never listed.
 */
final class TabFaces {
    private static final Map<String, ObjectNode> OLDER =
            Map.of(
                    "tab_info", Json.object().put("mode", "info"),
                    "tab_read_dom", Json.object().put("mode", "dom"),
                    "tab_screenshot", Json.object().put("mode", "screenshot"),
                    "tab_click", Json.object().put("action", "click"),
                    "tab_type", Json.object().put("action", "type"),
                    "tab_scroll", Json.object().put("action", "scroll"));

    private static final Set<String> EVERY_STEP = Set.of("sessionId", "targetId", "timeoutMs");
    private static final int END = 10_000_000;
    private static final int STEP_PIXELS = 500;

    private TabFaces() {}

    /** A tool of the catalogue and what it is called with. */
    record Meant(String tool, ObjectNode arguments) {}

    static boolean knows(String name) {
        return name.equals("tab_read") || name.equals("tab_action") || OLDER.containsKey(name);
    }

    /** What such a call means; empty for every other name. */
    static Optional<Meant> of(String name, JsonNode given) {
        if (!knows(name)) {
            return Optional.empty();
        }
        ObjectNode arguments =
                given instanceof ObjectNode object ? object.deepCopy() : Json.object();
        if (OLDER.containsKey(name)) {
            arguments.setAll(OLDER.get(name));
        }
        if (arguments.has("tabId")) {
            arguments.put("targetId", "tab-" + arguments.remove("tabId").asLong());
        }
        return Optional.of(
                arguments.has("mode") || name.equals("tab_read")
                        ? read(arguments)
                        : act(arguments));
    }

    private static Meant read(ObjectNode arguments) {
        String mode = Json.text(arguments, "mode").orElse("info");
        return switch (mode) {
            case "info" -> meant("status", arguments, "sessionId");
            case "dom" ->
                    arguments.has("ref")
                            ? meant("dom_get_text", arguments, "ref", "maxChars")
                            : meant("snapshot", arguments, "maxChars", "cursor");
            case "screenshot" -> meant("screenshot", arguments, "ref", "format", "fullPage");
            case "elements" -> {
                Meant snapshot = meant("snapshot", arguments, "maxChars", "cursor");
                snapshot.arguments().put("format", "actionables");
                yield snapshot;
            }
            default -> throw invalid("mode must be one of info, dom, screenshot, elements.");
        };
    }

    private static Meant act(ObjectNode arguments) {
        ArrayNode steps = Json.array();
        if (arguments.path("actions").isArray()) {
            arguments.path("actions").forEach(one -> steps(one).forEach(steps::add));
        } else if (arguments.has("action")) {
            steps(arguments).forEach(steps::add);
        }
        if (steps.isEmpty()) {
            throw invalid("tab_action requires at least one action step.");
        }
        if (steps.size() == 1) {
            ObjectNode only = (ObjectNode) steps.get(0).path("args").deepCopy();
            Meant meant = meant(steps.get(0).path("action").asString(), arguments);
            meant.arguments().setAll(only);
            return meant;
        }
        Meant run = meant("run", arguments);
        Optional<JsonNode> target = Optional.ofNullable(run.arguments().remove("targetId"));
        for (JsonNode step : steps) {
            target.ifPresent(id -> ((ObjectNode) step.path("args")).set("targetId", id));
        }
        run.arguments().set("steps", steps);
        return run;
    }

    private static List<ObjectNode> steps(JsonNode given) {
        String action = Json.text(given, "action").orElse("");
        ObjectNode args = Json.object();
        take(given, args, "ref", "text", "x", "y");
        return switch (action) {
            case "click" -> {
                args.remove("text");
                yield given.has("ref") || !given.has("x")
                        ? List.of(step("click", args))
                        : List.of(step("pointer_down", args), step("pointer_up", args.deepCopy()));
            }
            case "type" ->
                    List.of(step("type", args.put("clear", Json.flag(given, "clear", true))));
            case "scroll" -> {
                args.remove(List.of("text", "x", "y"));
                yield List.of(step("scroll", args.put("dy", distance(given))));
            }
            case "wait" -> {
                take(given, args, "state", "until", "url", "gone");
                yield List.of(step("wait", args));
            }
            default -> throw invalid("action must be one of click, type, scroll, wait.");
        };
    }

    private static int distance(JsonNode given) {
        int pixels = given.path("pixels").asInt(STEP_PIXELS);
        return switch (Json.text(given, "direction").orElse("down")) {
            case "down" -> pixels;
            case "up" -> -pixels;
            case "top" -> -END;
            case "bottom" -> END;
            default -> throw invalid("direction must be one of up, down, top, bottom.");
        };
    }

    private static ObjectNode step(String action, ObjectNode args) {
        ObjectNode step = Json.object().put("action", action);
        step.set("args", args);
        return step;
    }

    private static Meant meant(String tool, ObjectNode from, String... fields) {
        ObjectNode arguments = Json.object();
        take(from, arguments, fields);
        if (!tool.equals("status")) {
            EVERY_STEP.forEach(field -> take(from, arguments, field));
        }
        return new Meant(tool, arguments);
    }

    private static void take(JsonNode from, ObjectNode to, String... fields) {
        for (String field : fields) {
            if (from.has(field)) {
                to.set(field, from.get(field));
            }
        }
    }

    private static TandemException invalid(String text) {
        return new TandemException(ErrorCode.INVALID_REQUEST, text, "invalid_args");
    }
}

package dev.tandem.protocol;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Turns a definition of tools/*.json into a tool, with what it shares with others merged in. */
final class ToolReader {
    private ToolReader() {}

    static Tool read(String group, ObjectNode definition, ObjectNode common) {
        Set<Tool.Trait> traits = traits(definition);
        return new Tool(
                definition.get("name").asString(),
                group,
                definition.get("title").asString(),
                definition.get("description").asString(),
                Tool.Access.valueOf(upper(definition, "access")),
                Tool.Place.valueOf(upper(definition, "runsIn")),
                traits,
                ToolPermission.of(definition),
                definition.get("timeoutMs").asInt(),
                Json.text(definition, "command"),
                definition.get("cli").asString(),
                new LinkedHashSet<>(Json.texts(definition, "profiles")),
                new ToolInput(definition, common, traits),
                output(definition, common.path("output"), traits),
                errors(definition, common.path("errors"), traits),
                definition.path("wire") instanceof ObjectNode wire ? wire : Json.object());
    }

    private static Set<Tool.Trait> traits(ObjectNode definition) {
        Set<Tool.Trait> traits = EnumSet.noneOf(Tool.Trait.class);
        for (Tool.Trait trait : Tool.Trait.values()) {
            if (Json.flag(definition, trait.json(), trait == Tool.Trait.OPEN_WORLD)) {
                traits.add(trait);
            }
        }
        return traits;
    }

    private static ObjectNode output(
            ObjectNode definition, JsonNode common, Set<Tool.Trait> traits) {
        ObjectNode output = ((ObjectNode) definition.get("output")).deepCopy();
        ObjectNode properties = (ObjectNode) output.get("properties");
        for (Tool.Trait trait : traits) {
            common.path(trait.json())
                    .properties()
                    .forEach(entry -> properties.putIfAbsent(entry.getKey(), entry.getValue()));
        }
        return output;
    }

    private static List<String> errors(
            ObjectNode definition, JsonNode common, Set<Tool.Trait> traits) {
        Set<String> errors = new LinkedHashSet<>(Json.texts(definition, "errors"));
        if (definition.path("input").path("properties").has("ref")) {
            errors.addAll(Json.texts(common, "ref"));
        }
        for (Tool.Trait trait : traits) {
            errors.addAll(Json.texts(common, trait.json()));
        }
        return new ArrayList<>(errors);
    }

    private static String upper(ObjectNode definition, String field) {
        return definition.get(field).asString().toUpperCase(Locale.ROOT);
    }
}

package dev.tandem.cli;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Turns the words behind a tool's command into its arguments, by the tool's schema. */
final class ToolArguments {
    private final Tool tool;
    private final JsonNode properties;
    private final List<Flag> flags;
    private final List<Flag> positions;

    ToolArguments(Tool tool) {
        this.tool = tool;
        this.properties = tool.input().path("properties");
        this.flags =
                properties
                        .propertyStream()
                        .map(property -> flag(property.getKey(), property.getValue()))
                        .toList();
        this.positions =
                tool.arguments().required().stream()
                        .map(name -> flag(name, properties.path(name)))
                        .toList();
    }

    List<Flag> flags() {
        return flags;
    }

    /** The required arguments, which may be given without their flags, in order. */
    List<Flag> positions() {
        return positions;
    }

    ObjectNode read(Words words, Invocation invocation) throws IOException {
        return read(words, invocation, Json.object());
    }

    /** Adds what the words say to what is known already. */
    ObjectNode read(Words words, Invocation invocation, ObjectNode known) throws IOException {
        ObjectNode arguments = known.deepCopy();
        for (Flag flag : flags) {
            if (words.has(flag.argument())) {
                JsonNode schema = properties.path(flag.argument());
                List<String> given = new ArrayList<>();
                for (String word : words.all(flag.argument())) {
                    given.add(word.equals(Words.STDIN) ? invocation.stdin().readAll() : word);
                }
                arguments.set(flag.argument(), value(flag, given, schema, invocation.folder()));
            }
        }
        for (Flag flag : positions) {
            if (!arguments.has(flag.argument())) {
                throw new UsageException("Missing " + flag.dashed());
            }
        }
        return arguments;
    }

    private Flag flag(String name, JsonNode schema) {
        Flag.Shape shape =
                switch (schema.path("type").asString("")) {
                    case "boolean" -> Flag.Shape.SWITCH;
                    case "array" -> isJson(schema) ? Flag.Shape.VALUE : many(name);
                    default -> Flag.Shape.VALUE;
                };
        List<String> values = new ArrayList<>(Json.texts(schema, "enum"));
        values.addAll(Json.texts(schema.path("items"), "enum"));
        String called = tool.arguments().flag(name);
        return new Flag(called, name, shape, about(name, schema), values, true);
    }

    private Flag.Shape many(String name) {
        return tool.arguments().commas(name) ? Flag.Shape.COMMAS : Flag.Shape.LIST;
    }

    private String about(String name, JsonNode schema) {
        List<String> parts = new ArrayList<>();
        parts.add(tool.arguments().about(name));
        if (schema.has("enum")) {
            parts.add(String.join(" | ", Json.texts(schema, "enum")));
        }
        if (schema.has("default") && !schema.get("default").isBoolean()) {
            parts.add("default " + schema.get("default").asString());
        }
        return String.join("; ", parts);
    }

    private static boolean isJson(JsonNode schema) {
        return schema.path("items").path("type").asString("").equals("object");
    }

    private static JsonNode value(Flag flag, List<String> given, JsonNode schema, Path folder)
            throws IOException {
        String last = given.getLast();
        return switch (schema.path("type").asString("")) {
            case "boolean" -> Json.mapper().getNodeFactory().booleanNode(last.equals("true"));
            case "integer" -> within(flag, integer(flag, last), schema);
            case "number" -> within(flag, number(flag, last), schema);
            case "array" -> isJson(schema) ? json(flag, last, folder) : list(flag, given, schema);
            case "object" -> json(flag, last, folder);
            default -> word(flag, last, schema);
        };
    }

    private static JsonNode list(Flag flag, List<String> given, JsonNode schema) {
        ArrayNode list = Json.array();
        given.forEach(word -> list.add(word(flag, word, schema.path("items"))));
        return list;
    }

    private static JsonNode word(Flag flag, String word, JsonNode schema) {
        List<String> allowed = Json.texts(schema, "enum");
        if (!allowed.isEmpty() && !allowed.contains(word)) {
            throw invalid(flag, word, "One of " + String.join(", ", allowed) + ".");
        }
        return Json.mapper().getNodeFactory().stringNode(word);
    }

    private static JsonNode integer(Flag flag, String word) {
        if (!word.matches("-?\\d{1,15}")) {
            throw invalid(flag, word, "It takes a whole number.");
        }
        return Json.mapper().getNodeFactory().numberNode(Long.parseLong(word));
    }

    private static JsonNode number(Flag flag, String word) {
        if (!word.matches("-?\\d{1,15}(\\.\\d{1,15})?")) {
            throw invalid(flag, word, "It takes a number.");
        }
        return word.indexOf('.') < 0
                ? Json.mapper().getNodeFactory().numberNode(Long.parseLong(word))
                : Json.mapper().getNodeFactory().numberNode(Double.parseDouble(word));
    }

    private static JsonNode within(Flag flag, JsonNode number, JsonNode schema) {
        double value = number.asDouble();
        boolean low = schema.has("minimum") && value < schema.get("minimum").asDouble();
        boolean high = schema.has("maximum") && value > schema.get("maximum").asDouble();
        if (!low && !high) {
            return number;
        }
        String least = schema.path("minimum").asString("");
        String most = schema.path("maximum").asString("");
        String range =
                least.isEmpty()
                        ? "at most " + most
                        : most.isEmpty() ? "at least " + least : least + " to " + most;
        throw invalid(flag, number.asString(), "It is " + range + ".");
    }

    /** JSON itself, or {@code @file} for a file that holds it. */
    private static JsonNode json(Flag flag, String word, Path folder) throws IOException {
        String text = word.startsWith("@") ? NamedFile.text(flag, folder, word.substring(1)) : word;
        try {
            return Json.parse(text);
        } catch (TandemException e) {
            throw new UsageException(
                    "Invalid "
                            + flag.dashed()
                            + ": "
                            + e.getMessage()
                            + " Give JSON, @file, or - for standard input.");
        }
    }

    private static UsageException invalid(Flag flag, String word, String why) {
        return new UsageException("Invalid " + flag.dashed() + ": " + word + ". " + why);
    }
}

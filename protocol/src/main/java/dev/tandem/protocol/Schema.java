package dev.tandem.protocol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The part of JSON Schema 2020-12 that the protocol files use, compiled once, with errors that a
 * person can act on. Keywords outside the part are refused when a schema is compiled, so that none
 * is silently ignored.
 */
public final class Schema {
    static final Set<String> KEYWORDS =
            Set.of(
                    "type",
                    "enum",
                    "const",
                    "properties",
                    "required",
                    "additionalProperties",
                    "items",
                    "minItems",
                    "maxItems",
                    "minimum",
                    "maximum",
                    "minLength",
                    "description",
                    "default");

    private final List<String> types;
    private final Optional<JsonNode> constant;
    private final List<JsonNode> allowed;
    private final Map<String, Schema> properties;
    private final List<String> required;
    private final boolean open;
    private final Optional<Schema> items;
    private final int minItems;
    private final int maxItems;
    private final OptionalDouble minimum;
    private final OptionalDouble maximum;
    private final int minLength;

    /** What is wrong, where: {@code path} is the dotted place, empty for the value itself. */
    public record Problem(String path, String reason, String message) {}

    private Schema(JsonNode node) {
        for (String keyword : node.propertyNames()) {
            if (!KEYWORDS.contains(keyword)) {
                throw new IllegalArgumentException(
                        "The schema keyword " + keyword + " is not supported.");
            }
        }
        types =
                node.path("type").isString()
                        ? List.of(node.path("type").stringValue())
                        : Json.texts(node, "type");
        constant = Optional.ofNullable(node.get("const"));
        allowed = List.copyOf(node.path("enum").valueStream().toList());
        Map<String, Schema> named = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> property : node.path("properties").properties()) {
            named.put(property.getKey(), new Schema(property.getValue()));
        }
        properties = named;
        required = Json.texts(node, "required");
        open = Json.flag(node, "additionalProperties", true);
        items = Optional.ofNullable(node.get("items")).map(Schema::new);
        minItems = node.path("minItems").asInt(0);
        maxItems = node.path("maxItems").asInt(Integer.MAX_VALUE);
        minimum = number(node, "minimum");
        maximum = number(node, "maximum");
        minLength = node.path("minLength").asInt(0);
    }

    public static Schema of(JsonNode node) {
        return new Schema(node);
    }

    /** The first thing wrong with the value, or empty. */
    public Optional<Problem> check(JsonNode value) {
        return check(value, "");
    }

    private Optional<Problem> check(JsonNode value, String path) {
        if (!types.isEmpty() && types.stream().noneMatch(type -> isA(type, value))) {
            return wrong(path, "must be " + spoken());
        }
        if (constant.isPresent() && !same(constant.get(), value)) {
            return wrong(path, "must be " + constant.get());
        }
        if (!allowed.isEmpty() && allowed.stream().noneMatch(one -> same(one, value))) {
            return wrong(
                    path,
                    "must be one of "
                            + String.join(", ", allowed.stream().map(JsonNode::asString).toList()));
        }
        if (value.isObject()) {
            return checkObject(value, path);
        }
        if (value.isArray()) {
            return checkArray(value, path);
        }
        if (value.isNumber()) {
            return checkNumber(value.doubleValue(), path);
        }
        if (minLength > 0
                && value.isString()
                && value.stringValue().codePointCount(0, value.stringValue().length())
                        < minLength) {
            return wrong(
                    path,
                    minLength == 1
                            ? "must not be empty"
                            : "must have at least " + minLength + " characters");
        }
        return Optional.empty();
    }

    private Optional<Problem> checkObject(JsonNode value, String path) {
        for (String name : required) {
            if (!value.has(name)) {
                return Optional.of(
                        new Problem(
                                join(path, name), "missing_field", "Missing " + join(path, name)));
            }
        }
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            Schema schema = properties.get(entry.getKey());
            if (schema != null) {
                Optional<Problem> problem =
                        schema.check(entry.getValue(), join(path, entry.getKey()));
                if (problem.isPresent()) {
                    return problem;
                }
            } else if (!open) {
                return Optional.of(unknown(join(path, entry.getKey()), entry.getKey()));
            }
        }
        return Optional.empty();
    }

    private Problem unknown(String path, String name) {
        String meant =
                Nearest.to(name, properties.keySet())
                        .map(near -> ". Did you mean " + near + "?")
                        .orElse("");
        return new Problem(path, "unknown_argument", "Unknown argument: " + path + meant);
    }

    private Optional<Problem> checkArray(JsonNode value, String path) {
        if (value.size() < minItems) {
            return wrong(
                    path,
                    minItems == 1
                            ? "must not be empty"
                            : "must have at least " + minItems + " items");
        }
        if (value.size() > maxItems) {
            return wrong(path, "must have at most " + maxItems + " items");
        }
        for (int i = 0; items.isPresent() && i < value.size(); i++) {
            Optional<Problem> problem = items.get().check(value.get(i), path + "[" + i + "]");
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private Optional<Problem> checkNumber(double value, String path) {
        if (minimum.isPresent() && value < minimum.getAsDouble()) {
            return wrong(path, "must be at least " + plain(minimum.getAsDouble()));
        }
        if (maximum.isPresent() && value > maximum.getAsDouble()) {
            return wrong(path, "must be at most " + plain(maximum.getAsDouble()));
        }
        return Optional.empty();
    }

    private static boolean isA(String type, JsonNode value) {
        return switch (type) {
            case "string" -> value.isString();
            case "boolean" -> value.isBoolean();
            case "number" -> value.isNumber();
            case "integer" ->
                    value.isNumber() && value.doubleValue() == Math.rint(value.doubleValue());
            case "array" -> value.isArray();
            case "object" -> value.isObject();
            case "null" -> value.isNull();
            default ->
                    throw new IllegalArgumentException(
                            "The schema type " + type + " is not supported.");
        };
    }

    private String spoken() {
        List<String> words = new ArrayList<>();
        for (String type : types) {
            boolean vowel = "aio".indexOf(type.charAt(0)) >= 0;
            words.add(type.equals("null") ? type : (vowel ? "an " : "a ") + type);
        }
        return String.join(" or ", words);
    }

    /** Numbers are equal by value, as JSON Schema has it: 1 and 1.0 are the same. */
    private static boolean same(JsonNode a, JsonNode b) {
        return (a.isNumber() && b.isNumber()) ? a.doubleValue() == b.doubleValue() : a.equals(b);
    }

    private static Optional<Problem> wrong(String path, String what) {
        return Optional.of(
                new Problem(
                        path, "wrong_type", (path.isEmpty() ? "The value" : path) + " " + what));
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }

    private static OptionalDouble number(JsonNode node, String field) {
        return node.has(field)
                ? OptionalDouble.of(node.get(field).doubleValue())
                : OptionalDouble.empty();
    }
}

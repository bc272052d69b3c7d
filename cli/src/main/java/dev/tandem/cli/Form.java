package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What an agent asks a person to fill in, or a page it asks them to visit. */
final class Form {
    private static final Pattern SECRET =
            Pattern.compile("pass(word|phrase|code)?|secret|token|api.?key|credential|\\bpin\\b");

    private final JsonNode question;

    Form(JsonNode question) {
        this.question = question;
    }

    String requestId() {
        return question.path("requestId").asString("");
    }

    String shortId() {
        String id = requestId();
        return id.substring(0, Math.min(8, id.length()));
    }

    private JsonNode params() {
        return question.path("params");
    }

    private JsonNode fields() {
        return params().path("requestedSchema").path("properties");
    }

    String text(int columns) {
        Table facts = new Table(columns);
        facts.row("  asked by", question.path("sessionName").asString(""));
        Json.text(params(), "url").ifPresent(url -> facts.row("  open", url));
        fields().properties()
                .forEach(field ->
                        facts.row(
                                "  " + field.getKey(),
                                about(field.getValue(), needed().contains(field.getKey()))));
        String warning =
                looksSecret() ? "  Careful: agents must not ask for secrets in a form.\n" : "";
        return Visible.line(params().path("message").asString("A question"))
                + "\n"
                + facts
                + warning;
    }

    private boolean looksSecret() {
        return fields().properties().stream()
                .anyMatch(field -> SECRET.matcher(field.getKey().toLowerCase(Locale.ROOT)).find());
    }

    private List<String> needed() {
        return Json.texts(params().path("requestedSchema"), "required");
    }

    private static String about(JsonNode field, boolean needed) {
        Set<String> choices = choices(field);
        String type = choices.isEmpty() ? field.path("type").asString("text") : "";
        String more =
                Json.text(field, "description").or(() -> Json.text(field, "title")).orElse("");
        String words = type + String.join(" | ", choices) + (needed ? ", needed" : "");
        return more.isEmpty() ? words : words + ": " + more;
    }

    private static Set<String> choices(JsonNode field) {
        Set<String> choices = new TreeSet<>();
        for (JsonNode of : List.of(field, field.path("items"))) {
            of.path("enum").forEach(one -> choices.add(one.asString("")));
            of.path("oneOf").forEach(one -> choices.add(one.path("const").asString("")));
            of.path("anyOf").forEach(one -> choices.add(one.path("const").asString("")));
        }
        return choices;
    }

    /**
     * The answer from words like {@code name=value}; fields left out keep their defaults. Whether
     * the values are within the form's limits the hub says, to whoever answers.
     */
    ObjectNode content(List<String> words) {
        ObjectNode content = Json.object();
        fields().properties()
                .forEach(field -> {
                    if (field.getValue().has("default")) {
                        content.set(field.getKey(), field.getValue().get("default"));
                    }
                });
        for (String word : words) {
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            JsonNode field = fields().path(name);
            if (equals < 0 || field.isMissingNode()) {
                throw new UsageException(
                        "\""
                                + word
                                + "\" fills no field. Give name=value; the form has: "
                                + names());
            }
            content.set(name, value(name, field, word.substring(equals + 1)));
        }
        for (String name : needed()) {
            if (!content.has(name)) {
                throw new UsageException("The field " + name + " is needed.");
            }
        }
        return content;
    }

    private String names() {
        List<String> names = new ArrayList<>();
        fields().properties().forEach(field -> names.add(field.getKey()));
        return String.join(", ", names);
    }

    private static JsonNode value(String name, JsonNode field, String text) {
        ObjectNode maker = Json.object();
        String type = field.path("type").asString("string");
        try {
            return switch (type) {
                case "integer" -> maker.numberNode(Long.parseLong(text));
                case "number" -> maker.numberNode(number(text));
                case "boolean" -> maker.booleanNode(yes(name, text));
                case "array" -> several(name, field, text);
                default -> maker.stringNode(chosen(name, field, text));
            };
        } catch (NumberFormatException e) {
            throw new UsageException(
                    "The field %s is a %s, and \"%s\" is not."
                            .formatted(name, type.equals("integer") ? "whole number" : type, text));
        }
    }

    /** JSON has no numbers but these. */
    private static double number(String text) {
        double number = Double.parseDouble(text);
        if (!Double.isFinite(number)) {
            throw new NumberFormatException(text);
        }
        return number;
    }

    private static boolean yes(String name, String text) {
        String word = text.toLowerCase(Locale.ROOT);
        if (!List.of("true", "yes", "false", "no").contains(word)) {
            throw new UsageException("The field " + name + " is yes or no.");
        }
        return word.equals("true") || word.equals("yes");
    }

    private static ArrayNode several(String name, JsonNode field, String text) {
        ArrayNode all = Json.array();
        for (String one : text.split(",")) {
            all.add(chosen(name, field, one.strip()));
        }
        return all;
    }

    private static String chosen(String name, JsonNode field, String text) {
        Set<String> choices = choices(field);
        if (!choices.isEmpty() && !choices.contains(text)) {
            throw new UsageException(
                    "The field " + name + " is one of " + String.join(", ", choices) + ".");
        }
        return text;
    }
}

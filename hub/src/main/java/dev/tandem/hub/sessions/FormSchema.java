package dev.tandem.hub.sessions;

import dev.tandem.protocol.Json;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * What an agent's form asks for. An agent may write what no schema is: a limit that cannot be read
 * forbids nothing, and fields that the form does not name are let through.
 */
record FormSchema(JsonNode schema) {
    private static final Pattern EMAIL = Pattern.compile("[^@\\s]+@[^@\\s]+");
    private static final Pattern URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:/*[^/\\s].*");

    /** The first thing wrong with an answer, in a sentence that names the field and the limit. */
    Optional<String> problem(JsonNode content) {
        Stream<String> missing =
                Json.texts(schema, "required").stream()
                        .filter(name -> empty(content.path(name)))
                        .map(name -> "The field " + name + " is needed.");
        Stream<String> wrong =
                schema.path("properties").properties().stream()
                        .filter(field -> content.has(field.getKey()))
                        .flatMap(field ->
                                wrong(field.getValue(), content.get(field.getKey()))
                                        .map(what -> sentence(field, what))
                                        .stream());
        return Stream.concat(missing, wrong).findFirst();
    }

    private static String sentence(Map.Entry<String, JsonNode> field, String what) {
        return "The field " + field.getKey() + " must " + what + ".";
    }

    private static boolean empty(JsonNode value) {
        return value.isMissingNode()
                || value.isNull()
                || (value.isString() && value.stringValue().isEmpty())
                || (value.isArray() && value.isEmpty());
    }

    private static Optional<String> wrong(JsonNode field, JsonNode value) {
        return switch (field.path("type").asString("")) {
            case "string" ->
                    value.isString() ? text(field, value.stringValue()) : Optional.of("be text");
            case "integer" ->
                    isFinite(value) && value.doubleValue() == Math.rint(value.doubleValue())
                            ? number(field, value)
                            : Optional.of("be a whole number");
            case "number" -> isFinite(value) ? number(field, value) : Optional.of("be a number");
            case "boolean" ->
                    value.isBoolean() ? Optional.empty() : Optional.of("be true or false");
            case "array" -> value.isArray() ? several(field, value) : Optional.of("be a list");
            default -> Optional.empty();
        };
    }

    private static boolean isFinite(JsonNode value) {
        return value.isNumber() && Double.isFinite(value.doubleValue());
    }

    private static Optional<String> number(JsonNode field, JsonNode value) {
        JsonNode least = field.path("minimum");
        JsonNode most = field.path("maximum");
        if (least.isNumber() && value.decimalValue().compareTo(least.decimalValue()) < 0) {
            return Optional.of("be at least " + least.asString());
        }
        return most.isNumber() && value.decimalValue().compareTo(most.decimalValue()) > 0
                ? Optional.of("be at most " + most.asString())
                : Optional.empty();
    }

    private static Optional<String> several(JsonNode field, JsonNode value) {
        Optional<String> size = size(field, "Items", value.size(), "choice");
        return size.or(() ->
                value.valueStream()
                        .flatMap(one ->
                                (one.isString()
                                                ? choice(field.path("items"), one.stringValue())
                                                : Optional.of("be a list of texts"))
                                        .stream())
                        .findFirst());
    }

    private static Optional<String> text(JsonNode field, String text) {
        return choice(field, text)
                .or(() -> size(field, "Length", text.codePointCount(0, text.length()), "character"))
                .or(() -> pattern(field, text))
                .or(() -> format(field.path("format").asString(""), text));
    }

    private static Optional<String> size(JsonNode field, String of, int size, String what) {
        int least = field.path("min" + of).asInt(0);
        int most = field.path("max" + of).asInt(Integer.MAX_VALUE);
        if (size < least) {
            return Optional.of("have at least " + count(least, what));
        }
        return size > most ? Optional.of("have at most " + count(most, what)) : Optional.empty();
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static Optional<String> choice(JsonNode of, String text) {
        List<String> choices =
                Stream.concat(
                                of.path("enum").valueStream(),
                                Stream.of("oneOf", "anyOf")
                                        .flatMap(name -> of.path(name).valueStream())
                                        .map(one -> one.path("const")))
                        .map(one -> one.asString(""))
                        .toList();
        return choices.isEmpty() || choices.contains(text)
                ? Optional.empty()
                : Optional.of("be one of " + String.join(", ", choices));
    }

    private static Optional<String> pattern(JsonNode field, String text) {
        return Json.text(field, "pattern")
                .filter(pattern -> !fits(pattern, text))
                .map(pattern -> "have the form " + pattern);
    }

    private static boolean fits(String pattern, String text) {
        try {
            return Pattern.compile(pattern).matcher(new Patient(text)).find();
        } catch (PatternSyntaxException | Patient.Lost | StackOverflowError unreadable) {
            return true;
        }
    }

    private static Optional<String> format(String format, String text) {
        return switch (format) {
            case "email" -> unless(EMAIL.matcher(text).matches(), "be an e-mail address");
            case "uri" -> unless(URI.matcher(text).matches(), "be a whole address, like https://…");
            case "date" -> unless(isDay(text), "be a day, like 2026-01-31");
            case "date-time" -> unless(isTime(text), "be a time, like 2026-01-31T12:00:00Z");
            default -> Optional.empty();
        };
    }

    private static Optional<String> unless(boolean good, String wrong) {
        return good ? Optional.empty() : Optional.of(wrong);
    }

    private static boolean isDay(String text) {
        try {
            return LocalDate.parse(text).getYear() >= 0;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isTime(String text) {
        try {
            return OffsetDateTime.parse(text).getYear() >= 0;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** A text that an agent's pattern may look at only so often: some would take years. */
    private static final class Patient implements CharSequence {
        private static final int LOOKS = 1_000_000;
        private final String text;
        private int looks;

        private Patient(String text) {
            this.text = text;
        }

        private static final class Lost extends RuntimeException {
            private static final long serialVersionUID = 1;
        }

        @Override
        public char charAt(int index) {
            if (++looks > LOOKS) {
                throw new Lost();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}

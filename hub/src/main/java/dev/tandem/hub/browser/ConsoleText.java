package dev.tandem.hub.browser;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What pages logged, a line each: number, time, tab where there are several, level, words, place.
 * What two fields of an event say is said once.
 */
final class ConsoleText {
    static final String FIELD = "console";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

    private ConsoleText() {}

    /** The answer of a poll with its events as lines; any other answer as it is. */
    static ObjectNode compact(ObjectNode data) {
        JsonNode events = data.path("events");
        if (!events.path(0).has("category")) {
            return data;
        }
        ObjectNode copy = data.deepCopy();
        copy.remove("events");
        return copy.put(FIELD, lines(events));
    }

    private static String lines(JsonNode events) {
        boolean tabs = events.valueStream().map(ConsoleText::tab).distinct().count() > 1;
        return events.valueStream()
                .map(event -> line(event, tabs))
                .collect(Collectors.joining("\n"));
    }

    private static String line(JsonNode event, boolean tabs) {
        StringBuilder line = new StringBuilder(event.path("seq").asString("")).append(' ');
        line.append(TIME.format(Instant.ofEpochMilli(event.path("ts").asLong(0)))).append(' ');
        line.append(tabs ? tab(event) + " " : "");
        String kind = event.path("kind").asString("");
        line.append(kind.equals("exception") ? kind : event.path("level").asString(""));
        line.append(": ").append(event.path("text").asString("").replace("\n", "\n  "));
        List<String> stack = stack(event);
        stack.forEach(frame -> line.append("\n  ").append(frame));
        String place = place(event);
        if (stack.isEmpty() && !place.isEmpty()) {
            line.append(" (").append(place).append(')');
        }
        return line.toString();
    }

    private static String tab(JsonNode event) {
        return event.path("targetId").asString("");
    }

    private static String place(JsonNode event) {
        return Stream.of("source", "line", "column")
                .map(field -> event.path(field).asString(""))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(":"));
    }

    /** Without the words at its head, which the line has. It begins with the place. */
    private static List<String> stack(JsonNode event) {
        String text = event.path("text").asString("");
        List<String> lines = event.path("stack").asString("").lines().map(String::strip).toList();
        return !lines.isEmpty() && text.endsWith(lines.getFirst())
                ? lines.subList(1, lines.size())
                : lines;
    }
}

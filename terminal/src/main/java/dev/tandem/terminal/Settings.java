package dev.tandem.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the user's settings file says under {@code terminal}; read at each use, so that a change
 * needs no restart.
 */
record Settings(Path file) {
    private static final String KEEP = "keepRunningMinutes";
    private static final int MOST_MINUTES = 7 * 24 * 60;

    /** The settings file that the hub reads, too. */
    static Settings of(Map<String, String> environment) {
        return new Settings(
                Path.of(environment.getOrDefault("HOME", "/"), ".config/tandem/config.json"));
    }

    /** The user's own programs by name, each with its arguments. */
    Map<String, List<String>> commands() {
        Map<String, List<String>> commands = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : terminal().path("commands").properties()) {
            if (isCommand(entry.getValue())) {
                commands.put(entry.getKey(), words(entry.getValue()));
            }
        }
        return commands;
    }

    /** Why programs of the user's own are left out: the whole file, or the first one by name. */
    Optional<Problem> problem() {
        if (Files.isRegularFile(file) && read() == null) {
            return Optional.of(new Problem("settings", "", ""));
        }
        JsonNode commands = terminal().path("commands");
        if (!commands.isMissingNode() && !commands.isObject()) {
            return Optional.of(new Problem("command", "commands", ""));
        }
        return commands.properties().stream()
                .filter(entry -> !isCommand(entry.getValue()))
                .map(entry -> new Problem("command", entry.getKey(), ""))
                .findFirst();
    }

    /**
     * {@code settings}; {@code command} with the name of what is no list of words; or {@code
     * missing} with a name whose program is not installed.
     */
    record Problem(String kind, String name, String program) {}

    private static boolean isCommand(JsonNode given) {
        return given.isArray()
                && !given.isEmpty()
                && given.valueStream().allMatch(JsonNode::isString)
                && words(given).stream().noneMatch(word -> word.contains("\0"))
                && !words(given).getFirst().isEmpty();
    }

    private static List<String> words(JsonNode given) {
        return given.valueStream().map(word -> word.asString("")).toList();
    }

    /** How long a pinned terminal lives while nobody shows it; empty where that is not said. */
    Optional<Duration> pinnedWindow() {
        JsonNode minutes = terminal().path(KEEP);
        if (minutes.isInt() && minutes.intValue() >= 1 && minutes.intValue() <= MOST_MINUTES) {
            return Optional.of(Duration.ofMinutes(minutes.intValue()));
        }
        if (!minutes.isMissingNode()) {
            Log.info(
                    "In %s \"%s\" must be a whole number from 1 to %d; it is left out"
                            .formatted(file, KEEP, MOST_MINUTES));
        }
        return Optional.empty();
    }

    private JsonNode terminal() {
        ObjectNode root = read();
        return (root == null ? Messages.JSON.createObjectNode() : root).path("terminal");
    }

    private @Nullable ObjectNode read() {
        try {
            return Messages.parse(Files.readString(file));
        } catch (IOException _) {
            return null;
        }
    }
}

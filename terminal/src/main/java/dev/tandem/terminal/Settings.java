package dev.tandem.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
            List<String> argv = new ArrayList<>();
            entry.getValue().forEach(part -> argv.add(part.asString("")));
            if (!argv.isEmpty()) {
                commands.put(entry.getKey(), argv);
            }
        }
        return commands;
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
        ObjectNode nothing = Messages.JSON.createObjectNode();
        try {
            ObjectNode root = Messages.parse(Files.readString(file));
            return (root == null ? nothing : root).path("terminal");
        } catch (IOException _) {
            return nothing;
        }
    }
}

package dev.tandem.hub.debug;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Nearest;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The short command words, and how their words become a tool's arguments. */
final class Aliases {
    private static final Map<String, String> TOOLS =
            Map.ofEntries(
                    Map.entry("text", "dom_get_text"),
                    Map.entry("html", "dom_get_html"),
                    Map.entry("attrs", "get_attr"),
                    Map.entry("console", "console_poll"),
                    Map.entry("network", "network_poll"),
                    Map.entry("fill", "type"),
                    Map.entry("tabs", "targets_list"),
                    Map.entry("tab", "target_use"),
                    Map.entry("newtab", "target_new"),
                    Map.entry("closetab", "target_close"));

    private static final Set<String> BY_FIRST_WORD = Set.of("is", "skill");

    private final Catalogue catalogue;

    Aliases(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    /** A tool and what it is called with. */
    record Line(Tool tool, ObjectNode arguments) {}

    Line read(String command, List<String> given) {
        List<String> words = new ArrayList<>(given);
        String name = TOOLS.getOrDefault(command, command);
        if (command.equals("is") && !words.isEmpty()) {
            name = "is_" + words.removeFirst();
        } else if (command.equals("skill")) {
            name = words.isEmpty() ? "skill_list" : "skill_load";
        }
        String wanted = name;
        Tool tool =
                catalogue
                        .byName(wanted)
                        .or(() ->
                                catalogue.tools().stream()
                                        .filter(each -> each.cli().equals(wanted))
                                        .findFirst())
                        .orElseThrow(() -> unknown(command));
        return new Line(tool, arguments(tool, words));
    }

    private ObjectNode arguments(Tool tool, List<String> words) {
        JsonNode properties = tool.input().path("properties");
        ObjectNode arguments = Json.object();
        List<String> places = new ArrayList<>(tool.arguments().required());
        // A tab is named without its word even where the tool has a default.
        if (places.isEmpty() && properties.has("url")) {
            places.add("url");
        }
        for (int at = 0; at < words.size(); at++) {
            String word = words.get(at);
            if (word.startsWith("--")) {
                String[] parts = word.substring(2).split("=", 2);
                String argument = argument(tool, parts[0]);
                boolean flag =
                        properties.path(argument).path("type").asString("").equals("boolean");
                if (parts.length == 2) {
                    put(arguments, properties, argument, parts[1]);
                } else if (flag || at + 1 == words.size()) {
                    arguments.put(argument, true);
                } else {
                    put(arguments, properties, argument, words.get(++at));
                }
            } else if (!places.isEmpty()) {
                put(arguments, properties, places.removeFirst(), word);
            } else {
                throw new TandemException(
                        ErrorCode.INVALID_REQUEST, tool.name() + " takes no " + word + ".");
            }
        }
        return arguments;
    }

    private static String argument(Tool tool, String flag) {
        return tool.input().path("properties").propertyNames().stream()
                .filter(name -> name.equals(flag) || tool.arguments().flag(name).equals(flag))
                .findFirst()
                .orElseThrow(() ->
                        new TandemException(
                                ErrorCode.INVALID_REQUEST,
                                tool.name() + " has no option --" + flag + "."));
    }

    private static void put(ObjectNode to, JsonNode properties, String name, String word) {
        JsonNode schema = properties.path(name);
        switch (schema.path("type").asString("")) {
            case "integer", "number" -> {
                if (!word.matches("-?\\d{1,15}(\\.\\d{1,15})?")) {
                    throw new TandemException(
                            ErrorCode.INVALID_REQUEST, name + " takes a number, not " + word + ".");
                }
                to.set(name, Json.parse(word));
            }
            case "boolean" -> to.put(name, word.equals("true"));
            case "array" -> to.withArray(name).add(word);
            // A leading @ is how the pane shows refs.
            default -> to.put(name, name.equals("ref") ? word.replaceFirst("^@", "") : word);
        }
    }

    private TandemException unknown(String command) {
        Set<String> names = new TreeSet<>(TOOLS.keySet());
        names.addAll(BY_FIRST_WORD);
        catalogue.tools().forEach(tool -> names.add(tool.name()));
        Optional<String> meant =
                command.length() < 4 ? Optional.empty() : Nearest.to(command, names);
        ObjectNode details = Json.object().put("reason", "unknown_command");
        details.put("hint", "Commands: " + String.join(", ", names));
        return new TandemException(
                ErrorCode.INVALID_REQUEST,
                "Unknown command: "
                        + command
                        + "."
                        + meant.map(near -> " Did you mean " + near + "?").orElse(""),
                details);
    }
}

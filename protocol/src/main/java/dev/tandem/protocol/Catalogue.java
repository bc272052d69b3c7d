package dev.tandem.protocol;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * All tools, from tools/*.json, in the order in which they are listed. Immutable, for any thread.
 */
public final class Catalogue {
    private final Map<String, Tool> byName = new LinkedHashMap<>();
    private final Map<String, Tool> byCli = new LinkedHashMap<>();
    private final Map<String, Tool> byCommand = new LinkedHashMap<>();
    private final List<Group> groups = new ArrayList<>();
    private final Map<String, String> runActions = new LinkedHashMap<>();
    private final Set<String> runExcludes;
    private final String aliasPrefix;

    /** A file of tools. */
    public record Group(String name, String title, List<Tool> tools) {}

    private static final class Holder {
        static final Catalogue INSTANCE = new Catalogue();
    }

    private Catalogue() {
        ObjectNode common = Json.resource("tools/common.json");
        aliasPrefix = common.get("aliasPrefix").asString();
        common.path("runActions")
                .properties()
                .forEach(entry -> runActions.put(entry.getKey(), entry.getValue().asString()));
        runExcludes = Set.copyOf(Json.texts(common, "runExcludes"));
        for (String name : Json.texts(common, "groups")) {
            ObjectNode file = Json.resource("tools/" + name + ".json");
            List<Tool> tools = new ArrayList<>();
            for (JsonNode definition : file.path("tools")) {
                tools.add(add(ToolReader.read(name, (ObjectNode) definition, common)));
            }
            groups.add(new Group(name, file.get("title").asString(), List.copyOf(tools)));
        }
    }

    /** The catalogue, read on first use. */
    public static Catalogue load() {
        return Holder.INSTANCE;
    }

    public Collection<Tool> tools() {
        return List.copyOf(byName.values());
    }

    public List<Group> groups() {
        return List.copyOf(groups);
    }

    /** By its bare name or under the prefix that older clients use. */
    public Optional<Tool> byName(String name) {
        String bare = name.startsWith(aliasPrefix) ? name.substring(aliasPrefix.length()) : name;
        return Optional.ofNullable(byName.get(bare));
    }

    /** By the name of its command-line command. */
    public Optional<Tool> byCli(String command) {
        return Optional.ofNullable(byCli.get(command));
    }

    /** By the command of /ops. */
    public Optional<Tool> byCommand(String command) {
        return Optional.ofNullable(byCommand.get(command));
    }

    /** By what a step of {@code run} calls it; empty for what cannot be a step. */
    public Optional<Tool> byRunAction(String action) {
        return byName(runActions.getOrDefault(action, action))
                .filter(tool -> tool.needsSession() && !runExcludes.contains(tool.name()));
    }

    /** The tools that a token of this profile sees: core, all or read-only. */
    public List<Tool> profile(String profile) {
        return byName.values().stream().filter(tool -> tool.profiles().contains(profile)).toList();
    }

    public Set<String> profiles() {
        Set<String> profiles = new LinkedHashSet<>();
        byName.values().forEach(tool -> profiles.addAll(tool.profiles()));
        return profiles;
    }

    /** The permission names of a call; of {@code run}, those of its steps. */
    public Set<String> permissions(Tool tool, JsonNode arguments) {
        Set<String> names = new LinkedHashSet<>();
        tool.permission().nameFor(arguments).ifPresent(names::add);
        if (tool.has(Tool.Trait.DIFF) && Json.flag(arguments, "diff", false)) {
            names.add("tab_read:dom");
        }
        if (tool.name().equals("run")) {
            for (JsonNode step : arguments.path("steps")) {
                byRunAction(step.path("action").asString(""))
                        .flatMap(action -> action.permission().nameFor(step.path("args")))
                        .ifPresent(names::add);
            }
        }
        return names;
    }

    /** The tool name that somebody probably meant. */
    public Optional<String> nearest(String name) {
        return Nearest.to(name, byName.keySet());
    }

    private Tool add(Tool tool) {
        boolean fresh =
                byName.put(tool.name(), tool) == null && byCli.put(tool.cli(), tool) == null;
        if (!fresh
                || tool.command()
                        .map(command -> byCommand.put(command, tool) != null)
                        .orElse(false)) {
            throw new IllegalStateException(
                    "The tool " + tool.name() + " repeats a name, a command or a CLI command.");
        }
        return tool;
    }
}

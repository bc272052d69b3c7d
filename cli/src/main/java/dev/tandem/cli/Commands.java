package dev.tandem.cli;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Nearest;
import dev.tandem.protocol.Tool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** All commands by name. A tool's command is built when it is first asked for, not before. */
final class Commands {
    /** What the launcher does without a hub, for help and suggestions. */
    static final Map<String, String> LAUNCHER = launcher();

    private static final Map<String, Command> TALK = talk();
    private static final Map<String, Command> OF_HUB = ofHub();
    private static final Map<String, Command> BY_NAME = byName();
    private static final Map<String, Command> OF_TOOLS = new ConcurrentHashMap<>();

    private Commands() {}

    /** A command and the words that are left for it. */
    record Found(Command command, List<String> rest) {}

    static Optional<Found> find(List<String> words) {
        for (int length = Math.min(2, words.size()); length > 0; length--) {
            String name = String.join(" ", words.subList(0, length));
            Optional<Command> command = byName(name);
            if (command.isPresent()) {
                return Optional.of(new Found(command.get(), words.subList(length, words.size())));
            }
        }
        return Optional.empty();
    }

    static Optional<Command> byName(String name) {
        Command own = ofHubByName().get(name);
        return own != null ? Optional.of(own) : Catalogue.load().byCli(name).map(Commands::ofTool);
    }

    private static Command ofTool(Tool tool) {
        return OF_TOOLS.computeIfAbsent(tool.cli(), _ -> ToolCommands.of(tool));
    }

    /** About browsers and access. */
    static Map<String, Command> access() {
        return OF_HUB;
    }

    /** About sessions, agents and what they ask for. */
    static Map<String, Command> talking() {
        return TALK;
    }

    static Map<String, Command> ofHubByName() {
        return BY_NAME;
    }

    /** The command that somebody probably meant. */
    static Optional<String> nearest(String name) {
        return Nearest.to(name, names());
    }

    /** What may stand behind a first word. */
    static List<String> secondWords(String first) {
        return ofHubByName().keySet().stream()
                .filter(name -> name.startsWith(first + " "))
                .map(name -> name.substring(first.length() + 1))
                .toList();
    }

    /** What a command of the hub does, in a line. */
    static String about(String name) {
        Command command = ofHubByName().get(name);
        return command == null ? "" : command.about();
    }

    /** The first words of all commands. */
    static List<String> names() {
        List<String> names = new ArrayList<>(LAUNCHER.keySet());
        ofHubByName().keySet().stream().map(name -> name.split(" ")[0]).forEach(names::add);
        Catalogue.load().tools().stream().map(Tool::cli).forEach(names::add);
        return names.stream().distinct().toList();
    }

    private static Map<String, Command> byName() {
        Map<String, Command> all = new LinkedHashMap<>(TALK);
        all.putAll(OF_HUB);
        return all;
    }

    private static Map<String, Command> talk() {
        Map<String, Command> commands = new LinkedHashMap<>();
        SessionCommands.all().forEach(command -> commands.put(command.name(), command));
        commands.put("agents", AgentCommands.command());
        PermissionCommands.all().forEach(command -> commands.put(command.name(), command));
        return commands;
    }

    private static Map<String, Command> ofHub() {
        Map<String, Command> commands = new LinkedHashMap<>();
        HubCommands.all().forEach(command -> commands.put(command.name(), command));
        McpCommands.all().forEach(command -> commands.put(command.name(), command));
        commands.put("audit", AuditCommand.command());
        commands.put("help", Help.command());
        commands.put("completion", Completion.command());
        return commands;
    }

    private static Map<String, String> launcher() {
        Map<String, String> about = new LinkedHashMap<>();
        about.put("up", "start the hub and a browser");
        about.put("stop", "end the hub and what it started");
        about.put("doctor", "find out what is wrong");
        about.put("mcp", "serve the tools to one MCP client on standard input and output");
        about.put("link", "put this command on your PATH");
        about.put("unlink", "take it away from there");
        about.put("build", "build the product from this checkout");
        about.put("test", "run every check and test");
        about.put("coverage", "count the lines that the tests reach");
        about.put("bench", "measure, and compare with the floor");
        about.put("soak", "run for long, and lose nothing");
        about.put("package", "make the extension zip and a release archive");
        about.put("version", "print the version");
        return about;
    }
}

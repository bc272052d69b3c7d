package dev.tandem.hub.agent;

import dev.tandem.hub.files.PathFence;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands of one session; any thread may call it. */
final class AgentTerminals {
    private static final int DEFAULT_BYTES = 1024 * 1024;
    private static final int MOST_BYTES = 16 * 1024 * 1024;
    private static final int MOST_RUNNING = 64;

    private final ProcessTrees trees;
    private final String owner;
    private final PathFence fence;
    private final Consumer<String> changed;
    private final Map<String, AgentTerminal> terminals = new ConcurrentHashMap<>();
    private final Map<String, AgentTerminal> released = new ConcurrentHashMap<>();

    AgentTerminals(ProcessTrees trees, String owner, PathFence fence, Consumer<String> changed) {
        this.trees = trees;
        this.owner = owner;
        this.fence = fence;
        this.changed = changed;
    }

    /** A checked wish to run something. */
    record Command(List<String> argv, Path cwd, Map<String, String> env, int byteLimit) {
        /** The desk's name for it. */
        String permission() {
            String name = Programs.ofUser().nameOf(argv.getFirst());
            return "bash:" + variables() + name + (argv.size() > 1 ? " " + argv.get(1) : "");
        }

        String line() {
            return variables() + String.join(" ", argv);
        }

        /** What is set for a command can make it quite another one, so it is part of its name. */
        private String variables() {
            return env.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .map(variable -> variable.getKey() + "=" + variable.getValue() + " ")
                    .collect(Collectors.joining());
        }
    }

    Command parse(ObjectNode params) {
        String program = AcpJson.text(params, "command");
        if (program.isBlank() || program.indexOf('\0') >= 0) {
            throw new RpcException(RpcException.INVALID_PARAMS, "A command is needed.");
        }
        String where = AcpJson.text(params, "cwd");
        Path cwd = where.isEmpty() ? fence.roots().getFirst() : fence.confine(where);
        if (!Files.isDirectory(cwd)) {
            throw new RpcException(RpcException.INVALID_PARAMS, "cwd is not a directory.");
        }
        Map<String, String> env = new HashMap<>();
        for (JsonNode variable : params.path("env")) {
            String name = AcpJson.text(variable, "name");
            if (Environments.reachesCommands(name)) {
                env.put(name, AcpJson.text(variable, "value"));
            }
        }
        int limit = params.path("outputByteLimit").asInt(DEFAULT_BYTES);
        return new Command(argv(program, params), cwd, env, Math.clamp(limit, 1, MOST_BYTES));
    }

    /**
     * Several agents put a whole shell line into {@code command} and leave {@code args} out. That
     * is a shell's work, and the desk is told that it is a shell.
     */
    private static List<String> argv(String program, ObjectNode params) {
        List<String> argv = new ArrayList<>();
        for (JsonNode argument : params.path("args")) {
            argv.add(argument.asString(""));
        }
        Programs programs = Programs.ofUser();
        Optional<Path> found = programs.find(program);
        if (found.isEmpty()
                && argv.isEmpty()
                && program.strip().matches("(?s).*[\\s|&;<>$`()].*")) {
            return List.of("/bin/sh", "-c", program);
        }
        argv.addFirst(program);
        return argv;
    }

    String create(Command command) {
        if (terminals.size() >= MOST_RUNNING) {
            throw new RpcException(
                    RpcException.INVALID_PARAMS,
                    "%d terminals are open; release some first.".formatted(MOST_RUNNING));
        }
        List<String> argv = new ArrayList<>(command.argv());
        try {
            argv.set(0, Programs.ofUser().require(argv.getFirst()).toString());
            ProcessBuilder builder =
                    new ProcessBuilder(argv)
                            .directory(command.cwd().toFile())
                            .redirectErrorStream(true)
                            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
            Map<String, String> env = Environments.forCommand(System.getenv(), command.env());
            builder.environment().clear();
            builder.environment().putAll(env);
            String id = "term_" + UUID.randomUUID();
            terminals.put(
                    id,
                    new AgentTerminal(
                            trees,
                            trees.start(builder, owner),
                            command.line(),
                            command.byteLimit(),
                            () -> changed.accept(id)));
            return id;
        } catch (AgentException missing) {
            throw new RpcException(RpcException.NOT_FOUND, String.valueOf(missing.getMessage()));
        } catch (IOException | IllegalArgumentException refused) {
            throw new RpcException(
                    RpcException.INTERNAL, "The command did not start: " + refused.getMessage());
        }
    }

    AgentTerminal require(ObjectNode params) {
        AgentTerminal terminal = terminals.get(AcpJson.text(params, "terminalId"));
        if (terminal == null) {
            throw new RpcException(RpcException.INVALID_PARAMS, "There is no such terminal.");
        }
        return terminal;
    }

    void release(ObjectNode params) {
        AgentTerminal terminal = require(params);
        String id = AcpJson.text(params, "terminalId");
        terminals.remove(id);
        // The card that shows it outlives the agent's interest in it.
        released.put(id, terminal);
        terminal.kill();
    }

    /** The output so far, of released terminals too. */
    Optional<ObjectNode> output(String id) {
        AgentTerminal terminal = terminals.get(id);
        return Optional.ofNullable(terminal == null ? released.get(id) : terminal)
                .map(AgentTerminal::output);
    }

    /** Commands that the agent still holds; whether they run is in each. */
    ArrayNode list() {
        ArrayNode all = AcpJson.array();
        terminals.forEach((id, terminal) -> all.add(terminal.describe().put("id", id)));
        return all;
    }

    /** Ends a command, keeping its output; false if there is none of that id. */
    boolean kill(String id) {
        AgentTerminal terminal = terminals.get(id);
        if (terminal != null) {
            terminal.kill();
        }
        return terminal != null;
    }

    void killAll() {
        terminals.values().parallelStream().forEach(AgentTerminal::kill);
    }
}

package dev.tandem.hub.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * The agents of this machine: the user's own entries, known programs on the search path, and the
 * built-in one. Looking runs nothing. Any thread may call it; each call looks again.
 */
public final class AgentCatalogue {
    public static final String BUILT_IN = "tandem";
    private static final String AT_START = "command";

    private final Path configFile;
    private final Path home;
    private final Map<String, String> environment;
    private final List<String> builtIn;
    private final JsonNode known;
    private volatile @Nullable AgentEntry atStart;

    /**
     * @param configFile the user's settings: {@code agents} are own entries, {@code mcpServers} go
     *     to every agent
     * @param builtIn the command line of the built-in agent
     */
    public AgentCatalogue(
            Path configFile, Path home, Map<String, String> environment, List<String> builtIn) {
        this.configFile = configFile;
        this.home = home;
        this.environment = Map.copyOf(environment);
        this.builtIn = List.copyOf(builtIn);
        try (InputStream in = AgentCatalogue.class.getResourceAsStream("agents.json")) {
            if (in == null) {
                throw new IllegalStateException("agents.json is missing from the hub");
            }
            this.known = AcpJson.parse(in.readAllBytes()).path("agents");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Takes what the user named at start: an agent's id, or else a command line, which becomes an
     * entry of its own. The answer is the id; empty when nothing was named.
     */
    public String choose(String named) {
        if (named.isBlank() || find(named.strip()).isPresent()) {
            return named.strip();
        }
        List<String> argv = List.of(named.strip().split("\\s+"));
        atStart =
                new AgentEntry(
                        AT_START, argv.getFirst(), argv, Map.of(), AgentEntry.Offers.all(), false);
        return AT_START;
    }

    /** Own entries first, then known programs, then the built-in one; an own id hides a known. */
    public List<AgentListing> list() {
        Map<String, AgentListing> found = new LinkedHashMap<>();
        for (JsonNode own : ownEntries()) {
            AgentListing listing = own(own);
            found.put(listing.entry().agentId(), listing);
        }
        for (JsonNode agent : known) {
            found.computeIfAbsent(AcpJson.text(agent, "id"), id -> known(id, agent));
        }
        AgentEntry named = atStart;
        if (named != null) {
            String program = named.argv().getFirst();
            String otherwise = programs().missing(program);
            found.put(
                    AT_START,
                    listing(
                            named,
                            programs().find(program),
                            otherwise,
                            AgentListing.Login.UNKNOWN));
        }
        found.computeIfAbsent(BUILT_IN, id -> builtIn());
        return List.copyOf(found.values());
    }

    public Optional<AgentListing> find(String agentId) {
        return list().stream().filter(one -> one.entry().agentId().equals(agentId)).findFirst();
    }

    /** The one to use when nobody chose: installed and signed in, else the built-in one. */
    public AgentEntry preferred() {
        return list().stream()
                .filter(one -> one.available() && !one.builtIn())
                .filter(one -> one.login() == AgentListing.Login.SIGNED_IN)
                .findFirst()
                .orElseGet(this::builtIn)
                .entry();
    }

    /** The user's own MCP servers, for every agent, in ACP's shape. */
    public ArrayNode mcpServers() {
        return new OwnServers(configFile, programs()).of(settings());
    }

    private JsonNode ownEntries() {
        return settings().path("agents");
    }

    private JsonNode settings() {
        if (!Files.exists(configFile)) {
            return AcpJson.object();
        }
        try {
            return AcpJson.parse(Files.readAllBytes(configFile));
        } catch (IOException | JacksonException broken) {
            throw new AgentException(
                    "bad_config",
                    "%s cannot be read: %s".formatted(configFile, broken.getMessage()));
        }
    }

    private AgentListing own(JsonNode own) {
        String id = AcpJson.text(own, "id");
        String command = AcpJson.text(own, "command");
        if (id.isEmpty() || command.isEmpty()) {
            throw new AgentException(
                    "bad_config",
                    "An agent in %s lacks \"id\" or \"command\".".formatted(configFile));
        }
        List<String> argv = new ArrayList<>(List.of(command));
        own.path("args").forEach(argument -> argv.add(argument.asString("")));
        Map<String, String> env = new HashMap<>();
        own.path("env")
                .properties()
                .forEach(variable -> env.put(variable.getKey(), variable.getValue().asString("")));
        String name = AcpJson.text(own, "name");
        AgentEntry entry =
                new AgentEntry(
                        id,
                        name.isEmpty() ? id : name,
                        argv,
                        env,
                        offers(own.path("capabilities")),
                        own.path("sharedProcess").asBoolean(false));
        if (own.has("cwd")) {
            entry = entry.startingIn(folder(id, own.path("cwd")));
        }
        String otherwise = programs().missing(command);
        return listing(entry, programs().find(command), otherwise, AgentListing.Login.UNKNOWN);
    }

    /** A path that is not whole would mean something else wherever the hub was started. */
    private Path folder(String id, JsonNode cwd) {
        try {
            Path folder = Path.of(cwd.asString(""));
            if (cwd.isString() && folder.isAbsolute()) {
                return folder;
            }
        } catch (InvalidPathException noPath) {
            // Said below, as of every other value.
        }
        throw new AgentException(
                "bad_config",
                "\"cwd\" of agent \"%s\" in %s must be the whole path of a folder, from / on."
                        .formatted(id, configFile));
    }

    private AgentListing known(String id, JsonNode agent) {
        List<String> argv = words(agent.path("commands").path(0));
        Optional<Path> place = Optional.empty();
        for (JsonNode command : agent.path("commands")) {
            place = programs().find(command.path(0).asString(""));
            if (place.isPresent()) {
                argv = words(command);
                break;
            }
        }
        AgentEntry entry =
                new AgentEntry(
                        id,
                        AcpJson.text(agent, "name"),
                        argv,
                        Map.of(),
                        offers(agent.path("offers")),
                        false);
        String install = "Not installed. To install it: " + AcpJson.text(agent, "install");
        return listing(entry, place, install, login(agent.path("signedInBy")));
    }

    private AgentListing builtIn() {
        AgentEntry entry =
                new AgentEntry(
                        BUILT_IN, "Tandem", builtIn, Map.of(), AgentEntry.Offers.all(), false);
        return new AgentListing(
                entry, true, true, builtIn.getFirst(), "", AgentListing.Login.SIGNED_IN);
    }

    private static AgentListing listing(
            AgentEntry entry, Optional<Path> place, String otherwise, AgentListing.Login login) {
        return new AgentListing(
                entry,
                false,
                place.isPresent(),
                place.map(Path::toString).orElse(""),
                place.isPresent() ? "" : otherwise,
                login);
    }

    private AgentListing.Login login(JsonNode signedInBy) {
        if (signedInBy.isMissingNode()) {
            return AgentListing.Login.UNKNOWN;
        }
        for (JsonNode variable : signedInBy.path("variables")) {
            if (!environment.getOrDefault(variable.asString(""), "").isBlank()) {
                return AgentListing.Login.SIGNED_IN;
            }
        }
        for (JsonNode file : signedInBy.path("files")) {
            if (Files.exists(home.resolve(file.asString("")))) {
                return AgentListing.Login.SIGNED_IN;
            }
        }
        return AgentListing.Login.SIGNED_OUT;
    }

    private static AgentEntry.Offers offers(JsonNode switches) {
        return new AgentEntry.Offers(
                switches.path("fs").asBoolean(true),
                switches.path("terminal").asBoolean(true),
                switches.path("elicitation").asBoolean(true));
    }

    private static List<String> words(JsonNode array) {
        List<String> words = new ArrayList<>();
        array.forEach(word -> words.add(word.asString("")));
        return words;
    }

    private Programs programs() {
        return new Programs(environment.getOrDefault("PATH", ""));
    }
}

package dev.tandem.hub.agent;

import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import dev.tandem.hub.files.ForbiddenPlaces;
import dev.tandem.hub.files.PathFence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Starts scripted agents in a directory and ends them all; at the end the official schema judges
 * every line that the hub sent.
 */
final class AgentFixture implements AutoCloseable {
    static final AgentTimings QUICK =
            new AgentTimings(
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(30),
                    Duration.ofMillis(300),
                    Duration.ofMillis(700),
                    Duration.ofMillis(700));

    final Path directory;
    final ProcessTrees trees = new ProcessTrees(Duration.ofMillis(100));
    private final List<Agent> agents = new ArrayList<>();
    private int records;

    AgentFixture(Path directory) {
        this.directory = directory;
    }

    AgentEntry entry(String... flags) {
        return entry(AgentEntry.Offers.all(), flags);
    }

    AgentEntry entry(AgentEntry.Offers offers, String... flags) {
        List<String> argv = new ArrayList<>(ScriptedAgentCommand.argv(flags));
        argv.add("--record=" + directory.resolve("wire-" + records++ + ".log"));
        return new AgentEntry("scripted", "Scripted", argv, Map.of(), offers, true);
    }

    Agent start(AgentEntry entry, AgentTimings timings) {
        Agent agent =
                Agent.start(
                        entry,
                        entry.launch("owner-1", directory, Map.of()),
                        new AgentRuntime(trees, timings, "0.1.0"));
        agents.add(agent);
        return agent;
    }

    Agent start(String... flags) {
        return start(entry(flags), QUICK);
    }

    Path wire(int agent) {
        return directory.resolve("wire-" + agent + ".log");
    }

    /** What the hub sent for that method, to any agent of this fixture. */
    List<JsonNode> sent(String method) {
        List<JsonNode> found = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            for (JsonNode message : AcpJudge.received(wire(i))) {
                if (message.path("method").asString("").equals(method)) {
                    found.add(message);
                }
            }
        }
        return found;
    }

    SessionSetup setup() {
        return setup(List.of());
    }

    SessionSetup setup(List<Path> more) {
        List<Path> roots = new ArrayList<>(List.of(directory));
        roots.addAll(more);
        ForbiddenPlaces forbidden =
                ForbiddenPlaces.of(
                        directory.resolve("home"),
                        directory.resolve("state"),
                        List.of(directory.resolve("extension")));
        return new SessionSetup(
                directory,
                more,
                new McpDoor("http://127.0.0.1:1/mcp/s", "secret-token", List.of("tandem", "mcp")),
                AcpJson.array(),
                new PathFence(roots, forbidden));
    }

    static ArrayNode text(String text) {
        ArrayNode content = AcpJson.array();
        content.addObject().put("type", "text").put("text", text);
        return content;
    }

    static TurnEnd play(AgentSession session, String... lines) throws Exception {
        return session.prompt(text(String.join("\n", lines))).get(30, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        agents.forEach(Agent::close);
        trees.close();
        for (int i = 0; i < records; i++) {
            AcpJudge.check(wire(i));
        }
    }
}

package dev.tandem.hub.sessions;

import static org.awaitility.Awaitility.await;

import dev.tandem.hub.agent.AgentEntry;
import dev.tandem.hub.agent.AgentRuntime;
import dev.tandem.hub.agent.AgentTimings;
import dev.tandem.hub.agent.ProcessTrees;
import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import dev.tandem.hub.permission.Ask;
import dev.tandem.hub.permission.Card;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.permission.PermissionRules;
import dev.tandem.hub.store.Database;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A session engine with scripted agents in a directory of its own. */
final class EngineFixture implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final AgentTimings TIMINGS =
            new AgentTimings(
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(30),
                    Duration.ofMillis(300),
                    Duration.ofMillis(900),
                    Duration.ofMillis(700));

    final Path directory;
    final Database database;
    final SessionLog log;
    final SessionStore store;
    final PermissionDesk desk;
    final PermissionRules rules;
    final ProcessTrees trees = new ProcessTrees();
    final Map<String, AgentEntry> agents = new HashMap<>();
    final SessionEngine engine;
    volatile String hubAddress = "http://127.0.0.1:1";

    EngineFixture(Path directory) throws IOException {
        this(directory, 50);
    }

    EngineFixture(Path directory, int maxRunning) throws IOException {
        this(directory, maxRunning, EngineSettings.SILENCE);
    }

    EngineFixture(Path directory, int maxRunning, Duration silence) throws IOException {
        this.directory = directory.toRealPath();
        Clock clock = Clock.systemUTC();
        Files.createDirectories(this.directory.resolve("home"));
        Path state = Files.createDirectories(this.directory.resolve("state"));
        database = Database.open("", state.resolve("tandem.db"));
        log = new SessionLog(database, clock);
        store = new SessionStore(database, log, clock);
        rules = new PermissionRules(database, clock);
        desk = new PermissionDesk(rules, database, clock, PermissionDesk.CARD_LIFE);
        agent("scripted");
        engine =
                new SessionEngine(
                                database,
                                store,
                                log,
                                desk,
                                catalogue(),
                                new AgentRuntime(trees, TIMINGS, "0.1.0"),
                                (key, tool, arguments) -> Ask.Where.NOWHERE,
                                new EngineSettings(
                                        state,
                                        this.directory.resolve("home"),
                                        List.of(this.directory.resolve("extension")),
                                        "scripted",
                                        maxRunning,
                                        Duration.ofMillis(100),
                                        Duration.ZERO,
                                        silence,
                                        () -> hubAddress,
                                        List.of("tandem", "mcp")),
                                clock)
                        .open();
    }

    private Agents catalogue() {
        return new Agents() {
            @Override
            public Optional<AgentEntry> find(String agentId) {
                return Optional.ofNullable(agents.get(agentId));
            }

            @Override
            public AgentEntry preferred() {
                return Objects.requireNonNull(agents.get("scripted"));
            }

            @Override
            public List<Map<String, String>> environments() {
                return agents.values().stream().map(AgentEntry::env).toList();
            }

            @Override
            public ArrayNode mcpServers() {
                return Json.array();
            }
        };
    }

    void agent(String id, String... flags) {
        agent(id, false, flags);
    }

    /** An agent whose process may serve several sessions. */
    void sharedAgent(String id, String... flags) {
        agent(id, true, flags);
    }

    /** An agent whose entry sets these variables. */
    void agentWith(String id, Map<String, String> env) {
        agents.put(
                id,
                new AgentEntry(
                        id, id, ScriptedAgentCommand.argv(), env, AgentEntry.Offers.all(), false));
    }

    private void agent(String id, boolean shared, String... flags) {
        agents.put(
                id,
                new AgentEntry(
                        id,
                        id,
                        ScriptedAgentCommand.argv(flags),
                        Map.of(),
                        AgentEntry.Offers.all(),
                        shared));
    }

    String session(String... annotations) {
        ObjectNode all = Json.object();
        for (int i = 0; i < annotations.length; i += 2) {
            all.put(annotations[i], annotations[i + 1]);
        }
        ObjectNode fields = Json.object().put("name", "demo");
        return engine.create("default", fields.put("annotations", Json.write(all))).id();
    }

    String running(String... annotations) {
        String id = session(annotations);
        engine.start(id);
        awaitPhase(id, Phase.RUNNING);
        return id;
    }

    void awaitPhase(String id, Phase phase) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> store.required(id).phase() == phase);
    }

    /** Sends a script and waits until its turn is over. */
    List<Entry> play(String id, String... lines) {
        long before = store.required(id).lastSeq();
        send(id, lines);
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> events(id, before).contains("run_finished"));
        return log.after(id, before, 10_000);
    }

    Entry send(String id, String... lines) {
        return engine.send(id, Prompt.of(String.join("\n", lines))).entry();
    }

    List<String> events(String id, long after) {
        return log.after(id, after, 10_000).stream()
                .flatMap(entry -> entry.text("event").stream())
                .toList();
    }

    void awaitEvent(String id, String event) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> events(id, 0).contains(event));
    }

    void awaitTurn(String id) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> engine.turnRuns(id));
    }

    Card card(String id) {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> desk.open(id), cards -> !cards.isEmpty())
                .getFirst();
    }

    /** What the agent said in these entries. */
    static String said(List<Entry> entries) {
        StringBuilder said = new StringBuilder();
        entries.stream()
                .filter(entry -> entry.kind() == Entry.Kind.ASSISTANT)
                .forEach(entry -> said.append(entry.text("text").orElse("")));
        return said.toString();
    }

    static List<Entry.Kind> kinds(List<Entry> entries) {
        return entries.stream().map(Entry::kind).toList();
    }

    /** Everything a viewer sees from now on. */
    Watching watch(String id) {
        Watching watching = new Watching();
        log.feed(id).follow(0, 0, watching);
        return watching;
    }

    static final class Watching implements SessionFeed.Viewer {
        final List<Entry> entries = new CopyOnWriteArrayList<>();
        final List<SessionFeed.Delta> deltas = new CopyOnWriteArrayList<>();

        @Override
        public void onEntry(Entry entry) {
            entries.add(entry);
        }

        @Override
        public void onDelta(SessionFeed.Delta delta) {
            deltas.add(delta);
        }
    }

    @Override
    public void close() {
        engine.close();
        desk.close();
        trees.close();
        database.close();
    }
}

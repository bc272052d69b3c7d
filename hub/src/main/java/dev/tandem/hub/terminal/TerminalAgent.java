package dev.tandem.hub.terminal;

import dev.tandem.hub.agent.Surroundings;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps one terminal agent process: takes over a living one, else starts one, and starts it again
 * when it dies, but not over and over. Thread-safe.
 */
public final class TerminalAgent implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TerminalAgent.class);
    private static final long READY_NANOS = 20_000_000_000L;
    private static final long LOOK_NANOS = 5_000_000L;
    private static final long INHERIT_MS = 2000;

    private final Path stateDir;
    private final String origin;
    private final Optional<AgentCommand> command;
    private final TabNews news = new TabNews(body -> post("tabs", body));
    private final Respawns respawns = new Respawns(AgentWatch.guarded(), InstantSource.system());
    private final CompletableFuture<JsonNode> inherited = new CompletableFuture<>();
    private volatile @Nullable AgentLink link;
    private volatile boolean closed;
    private volatile @Nullable Process starting;
    private volatile @Nullable Process started;
    private final AgentWatch watch = new AgentWatch(this);
    private volatile Runnable onNewPort = () -> {};

    public TerminalAgent(Path stateDir, String origin, Optional<AgentCommand> command) {
        this.stateDir = stateDir;
        this.origin = origin;
        this.command = command;
    }

    /**
     * Starts the agent's process, or looks for a living one; what follows happens in the
     * background. To be called before the hub does anything long, so that both start at once.
     */
    public void start() {
        if (command.isEmpty()) {
            inherited.complete(Json.object());
            return;
        }
        watch.start();
        if (AgentLink.recorded(stateDir)) {
            Thread.ofVirtual().name("terminal-agent").start(this::bringUp);
        } else {
            inherited.complete(Json.object());
            launch();
            Thread.ofVirtual().name("terminal-agent").start(this::follow);
        }
    }

    /** The list of terminals that a living agent brought along; empty when it is a new one. */
    CompletableFuture<JsonNode> inherited() {
        return inherited;
    }

    /** Waits until what an earlier hub left is known: programs in terminals call at once. */
    public void awaitInherited() {
        var _ =
                inherited
                        .completeOnTimeout(Json.object(), INHERIT_MS, TimeUnit.MILLISECONDS)
                        .join();
    }

    /** Says what to do when the agent listens on another port than before. */
    public void onNewPort(Runnable action) {
        onNewPort = action;
        if (link != null) {
            action.run();
        }
    }

    /** The port of the agent's own listener; empty while there is none. */
    public Optional<Integer> port() {
        AgentLink now = link;
        return now == null ? Optional.empty() : Optional.of(now.port());
    }

    /** How it is, for the doctor: none, starting, ready or off, and where it is found. */
    public ObjectNode facts() {
        AgentLink now = link;
        String how =
                command.isEmpty() ? "none" : off() ? "off" : now == null ? "starting" : "ready";
        ObjectNode facts = Json.object().put("state", how);
        return now == null ? facts : facts.put("pid", now.pid()).put("port", now.port());
    }

    private void bringUp() {
        if (!adopt()) {
            inherited.complete(Json.object());
            launch();
            follow();
        }
    }

    // Terminals outlive a restart of the hub: their agent waits a while for the next one.
    private boolean adopt() {
        try {
            AgentLink old = AgentLink.read(stateDir);
            ProcessHandle process = ProcessHandle.of(old.pid()).orElseThrow(IOException::new);
            old.post("adopt", Json.object().put("ownerPid", ProcessHandle.current().pid()));
            inherited.complete(old.get("list"));
            LOG.info("Took over the terminal agent, process {}", old.pid());
            use(old, process.onExit());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void launch() {
        try {
            LOG.info("Started the terminal agent, process {}", spawn().pid());
        } catch (IOException e) {
            LOG.error("The terminal agent did not start: {}", e.getMessage());
        }
    }

    private Process spawn() throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        command.orElseThrow()
                                .line(
                                        List.of(
                                                "--state-dir",
                                                stateDir.toString(),
                                                "--origin",
                                                origin,
                                                "--owner",
                                                Long.toString(ProcessHandle.current().pid()))));
        builder.environment().remove("TANDEM_TOKEN");
        builder.environment().remove("AUTH_TOKEN");
        // Programs in terminals start with what the agent has.
        builder.environment().keySet().removeIf(Surroundings::left);
        Path log = Files.createDirectories(stateDir.resolve("logs")).resolve("terminal.log");
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.redirectErrorStream(true);
        Files.deleteIfExists(stateDir.resolve("terminal-port"));
        Process process = builder.start();
        starting = process;
        if (closed) {
            process.destroyForcibly();
        }
        return process;
    }

    private void follow() {
        try {
            Process process = starting;
            if (process == null) {
                throw new IOException("there is no process");
            }
            AgentLink fresh = awaitReady(process);
            starting = null;
            started = process;
            LOG.info("The terminal agent is ready, process {}", fresh.pid());
            use(fresh, process.onExit());
        } catch (IOException e) {
            starting = null;
            LOG.error("The terminal agent is not ready: {}", e.getMessage());
            if (!closed) {
                again();
            }
        }
    }

    private AgentLink awaitReady(Process process) throws IOException {
        long deadline = System.nanoTime() + READY_NANOS;
        while (process.isAlive() && System.nanoTime() < deadline) {
            if (Files.exists(stateDir.resolve("terminal-port"))) {
                AgentLink fresh = AgentLink.read(stateDir);
                if (fresh.pid() == process.pid()) {
                    return fresh;
                }
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        process.destroyForcibly();
        throw new IOException("it was not ready; see " + stateDir.resolve("logs/terminal.log"));
    }

    private void use(AgentLink agent, CompletableFuture<?> exit) {
        link(agent);
        news.again();
        var _ =
                exit.whenComplete((_, _) -> {
                    link = null;
                    if (!closed) {
                        Thread.ofVirtual().name("terminal-agent").start(this::again);
                    }
                });
    }

    private void again() {
        if (!respawns.another()) {
            LOG.error(
                    "The terminal agent died {} times within {} s. It stays off until you"
                            + " restart a terminal in the panel, or the hub; see"
                            + " logs/terminal.log.",
                    Respawns.MOST + 1,
                    respawns.within().toSeconds());
            return;
        }
        LOG.warn("The terminal agent is gone; starting it again");
        bringUp();
    }

    /** True when it died too often, so that only a person's wish starts it again. */
    boolean off() {
        return respawns.off();
    }

    /** Starts an agent that was given up; does nothing otherwise. */
    void revive() {
        if (respawns.forgive()) {
            Thread.ofVirtual().name("terminal-agent").start(this::bringUp);
        }
    }

    /** Ends one that does not answer, which starts the next. */
    void giveUp() {
        AgentLink hung = link;
        if (hung != null) {
            ProcessHandle.of(hung.pid()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    JsonNode get(String name) throws IOException {
        return ask(agent -> agent.get(name));
    }

    JsonNode post(String name, ObjectNode body) throws IOException {
        return ask(agent -> agent.post(name, body));
    }

    private interface Question {
        JsonNode to(AgentLink agent) throws IOException;
    }

    private JsonNode ask(Question question) throws IOException {
        try {
            return question.to(current());
        } catch (AgentLink.Refused e) {
            if (e.status() != 409 && e.status() != 403) {
                throw e;
            }
            // Another agent than the one we knew: its files say which.
            link(AgentLink.read(stateDir));
            return question.to(current());
        }
    }

    void link(AgentLink known) {
        link = known;
        onNewPort.run();
    }

    private AgentLink current() throws IOException {
        AgentLink now = link;
        if (now == null) {
            throw new NotReady();
        }
        return now;
    }

    /** There is no agent to ask. */
    static final class NotReady extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /**
     * Whose terminal a process belongs to, by it and its ancestors: empty when it descends from
     * none, an empty string when it descends from one that cannot be told any more.
     */
    public Optional<String> terminalOf(List<Long> line) {
        AgentLink now = link;
        // Looked at here first: most commands come from the user's own shell.
        if (now == null || !line.contains(now.pid())) {
            return Optional.empty();
        }
        try {
            JsonNode answer = now.post("owner-of", Json.object().put("pid", line.getFirst()));
            return Optional.of(answer.path("sessionId").asString(""));
        } catch (IOException e) {
            // An agent that cannot be asked does not make its children anybody else.
            return Optional.of("");
        }
    }

    /** Whether that process is the terminal agent itself, not a program in a terminal. */
    public boolean isAgent(long pid) {
        AgentLink now = link;
        return now != null && now.pid() == pid;
    }

    /** Tells the programs in terminals which tabs are open; the body is the panel's tabState. */
    public void tabs(ObjectNode tabState) {
        news.changed(tabState);
    }

    /** Lets go of the agent: without terminals it ends now, with them it waits for the next hub. */
    @Override
    public void close() {
        closed = true;
        watch.close();
        Process unready = starting;
        if (unready != null) {
            unready.destroyForcibly();
        }
        Process ours = started;
        if (ours != null) {
            try {
                ours.getOutputStream().close();
            } catch (IOException e) {
                LOG.debug("The terminal agent was gone already", e);
            }
        }
    }
}

package dev.tandem.hub.agent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One running agent program that was greeted and answered. Any thread may call it; calls wait for
 * the agent and belong on virtual threads.
 */
public final class Agent implements AutoCloseable {
    private static final int PROTOCOL_VERSION = 1;

    /** A person signs in by hand, often in a page that the agent opens. */
    private static final Duration SIGN_IN = Duration.ofMinutes(10);

    private static final Duration FORGETTING = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

    private final AgentEntry entry;
    private final Launch launch;
    private final AgentRuntime runtime;
    private final AgentProcess process;
    private final AcpConnection connection;
    private final AgentRouter router = new AgentRouter();
    private final AtomicReference<@Nullable AgentException> ended = new AtomicReference<>();
    private ObjectNode greeting = AcpJson.object();

    private Agent(AgentEntry entry, Launch launch, AgentRuntime runtime) {
        this.entry = entry;
        this.launch = launch;
        this.runtime = runtime;
        this.process = AgentProcess.start(launch, runtime.trees());
        this.connection = new AcpConnection(process, new Peer());
    }

    /** Starts the program and greets it; nothing is left running when this fails. */
    public static Agent start(AgentEntry entry, Launch launch, AgentRuntime runtime) {
        Agent agent = new Agent(entry, launch, runtime);
        try {
            agent.connection.open();
            agent.initialize();
            return agent;
        } catch (RuntimeException failed) {
            agent.process.stop(runtime.timings().stopGrace());
            throw failed;
        }
    }

    private void initialize() {
        ObjectNode hello = Greeting.of(entry.offers(), runtime.hubVersion());
        JsonNode answer =
                connection.awaitWithin(
                        connection.request("initialize", hello), runtime.timings().initialize());
        int version = answer.path("protocolVersion").asInt(-1);
        if (version != PROTOCOL_VERSION) {
            throw new AgentException(
                    "agent_version_unsupported",
                    "%s speaks ACP version %s; Tandem speaks version %d."
                            .formatted(
                                    entry.name(),
                                    version < 0 ? "unknown" : version,
                                    PROTOCOL_VERSION));
        }
        greeting = AcpJson.objectOrEmpty(answer);
    }

    public AgentEntry entry() {
        return entry;
    }

    public AgentCapabilities capabilities() {
        return AgentCapabilities.saidIn(greeting);
    }

    /** The agent's whole answer to {@code initialize}. */
    public ObjectNode greeting() {
        return greeting.deepCopy();
    }

    /** The ways to sign in, as the agent gave them. */
    public ArrayNode authMethods() {
        return AcpJson.arrayOrEmpty(greeting.path("authMethods").deepCopy());
    }

    public long pid() {
        return process.pid();
    }

    public boolean isRunning() {
        return ended.get() == null;
    }

    public List<String> stderrLines() {
        return process.stderrLines();
    }

    /** The program that runs a terminal sign-in: the same command with the method's additions. */
    public Optional<Launch> loginCommand(String methodId) {
        for (JsonNode method : authMethods()) {
            if (AcpJson.text(method, "id").equals(methodId)
                    && AcpJson.text(method, "type").equals("terminal")) {
                List<String> args = new ArrayList<>();
                method.path("args").forEach(argument -> args.add(argument.asString("")));
                Map<String, String> env = new ConcurrentHashMap<>();
                method.path("env")
                        .properties()
                        .forEach(e -> env.put(e.getKey(), e.getValue().asString("")));
                return Optional.of(entry.launchWith(launch, args, env));
            }
        }
        return Optional.empty();
    }

    /** Signs in by a method of the agent's own; {@link #loginCommand} has the others. */
    public void authenticate(String methodId) {
        require(loginCommand(methodId).isEmpty(), "This way to sign in takes a terminal");
        AcpConnection.Call call =
                connection.request("authenticate", AcpJson.object().put("methodId", methodId));
        connection.await(call.id(), call.result(), SIGN_IN);
    }

    public void logout() {
        require(capabilities().logout(), "Signing out is not supported by this agent");
        call("logout", AcpJson.object());
    }

    public AgentSession newSession(SessionSetup setup, AgentHost host) {
        try (var opening = router.opening()) {
            AcpConnection.Call call = connection.prepare();
            opening.belongsTo(call.id(), host);
            // On the reader thread: the next line may already speak of this session.
            CompletableFuture<AgentSession> ready =
                    call.result()
                            .thenCompose(answer -> {
                                AgentSession fresh = register(answer, setup, host);
                                return fresh.opened(call.result(), fresh);
                            });
            connection.send(call, "session/new", params(setup));
            return connection.await(call.id(), ready, runtime.timings().silence());
        }
    }

    private AgentSession register(JsonNode answer, SessionSetup setup, AgentHost host) {
        String id = AcpJson.text(answer, "sessionId");
        if (id.isEmpty()) {
            throw new AgentException(
                    "agent_protocol_error", "The agent opened a session without an id.");
        }
        AgentSession session = new AgentSession(this, id, setup, host);
        add(session);
        return session;
    }

    private void add(AgentSession session) {
        if (!router.add(session)) {
            throw new AgentException(
                    "agent_protocol_error",
                    "The agent gave two sessions the id %s.".formatted(session.agentSessionId()));
        }
    }

    /**
     * Opens a session that the agent remembers; it repeats the whole conversation to the host
     * before this returns.
     */
    public AgentSession load(String id, SessionSetup setup, AgentHost host, ObjectNode options) {
        require(capabilities().loadSession(), "Loading sessions is not supported by this agent");
        return reopen("session/load", id, setup, host, options);
    }

    /** Goes on with a session that the agent remembers; it repeats nothing. */
    public AgentSession resume(String id, SessionSetup setup, AgentHost host, ObjectNode options) {
        require(capabilities().resumeSession(), "Resuming sessions is not supported by this agent");
        return reopen("session/resume", id, setup, host, options);
    }

    private AgentSession reopen(
            String method, String id, SessionSetup setup, AgentHost host, ObjectNode options) {
        AgentSession session = new AgentSession(this, id, setup, host);
        session.remember(options);
        add(session);
        try {
            AcpConnection.Call call = connection.prepare();
            CompletableFuture<AgentSession> ready = session.opened(call.result(), session);
            connection.send(call, method, params(setup).put("sessionId", id));
            return connection.await(call.id(), ready, runtime.timings().silence());
        } catch (RuntimeException failed) {
            router.remove(session);
            throw failed;
        }
    }

    /** One page of what the agent remembers; pass an empty cursor for the first. */
    public SessionPage list(String cwd, String cursor) {
        require(capabilities().listSessions(), "Listing sessions is not supported by this agent");
        ObjectNode params = AcpJson.object();
        if (!cwd.isEmpty()) {
            params.put("cwd", cwd);
        }
        if (!cursor.isEmpty()) {
            params.put("cursor", cursor);
        }
        JsonNode answer = call("session/list", params);
        return new SessionPage(
                AcpJson.arrayOrEmpty(answer.path("sessions")), AcpJson.text(answer, "nextCursor"));
    }

    /** An empty cursor says that this was the last page. */
    public record SessionPage(ArrayNode sessions, String nextCursor) {}

    public void delete(String agentSessionId) {
        require(capabilities().deleteSession(), "Deleting sessions is not supported by this agent");
        call("session/delete", AcpJson.object().put("sessionId", agentSessionId));
    }

    private ObjectNode params(SessionSetup setup) {
        ObjectNode params = AcpJson.object().put("cwd", setup.cwd().toString());
        ArrayNode servers = params.putArray("mcpServers");
        servers.add(setup.door().toJson(capabilities()));
        for (JsonNode own : setup.ownServers()) {
            if (capabilities().takes(own)) {
                servers.add(own);
            } else {
                LOG.info("{} cannot reach MCP server {}", entry.agentId(), own.path("name"));
            }
        }
        if (capabilities().additionalDirectories() && !setup.additionalDirectories().isEmpty()) {
            ArrayNode more = params.putArray("additionalDirectories");
            setup.additionalDirectories().forEach(directory -> more.add(directory.toString()));
        }
        return params;
    }

    private static void require(boolean supported, String otherwise) {
        if (!supported) {
            throw new AgentException("unsupported", otherwise);
        }
    }

    JsonNode call(String method, ObjectNode params) {
        AcpConnection.Call call = connection.request(method, params);
        return connection.await(call.id(), call.result(), runtime.timings().silence());
    }

    AcpConnection connection() {
        return connection;
    }

    AgentRuntime runtime() {
        return runtime;
    }

    void forget(AgentSession session) {
        router.remove(session);
    }

    /** Ends running turns, sessions, and then the program with everything it started. */
    @Override
    public void close() {
        List<AgentSession> open = router.sessions();
        open.forEach(AgentSession::cancel);
        List<CompletableFuture<Boolean>> ends =
                open.stream().map(session -> away(session::close)).toList();
        ends.forEach(end -> within(end, runtime.timings().stopGrace()));
        process.stop(runtime.timings().stopGrace());
        connection.close(process.exitReason());
    }

    /**
     * Ends one session and leaves the program to the others; the agent also forgets it, if it shall
     * and can. False when the agent did not confirm in time that its work has ended.
     */
    public boolean leave(AgentSession session, boolean forget) {
        session.cancel();
        return within(
                away(() -> {
                    boolean ended = session.close();
                    if (forget) {
                        forget(session.agentSessionId());
                    }
                    return ended;
                }),
                forget ? FORGETTING : runtime.timings().stopGrace());
    }

    private void forget(String agentSessionId) {
        try {
            delete(agentSessionId);
        } catch (AgentException kept) {
            LOG.debug("agent {} keeps {}", pid(), agentSessionId, kept);
        }
    }

    private static <T> CompletableFuture<T> away(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> Thread.ofVirtual().start(task));
    }

    private static boolean within(CompletableFuture<Boolean> end, Duration patience) {
        try {
            return end.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException stubborn) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What arrives from the agent; all of it on the connection's reader thread. */
    private final class Peer implements AcpConnection.Peer {
        @Override
        public void notification(String method, ObjectNode params, int bytes) {
            router.notification(method, params, bytes);
        }

        @Override
        public void request(IncomingRequest request, int bytes) {
            router.request(request, bytes);
        }

        @Override
        public void closed(AgentException reason) {
            ended.set(reason);
            router.sessions().forEach(session -> session.agentEnded(reason));
            Thread.ofVirtual().start(() -> process.stop(runtime.timings().stopGrace()));
        }
    }
}

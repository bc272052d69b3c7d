package dev.tandem.hub.agent;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A conversation with one agent. Any thread may call it; what the agent says reaches the {@link
 * AgentHost} in order, and a turn's future completes after everything said in it was delivered.
 */
public final class AgentSession {
    private static final Logger LOG = LoggerFactory.getLogger(AgentSession.class);

    private final Agent agent;
    private final String agentSessionId;
    private final AgentHost host;
    private final SessionQueue queue;
    private final SessionState state = new SessionState();
    private final ToolCards cards = new ToolCards();
    private final AgentTerminals terminals;
    private final SessionRequests requests;
    private final AtomicReference<@Nullable Turn> turn = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Set<String> changedTerminals = ConcurrentHashMap.newKeySet();
    private volatile ObjectNode opening = AcpJson.object();
    private volatile long heardNanos = System.nanoTime();

    /** One prompt on its way. */
    private record Turn(long callId, CompletableFuture<TurnEnd> end, AtomicBoolean cancelled) {}

    AgentSession(Agent agent, String agentSessionId, SessionSetup setup, AgentHost host) {
        this.agent = agent;
        this.agentSessionId = agentSessionId;
        this.host = host;
        this.queue = new SessionQueue("agent-session-" + agentSessionId);
        this.terminals =
                new AgentTerminals(
                        agent.runtime().trees(),
                        host.owner(),
                        setup.fence(),
                        this::terminalChanged);
        this.requests =
                new SessionRequests(host, queue, agent.entry().offers(), setup, terminals, cards);
    }

    public String agentSessionId() {
        return agentSessionId;
    }

    public Agent agent() {
        return agent;
    }

    /** Sends one prompt. Fails at once with {@code busy} while another turn runs. */
    public CompletableFuture<TurnEnd> prompt(ArrayNode content) {
        ArrayNode blocks = PromptContent.accept(content, agent.capabilities());
        AcpConnection.Call call = agent.connection().prepare();
        Turn started = new Turn(call.id(), new CompletableFuture<>(), new AtomicBoolean());
        if (!turn.compareAndSet(null, started)) {
            agent.connection().drop(call);
            throw new AgentException("busy", "A turn is running in this session.");
        }
        requests.turnEnded();
        var _ =
                call.result()
                        .whenComplete((answer, problem) ->
                                queue.add(() -> finish(started, answer, problem), 0));
        agent.connection().send(call, "session/prompt", params().set("prompt", blocks));
        return started.end().copy();
    }

    public boolean isPrompting() {
        return turn.get() != null;
    }

    /**
     * Stops the running turn: asks the agent, answers what it waits for, reminds it, and at last
     * ends the turn without it. False if nothing was running.
     */
    public boolean cancel() {
        Turn running = turn.get();
        if (running == null) {
            return false;
        }
        if (running.cancelled().compareAndSet(false, true)) {
            sendCancel(running);
        }
        return true;
    }

    private void sendCancel(Turn running) {
        agent.connection().notify("session/cancel", params());
        requests.cancelWaiting();
        AgentTimings timings = agent.runtime().timings();
        after(timings.cancelRequestAfter().toMillis())
                .execute(() -> {
                    if (!running.end().isDone()) {
                        agent.connection().cancelRequest(running.callId());
                    }
                });
        after(timings.forcedEndAfter().toMillis())
                .execute(() -> queue.add(() -> forceEnd(running), 0));
    }

    private static Executor after(long millis) {
        return CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS);
    }

    private void forceEnd(Turn running) {
        if (!running.end().isDone()) {
            Thread.ofVirtual().start(terminals::killAll);
            end(running, new TurnEnd("cancelled", true, AcpJson.object(), cards.closeOpen()));
        }
    }

    private void finish(Turn running, @Nullable JsonNode answer, @Nullable Throwable problem) {
        if (running.end().isDone()) {
            return;
        }
        if (problem == null) {
            ObjectNode result =
                    UpdateView.forBrowser(
                            AcpJson.objectOrEmpty(answer == null ? AcpJson.object() : answer));
            String reason = AcpJson.text(result, "stopReason");
            end(
                    running,
                    new TurnEnd(
                            reason.isEmpty() ? "end_turn" : reason,
                            false,
                            result,
                            cards.closeOpen()));
        } else if (running.cancelled().get() && problem instanceof RpcException) {
            end(running, new TurnEnd("cancelled", false, AcpJson.object(), cards.closeOpen()));
        } else {
            cards.closeOpen();
            turn.compareAndSet(running, null);
            running.end().completeExceptionally(AcpConnection.toAgentException(problem));
        }
    }

    private void end(Turn running, TurnEnd how) {
        turn.compareAndSet(running, null);
        requests.turnEnded();
        running.end().complete(how);
    }

    /** The agent's whole answer to new, load or resume. */
    public ObjectNode opening() {
        return opening.deepCopy();
    }

    /** Options, modes and models as last heard: what is worth keeping over a restart. */
    public ObjectNode options() {
        return state.options();
    }

    /** The above, and {@code plan, commands, usage, title, updatedAt}. */
    public ObjectNode state() {
        return state.all();
    }

    public Optional<ModelState> models() {
        return ModelState.of(state.options());
    }

    /** The output of a command in a tool card, also after the agent has released it. */
    public Optional<ObjectNode> terminalOutput(String terminalId) {
        return terminals.output(terminalId);
    }

    /** Commands that the agent runs through the hub: id, command, status, exitCode or signal. */
    public ArrayNode commands() {
        return terminals.list();
    }

    /** Ends one of them; false if there is none of that id. */
    public boolean endCommand(String terminalId) {
        return terminals.kill(terminalId);
    }

    /** Switches the model in the agent's own spelling; a refusal leaves everything as it was. */
    public ModelState setModel(String modelId) {
        ModelState models =
                models().orElseThrow(() ->
                        new AgentException(
                                "unsupported", "Model selection not supported by this agent"));
        if (models.source().equals("config_option")) {
            setOption(models.configId(), modelId);
        } else {
            call("session/set_model", params().put("modelId", modelId));
            state.currentModel(modelId);
        }
        return models().orElse(models);
    }

    public void setMode(String modeId) {
        call("session/set_mode", params().put("modeId", modeId));
        state.currentMode(modeId);
    }

    /** Sets a choice; the agent's answer is the new list of all options. */
    public ArrayNode setOption(String configId, String value) {
        return setOption(params().put("configId", configId).put("value", value));
    }

    public ArrayNode setOption(String configId, boolean value) {
        return setOption(
                params().put("configId", configId).put("type", "boolean").put("value", value));
    }

    private ArrayNode setOption(ObjectNode params) {
        state.takeAnswer(call("session/set_config_option", params));
        return state.list("configOptions");
    }

    /** How long the agent has said nothing in this session. */
    public Duration silence() {
        return Duration.ofNanos(System.nanoTime() - heardNanos);
    }

    /**
     * Leaves the session to the agent's memory; its commands end. False when the agent did not say
     * that it has ended its work.
     */
    public boolean close() {
        if (!closed.compareAndSet(false, true)) {
            return true;
        }
        cancel();
        try {
            if (agent.capabilities().closeSession() && agent.isRunning()) {
                call("session/close", params());
            }
            return true;
        } catch (AgentException refused) {
            LOG.debug("agent {} did not close {}", agent.pid(), agentSessionId, refused);
            return false;
        } finally {
            agent.forget(this);
            terminals.killAll();
            queue.close();
        }
    }

    private JsonNode call(String method, ObjectNode params) {
        return agent.call(method, params);
    }

    private ObjectNode params() {
        return AcpJson.object().put("sessionId", agentSessionId);
    }

    AgentHost host() {
        return host;
    }

    void remember(ObjectNode options) {
        state.remember(options);
    }

    /** The answer to new, load or resume; later on the queue than the replay before it. */
    <T> CompletableFuture<T> opened(CompletableFuture<JsonNode> answer, T value) {
        CompletableFuture<T> ready = new CompletableFuture<>();
        var _ =
                answer.whenComplete((result, problem) ->
                        queue.add(
                                () -> {
                                    if (problem != null) {
                                        ready.completeExceptionally(problem);
                                    } else {
                                        state.takeAnswer(result);
                                        opening =
                                                UpdateView.forBrowser(
                                                        AcpJson.objectOrEmpty(result));
                                        ready.complete(value);
                                    }
                                },
                                0));
        return ready;
    }

    void deliver(IncomingRequest request, int bytes) {
        heardNanos = System.nanoTime();
        queue.add(() -> requests.handle(request), bytes);
    }

    void deliver(String method, ObjectNode params, int bytes) {
        heardNanos = System.nanoTime();
        switch (method) {
            case "session/update" ->
                    queue.add(() -> update(AcpJson.objectOrEmpty(params.path("update"))), bytes);
            case "elicitation/complete" -> elicitationDone(params);
            default -> {
                // Extensions we do not know are not for us.
            }
        }
    }

    /** A noisy command is told once for everything that it wrote before anyone looked. */
    private void terminalChanged(String id) {
        if (changedTerminals.add(id)) {
            queue.add(
                    () -> {
                        changedTerminals.remove(id);
                        host.terminalChanged(id);
                    },
                    0);
        }
    }

    void elicitationDone(ObjectNode params) {
        String id = AcpJson.text(params, "elicitationId");
        queue.add(() -> host.elicitationDone(id), 0);
    }

    private void update(ObjectNode told) {
        ObjectNode update = UpdateView.forBrowser(told);
        state.take(update);
        if (List.of("tool_call", "tool_call_update")
                .contains(AcpJson.text(update, "sessionUpdate"))) {
            cards.merge(update);
        }
        host.update(update);
    }

    /** The agent is gone: everything that waits learns why. */
    void agentEnded(AgentException reason) {
        queue.close();
        requests.cancelWaiting();
        queue.add(() -> host.ended(reason), 0);
        Thread.ofVirtual().start(terminals::killAll);
    }
}

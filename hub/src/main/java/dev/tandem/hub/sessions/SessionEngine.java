package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.Agent;
import dev.tandem.hub.agent.AgentRuntime;
import dev.tandem.hub.agent.AgentSession;
import dev.tandem.hub.agent.ElicitationAnswer;
import dev.tandem.hub.agent.ElicitationRequest;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TcpEnds;
import dev.tandem.hub.files.FencedFiles;
import dev.tandem.hub.files.PathFence;
import dev.tandem.hub.permission.Asks;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.store.Database;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Everything that can be done with sessions, for every edge. Reading and following the log is
 * {@link SessionLog}'s, lists and their changes are {@link SessionStore}'s. Any thread may call it;
 * calls that need the agent wait for it and belong on virtual threads.
 */
public final class SessionEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionEngine.class);
    private static final String DEFAULT_PROJECT = "default";

    private final SessionStore store;
    private final SessionLog log;
    private final PermissionDesk desk;
    private final MessageQueue queue;
    private final Workplaces workplaces;
    private final SessionTokens tokens;
    private final EngineSettings settings;
    private final Parts parts;
    private final SessionSearch search;
    private final SessionDoor door;
    private final Restarts restarts;
    private final LiveSessions live;

    public SessionEngine(
            Database database,
            SessionStore store,
            SessionLog log,
            PermissionDesk desk,
            Agents agents,
            AgentRuntime runtime,
            Asks.Places places,
            EngineSettings settings,
            Clock clock) {
        this.store = store;
        this.log = log;
        this.desk = desk;
        this.settings = settings;
        this.queue = new MessageQueue(database, log);
        this.workplaces = new Workplaces(settings, agents, store);
        this.tokens = new SessionTokens(store);
        AgentPool pool = new AgentPool(store, runtime);
        this.door = new SessionDoor(store, runtime.trees(), pool, this::turnRuns);
        this.search = new SessionSearch(database, store);
        this.parts =
                new Parts(
                        store,
                        log,
                        queue,
                        new Unfinished(database, log),
                        desk,
                        places,
                        workplaces,
                        tokens,
                        new LocalTools(log, clock),
                        new Slots(settings.maxRunning(), log),
                        pool,
                        new AgentAccounts(agents, runtime, settings.userHome()),
                        settings,
                        clock);
        this.live = new LiveSessions(new SessionClocks(store, settings.idle(), this::stop));
        this.restarts = new Restarts(parts, this::start);
        desk.watch(new CardEntries(store, log, this::halt));
    }

    /** Brings back what an earlier hub left, makes the first project, and starts the clocks. */
    public SessionEngine open() {
        new Recovery(parts).run();
        if (store.projects().isEmpty()) {
            store.createProject(DEFAULT_PROJECT, Json.object().put("displayName", "Default"));
            create(DEFAULT_PROJECT, Json.object().put("name", "First session"));
        }
        live.startClock(settings.keepEvery());
        return this;
    }

    /** Makes a session; a prompt in the fields becomes its first message. It is not started. */
    public Session create(String projectId, ObjectNode fields) {
        if (store.project(projectId).isEmpty()) {
            throw new TandemException(
                    ErrorCode.NOT_FOUND, "Project with id='" + projectId + "' not found");
        }
        checkFolder(projectId, fields);
        Session session = store.create(projectId, fields);
        try {
            Json.text(fields, "prompt")
                    .filter(text -> !text.isBlank())
                    .ifPresent(text -> queue.add(session.id(), Prompt.of(text).draft()));
        } catch (RuntimeException notStored) {
            store.delete(session.id());
            throw notStored;
        }
        return store.required(session.id());
    }

    /**
     * Makes a session of one that an agent remembers and the hub did not run; its first start
     * brings the conversation.
     */
    public Session adopt(String projectId, ObjectNode fields, String agentId, String agentsId) {
        Session session = create(projectId, fields);
        return store.update(
                session.id(),
                kept ->
                        kept.put("sdk_session_id", agentsId)
                                .put("agent_used", agentId)
                                .put("adopted", true)
                                .put(OpenedAgent.UNTOLD, true));
    }

    /** Moves to Pending; the process follows as soon as a slot is free. */
    public Session start(String id) {
        Session moved = store.move(id, Phase.PENDING);
        LiveSession session = new LiveSession(id, parts, live::remove, restarts::would);
        live.add(session);
        var _ =
                session.over()
                        .thenRun(() -> {
                            if (session.crashed()) {
                                restarts.crashed(id, session.promised());
                            }
                        });
        session.start();
        return moved;
    }

    /** Moves to Stopping; Stopped follows when the whole process tree is gone. */
    public Session stop(String id) {
        return stop(id, "stopped", "Stopped by the user.");
    }

    private Session stop(String id, String reason, String message) {
        Session moved = store.move(id, Phase.STOPPING);
        live.find(id)
                .ifPresent(session -> {
                    var _ = session.stop(reason, message);
                });
        return moved;
    }

    /** Ends the running turn and keeps the session and its queue. False if nothing ran. */
    public boolean interrupt(String id) {
        store.required(id);
        boolean ran = halt(id);
        desk.stopped(id);
        return ran;
    }

    private boolean halt(String id) {
        return live.find(id).map(LiveSession::turns).map(Turns::interrupt).orElse(false);
    }

    /** Stores a message and gives it to the agent as soon as that is free. */
    public SessionLog.Appended send(String id, Prompt prompt) {
        SessionLog.Appended taken = queue.add(id, prompt.draft());
        Optional<LiveSession> session = live.find(id);
        if (session.isPresent()) {
            Thread.ofVirtual().name("session-send-" + id).start(session.get().turns()::release);
        } else if (taken.stored()) {
            ObjectNode waits = Json.object().put("event", "message_waits");
            waits.putObject("value")
                    .put("seq", taken.entry().seq())
                    .put("message", "The session does not run; it gets this when it starts.");
            log.append(id, Entry.Kind.SYSTEM, waits);
        }
        return taken;
    }

    /** Messages that wait for the agent, in order. */
    public List<Entry> queued(String id) {
        return queue.list(id);
    }

    public Entry editQueued(String id, long seq, String text) {
        return queue.edit(id, seq, text);
    }

    public void withdrawQueued(String id, long seq) {
        queue.withdraw(id, seq);
    }

    /** After an interrupt: goes on with what waits. */
    public void continueQueue(String id) {
        live.find(id).map(LiveSession::turns).ifPresent(Turns::release);
    }

    public Session rename(String id, String name) {
        if (name.isBlank() || name.length() > 200) {
            throw new TandemException(
                    ErrorCode.BAD_REQUEST, "A session's name has 1 to 200 characters.");
        }
        return update(id, fields -> fields.put("name", name.strip()));
    }

    /**
     * Changes what the user may change; folders must be registered for the project. A session that
     * may not stay beside the others in its process goes on in another one.
     */
    public Session update(String id, UnaryOperator<ObjectNode> change) {
        Session before = store.required(id);
        Session updated =
                store.update(
                        id,
                        fields -> {
                            ObjectNode after = change.apply(fields);
                            checkFolder(before.projectId(), after);
                            checkSharing(before, before.with(after));
                            return after;
                        });
        live.find(id)
                .filter(session -> !session.agent().fits(updated))
                .ifPresent(session ->
                        Thread.ofVirtual()
                                .name("session-move-" + id)
                                .start(() ->
                                        again(
                                                session,
                                                "moved",
                                                "With these settings it goes on in a process of"
                                                        + " its own.")));
        return updated;
    }

    /** What its neighbours in a process do not have, a turn that runs beside them cannot get. */
    private void checkSharing(Session before, Session after) {
        boolean narrower = after.mode().compareTo(before.mode()) < 0;
        boolean beside = live.find(before.id()).filter(one -> !one.agent().fits(after)).isPresent();
        if (beside && !narrower && turnRuns(before.id())) {
            throw new TandemException(
                    ErrorCode.CONFLICT,
                    "This session works in a process that it shares with others of its mode. Stop"
                            + " the turn first; then it goes on in one of its own.",
                    "busy");
        }
    }

    /**
     * Ends its process, then removes the session and its log; the agent forgets it, too, where it
     * can and did not have it before us. False if it was not there.
     */
    public boolean delete(String id) {
        LiveSession session = live.find(id).orElse(null);
        boolean ours = store.session(id).filter(one -> !SessionFields.adopted(one)).isPresent();
        if (session == null) {
            if (ours) {
                forgetElsewhere(id);
            }
        } else {
            if (ours) {
                session.forget();
            }
            try {
                stop(id, "deleted", "The session was deleted.");
            } catch (TandemException alreadyStopping) {
                LOG.debug("{} is stopping already", id);
            }
            session.over().join();
        }
        desk.forget(id);
        restarts.forget(id);
        parts.localTools().forget(id);
        return store.delete(id);
    }

    private void forgetElsewhere(String id) {
        Optional<Session> stored = store.session(id);
        Optional<String> agent = stored.flatMap(session -> session.field("agent_used"));
        Optional<String> known = stored.flatMap(session -> session.field("sdk_session_id"));
        if (agent.isPresent() && known.isPresent()) {
            parts.accounts().forget(agent.get(), known.get());
        }
    }

    /** Deletes a project with its sessions. */
    public boolean deleteProject(String projectId) {
        store.sessions().stream()
                .filter(session -> session.projectId().equals(projectId))
                .forEach(session -> delete(session.id()));
        return store.deleteProject(projectId);
    }

    /** A new session with the same settings; no prompt, no history. */
    public Session cloneOf(String id) {
        Session source = store.required(id);
        ObjectNode fields = source.fields().deepCopy();
        fields.remove(SessionFields.OF_ONE_RUN);
        fields.put("name", source.name() + "-clone").put("parent_session_id", id);
        return create(source.projectId(), fields);
    }

    /** The session and its whole log. */
    public ObjectNode export(String id) {
        return History.export(store.required(id), log, parts.clock().millis());
    }

    /** Sessions whose name, labels or messages hold these words, newest change first. */
    public List<Session> search(String words) {
        return search.find(words);
    }

    public SessionSummary summary(Session session) {
        return new Summaries(log, queue)
                .of(session, live.find(session.id()).map(LiveSession::turns));
    }

    public List<SessionSummary> summaries() {
        return store.sessions().stream().map(this::summary).toList();
    }

    /** Lets a project's sessions work in this folder; only for the user. */
    public void registerFolder(String projectId, Path folder) {
        workplaces.register(projectId, folder);
    }

    /** Whether some project's sessions may work in this folder. */
    public boolean isRegistered(String folder) {
        return store.projects().stream()
                .anyMatch(project -> workplaces.isRegistered(project.id(), folder));
    }

    /** The files that a session's agent may reach; none when its folder cannot be used. */
    public Optional<FencedFiles> files(String id) {
        return store.session(id)
                .flatMap(session -> {
                    try {
                        return Optional.of(new FencedFiles(workplaces.prepare(session).fence()));
                    } catch (IOException e) {
                        return Optional.empty();
                    }
                });
    }

    public List<Path> folders(String projectId) {
        return workplaces.roots(projectId);
    }

    /**
     * The agent's options, modes, models, commands, plan and usage; empty while it does not run.
     */
    public Optional<ObjectNode> agentState(String id) {
        return agentSession(id).map(AgentSession::state);
    }

    /** The open agent session, to switch models, modes and options. */
    public Optional<AgentSession> agentSession(String id) {
        return live.find(id).map(LiveSession::agent).flatMap(OwnAgent::session);
    }

    /** Who agents are, and signing in to them. */
    public AgentAccounts accounts() {
        return parts.accounts();
    }

    /** Signs out of an agent, also in the processes of it that run. */
    public void signOut(String agentId) {
        parts.accounts().signOut(agentId, processes(agentId).toList());
    }

    /** Whether some session has a process of this agent. */
    public boolean runs(String agentId) {
        return processes(agentId).findAny().isPresent();
    }

    private Stream<Agent> processes(String agentId) {
        return live.of(agentId).stream()
                .flatMap(session -> session.agent().process().stream())
                .distinct()
                .filter(Agent::isRunning);
    }

    /** Ends every process of an agent and starts its sessions again; waits until they are ended. */
    public void restartAgent(String agentId) {
        for (LiveSession session : live.of(agentId)) {
            again(session, "restarted", "The agent is started again.");
        }
    }

    private void again(LiveSession session, String reason, String message) {
        stop(session.id(), reason, message);
        session.over().join();
        start(session.id());
    }

    /** The user's choice of model, mode or option was taken by the agent: keeps and tells it. */
    public void optionsChanged(String id) {
        agentSession(id).ifPresent(agent -> AgentOptions.changed(parts, id, agent));
    }

    /** The model for this and later starts; at once where the agent runs and offers it. */
    public Session chooseModel(String id, String model) {
        return ModelWish.now(parts, store.required(id).id(), agentSession(id), model);
    }

    /** The files that exist for a session. */
    public PathFence fence(String id) {
        return workplaces.look(store.required(id));
    }

    /** Forms and links that wait for the user. */
    public List<ElicitationRequest> openQuestions(String id) {
        return live.find(id).map(session -> session.questions().open()).orElseGet(List::of);
    }

    /** The tool call that an agent's open permission request is about, as the agent gave it. */
    public Optional<ObjectNode> askedFor(String id, String requestId) {
        return live.find(id).flatMap(session -> session.host().askedFor(requestId));
    }

    /** Answers an agent's form or link. */
    public void answerQuestion(String id, String requestId, ElicitationAnswer answer, Caller by) {
        live.find(id)
                .orElseThrow(() ->
                        new TandemException(ErrorCode.NOT_FOUND, "There is no such question."))
                .questions()
                .answer(requestId, answer, by);
    }

    /** The run of the turn that is under way. */
    public Optional<String> run(String id) {
        return live.find(id).map(LiveSession::turns).flatMap(Turns::current).map(Turn::runId);
    }

    public boolean turnRuns(String id) {
        return live.find(id).map(LiveSession::turns).map(Turns::running).orElse(false);
    }

    /** Tools that chat clients run for a session's agent. */
    public LocalTools localTools() {
        return parts.localTools();
    }

    /** Who stands behind a session's MCP token. */
    public Optional<Caller> caller(String token) {
        return tokens.caller(token);
    }

    /**
     * Whom a process acts as when a known agent started it; empty for all others.
     *
     * @param line the process and its ancestors, nearest first
     */
    public Optional<Caller> actor(List<Long> line) {
        return door.actor(line);
    }

    /**
     * Lets a call with a session's token in, or says why not: no turn runs, or the connection from
     * these ends does not belong to the session's agent.
     */
    public void admit(String id, TcpEnds ends) {
        door.admit(id, ends);
    }

    /** Completes when the session has ended; at once when it does not run. */
    public CompletableFuture<Phase> ended(String id) {
        return live.find(id)
                .map(session -> session.over().copy())
                .orElseGet(() -> CompletableFuture.completedFuture(store.required(id).phase()));
    }

    /** How many sessions have a process or wait for one. */
    public int running() {
        return live.size();
    }

    @Override
    public void close() {
        live.shutDown(store);
    }

    private void checkFolder(String projectId, ObjectNode fields) {
        JsonNode annotations =
                Json.text(fields, "annotations")
                        .filter(text -> !text.isBlank())
                        .map(Json::parse)
                        .orElseGet(Json::object);
        for (String name : List.of("tandem/cwd", "tandem/dirs")) {
            Json.text(annotations, name).stream()
                    .flatMap(String::lines)
                    .filter(line -> !line.isBlank())
                    .forEach(folder -> workplaces.registered(projectId, Path.of(folder)));
        }
    }
}

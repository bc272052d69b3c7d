package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.AgentRuntime;
import dev.tandem.hub.agent.AgentSession;
import dev.tandem.hub.agent.ElicitationAnswer;
import dev.tandem.hub.agent.ElicitationRequest;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.files.FencedFiles;
import dev.tandem.hub.files.PathFence;
import dev.tandem.hub.permission.Asks;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.store.Database;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/**
 * Everything that can be done with sessions, for every edge. Reading and following the log is
 * {@link SessionLog}'s, lists and their changes are {@link SessionStore}'s. Any thread may call it;
 * calls that need the agent wait for it and belong on virtual threads.
 */
public final class SessionEngine implements AutoCloseable {
    private static final String DEFAULT_PROJECT = "default";

    private final SessionStore store;
    private final SessionLog log;
    private final PermissionDesk desk;
    private final MessageQueue queue;
    private final Folders folders;
    private final Workplaces workplaces;
    private final EngineSettings settings;
    private final Parts parts;
    private final SessionSearch search;
    private final SessionDoor door;
    private final LiveSessions live;
    private final AgentProcesses processes;

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
        this.folders = new Folders(settings, agents, store);
        this.workplaces = new Workplaces(settings, agents, store, folders);
        SessionTokens tokens = new SessionTokens(store);
        AgentPool pool = new AgentPool(store, runtime);
        this.door = new SessionDoor(store, tokens, runtime.trees(), pool, this::turnRuns);
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
        this.live = new LiveSessions(parts);
        this.processes = new AgentProcesses(live, parts.accounts());
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
        folders.check(projectId, fields);
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
        return live.start(id);
    }

    /** Moves to Stopping; Stopped follows when the whole process tree is gone. */
    public Session stop(String id) {
        return live.stop(id, "stopped", "Stopped by the user.");
    }

    /** Ends the running turn and keeps the session and its queue. False if nothing ran. */
    public boolean interrupt(String id) {
        store.required(id);
        boolean ran = halt(id);
        desk.stopped(id);
        return ran;
    }

    private boolean halt(String id) {
        return live.turns(id).map(Turns::interrupt).orElse(false);
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

    /** The messages that wait for agents. */
    public MessageQueue queue() {
        return queue;
    }

    /** After an interrupt: goes on with what waits. */
    public void continueQueue(String id) {
        live.turns(id).ifPresent(Turns::release);
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
                            folders.check(before.projectId(), after);
                            live.checkSharing(before, before.with(after));
                            return after;
                        });
        live.moveApart(updated);
        return updated;
    }

    /**
     * Ends its process, then removes the session and its log; the agent forgets it, too, where it
     * can and did not have it before us. False if it was not there.
     */
    public boolean delete(String id) {
        Optional<Session> ours = store.session(id).filter(one -> !SessionFields.adopted(one));
        boolean ran = live.end(id, ours.isPresent());
        if (!ran) {
            ours.ifPresent(parts.accounts()::forget);
        }
        desk.forget(id);
        live.forget(id);
        parts.localTools().forget(id);
        return store.delete(id);
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
        return new Summaries(log, queue).of(session, live.turns(session.id()));
    }

    public List<SessionSummary> summaries() {
        return store.sessions().stream().map(this::summary).toList();
    }

    /** Where the sessions of projects may work. */
    public Folders folders() {
        return folders;
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

    /** The open agent session, to switch models, modes and options. */
    public Optional<AgentSession> agentSession(String id) {
        return live.find(id).map(LiveSession::agent).flatMap(OwnAgent::session);
    }

    /** Who agents are, and signing in to them. */
    public AgentAccounts accounts() {
        return parts.accounts();
    }

    /** The processes of agents in which sessions work. */
    public AgentProcesses processes() {
        return processes;
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
        return live.turns(id).flatMap(Turns::current).map(Turn::runId);
    }

    public boolean turnRuns(String id) {
        return live.turns(id).map(Turns::running).orElse(false);
    }

    /** Tools that chat clients run for a session's agent. */
    public LocalTools localTools() {
        return parts.localTools();
    }

    /** Who comes in as a session. */
    public SessionDoor door() {
        return door;
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
        live.shutDown();
    }
}

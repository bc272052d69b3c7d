package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.Agent;
import dev.tandem.hub.agent.AgentEntry;
import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.agent.AgentSession;
import dev.tandem.hub.agent.TurnEnd;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** A session with a process, from waiting for a slot to the last line. Any thread may call it. */
final class LiveSession {
    private static final Logger LOG = LoggerFactory.getLogger(LiveSession.class);

    private final String id;
    private final Parts parts;
    private final Consumer<LiveSession> gone;
    private final Predicate<String> restarts;
    private final Transcript transcript;
    private final Questions questions;
    private final SilenceWatch silence;
    private final AgentNews news;
    private final UntilStored storing = new UntilStored(this::tellFull);
    private final SessionHost host;
    private final Thread opening;
    private final CompletableFuture<Phase> over = new CompletableFuture<>();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final AtomicBoolean keeping = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable String stopReason;
    private volatile @Nullable OpenedAgent opened;
    private volatile @Nullable Turn turn;
    private final long startedAt;
    private volatile long activeAt;
    private volatile boolean crashed;
    private volatile boolean promised;
    private volatile boolean forgotten;
    private volatile String tried = "";
    private volatile boolean pumpAgain;
    private boolean held;
    private final ToolQuestion question = new ToolQuestion();
    private volatile String locked = "";

    /** The run whose end is being told: whoever hears it finds the session at rest. */
    private volatile String ended = "";

    /**
     * @param restarts whether a session that crashed now would be started again
     */
    LiveSession(String id, Parts parts, Consumer<LiveSession> gone, Predicate<String> restarts) {
        this.id = id;
        this.parts = parts;
        this.restarts = restarts;
        this.gone = gone;
        this.startedAt = parts.clock().millis();
        this.activeAt = startedAt;
        this.questions = new Questions(id, parts.log(), parts.desk());
        this.news = new AgentNews(update -> parts.log().feed(id).publish(update));
        this.silence = new SilenceWatch(parts.settings().silence());
        this.transcript =
                new Transcript(
                        id,
                        parts.log(),
                        parts.unfinished(),
                        terminal -> agentSession().flatMap(s -> s.terminalOutput(terminal)),
                        storing,
                        parts.clock());
        this.host =
                new SessionHost(
                        () -> parts.store().required(id),
                        transcript,
                        questions,
                        parts.desk(),
                        parts.places(),
                        this::agentEnded,
                        this::halt);
        this.opening = Thread.ofVirtual().name("session-" + id).unstarted(this::run);
    }

    String id() {
        return id;
    }

    void start() {
        opening.start();
    }

    private void run() {
        try {
            takePlace();
            var _ = over.whenComplete((phase, problem) -> parts.slots().release());
            parts.store().move(id, Phase.CREATING);
            open();
            if (agent().filter(Agent::isRunning).isEmpty()) {
                // It went away as soon as it was there; host.ended brings the reason.
                return;
            }
            parts.store().move(id, Phase.RUNNING);
            activeAt = parts.clock().millis();
            pump();
        } catch (InterruptedException | IOException | RuntimeException e) {
            // A stop interrupts this thread to end its waiting; what follows must not be cut short.
            Thread.ofVirtual().name("session-failed-" + id).start(() -> failed(e));
        }
    }

    /** Only so many sessions have a process at a time; one that must wait says so. */
    private void takePlace() throws InterruptedException {
        // with a time, or it would pass those who wait already
        if (!parts.slots().tryAcquire(0, TimeUnit.SECONDS)) {
            ObjectNode waits = Json.object().put("event", "place_waits");
            waits.putObject("value")
                    .put(
                            "message",
                            "As many sessions run as may at a time. This one starts when another"
                                    + " is stopped.");
            parts.log().append(id, Entry.Kind.SYSTEM, waits);
            parts.slots().acquire();
        }
    }

    private void open() throws IOException, InterruptedException {
        Session session = parts.store().required(id);
        AgentEntry entry = parts.workplaces().agent(session);
        tried = entry.agentId();
        news.starting(tried);
        Workplaces.Workplace place = parts.workplaces().prepare(session);
        String token = parts.tokens().issue(id);
        OpenedAgent now = seated(session, entry, place, token);
        // Nobody was idle while the agent came up, however long that took.
        activeAt = parts.clock().millis();
        if (stopReason != null) {
            throw new IOException("The session was stopped while it started.");
        }
        if (ending.get()) {
            now.leave(false, () -> {});
            throw new IOException("The session ended while it started.");
        }
        parts.store()
                .update(
                        id,
                        fields -> {
                            if (ending.get()) {
                                // Why it ended is in these fields already.
                                return fields;
                            }
                            fields.put("start_time", now());
                            fields.remove("completion_time");
                            fields.remove(List.of("conditions", EndOfLife.FAILURE));
                            fields.remove(OpenedAgent.UNTOLD);
                            fields.put("sdk_session_id", now.session().agentSessionId());
                            fields.put("agent_used", entry.agentId());
                            fields.put("cwd", place.cwd().toString());
                            fields.set("agent_options", now.session().options());
                            int starts = fields.path("starts").asInt(0);
                            fields.put("starts", starts + 1);
                            return fields.put("sdk_restart_count", starts);
                        });
        ModelWish.atStart(parts, session, now.session());
    }

    private OpenedAgent seated(
            Session session, AgentEntry entry, Workplaces.Workplace place, String token)
            throws InterruptedException {
        OpenedAgent now = OpenedAgent.open(session, entry, place, token, parts, host);
        opened = now;
        Session since = parts.store().required(id);
        if (now.fits(since)) {
            news.ready(now.agent());
            return now;
        }
        // It was given another mode while its agent came up.
        opened = null;
        now.leave(false, () -> {});
        return seated(since, entry, place, token);
    }

    /**
     * Gives the next waiting prompt to the agent, unless it is busy or held; on a full disk the
     * prompt waits for room.
     */
    void pump() {
        try {
            pumpAgain = false;
            pumpNow();
        } catch (TandemException e) {
            if (e.code() != ErrorCode.STORE_FULL) {
                throw e;
            }
            pumpAgain = true;
        }
    }

    private void pumpNow() {
        Turn started = null;
        OpenedAgent agent = opened;
        lock.lock();
        try {
            boolean ready =
                    agent != null
                            && turn == null
                            && !held
                            && !ending.get()
                            && parts.store().required(id).phase() == Phase.RUNNING;
            Optional<Entry> next = ready ? parts.queue().next(id) : Optional.empty();
            if (next.isPresent()) {
                Turn fresh = new Turn(Ids.next(parts.clock()), next.get(), parts.clock().millis());
                if (parts.queue().start(next.get(), fresh.runId())) {
                    turn = fresh;
                    started = fresh;
                }
            }
        } finally {
            lock.unlock();
        }
        if (started != null && agent != null) {
            deliver(started, agent);
        }
    }

    private void deliver(Turn started, OpenedAgent agent) {
        GivenPrompt prompt = new GivenPrompt(started.prompt());
        question.answer(prompt.text(), transcript);
        parts.desk().turnStarted(id, prompt.sites());
        try {
            var _ =
                    agent.session()
                            .prompt(agent.content(started.prompt()))
                            .whenComplete((end, problem) -> finish(started, end, problem));
            // A stop that came before the agent had the prompt found nothing to cancel there.
            if (isHeld()) {
                agent.session().cancel();
            }
        } catch (AgentException e) {
            finish(started, null, e);
        }
    }

    private boolean isHeld() {
        lock.lock();
        try {
            return held;
        } finally {
            lock.unlock();
        }
    }

    private void finish(Turn finished, @Nullable TurnEnd end, @Nullable Throwable problem) {
        lock.lock();
        try {
            if (!isRunning(finished)) {
                return;
            }
            String asked = question.toolCallId();
            boolean partial = end == null || end.stopReason().equals("cancelled");
            locked = problem == null ? "" : Turn.signInWords(problem);
            transcript.end(
                    partial && asked.isEmpty(),
                    asked.isEmpty()
                            ? finished.end(end, problem)
                            : finished.waits(asked, transcript.card(asked)),
                    asked,
                    () -> ended = finished.runId());
            turn = null;
            activeAt = parts.clock().millis();
        } finally {
            lock.unlock();
        }
        withdrawAll();
        Usage.note(parts.store(), id, end, parts.clock().millis() - finished.startedAt());
        Thread.ofVirtual().name("session-next-" + id).start(this::afterTurn);
    }

    private boolean isRunning(Turn one) {
        Turn now = turn;
        return now != null && now.runId().equals(one.runId());
    }

    private void afterTurn() {
        if (ending.get()) {
            return;
        }
        Session session = parts.store().required(id);
        if (session.fields().path("stop_on_run_finished").asBoolean(false)
                && parts.queue().next(id).isEmpty()) {
            end(Phase.COMPLETED, "run_finished", "The run is finished.", Optional.empty());
        } else {
            pump();
        }
    }

    /** The agent asked the user by a tool call: the turn ends, the answer is the next message. */
    private void halt(String toolCallId) {
        if (turn != null && question.ask(toolCallId)) {
            Thread.ofVirtual()
                    .name("session-halt-" + id)
                    .start(() -> agentSession().ifPresent(AgentSession::cancel));
        }
    }

    /** A new message came: a held queue goes on. */
    void release() {
        lock.lock();
        try {
            held = false;
        } finally {
            lock.unlock();
        }
        pump();
    }

    /** Stops the turn, keeps the session; what waits stays waiting. False if nothing ran. */
    boolean interrupt() {
        lock.lock();
        try {
            if (turn == null) {
                return false;
            }
            held = true;
        } finally {
            lock.unlock();
        }
        withdrawAll();
        agentSession().ifPresent(AgentSession::cancel);
        return true;
    }

    /** Nobody needs answers of a turn that is over. */
    private void withdrawAll() {
        questions.withdrawAll();
        parts.desk().cancelAll(id);
        parts.localTools().cancel(id);
    }

    /** The phase is Stopping already; ends everything and completes with the last phase. */
    CompletableFuture<Phase> stop(String reason, String message) {
        stopReason = message;
        opening.interrupt();
        if (opened != null) {
            Thread.ofVirtual()
                    .name("session-stop-" + id)
                    .start(() -> end(Phase.STOPPED, reason, message, Optional.empty()));
        }
        return over;
    }

    /** Before it is stopped for good: the agent need not remember it either. */
    void forget() {
        forgotten = true;
    }

    CompletableFuture<Phase> over() {
        return over;
    }

    private void agentEnded(AgentException reason) {
        boolean willing = reason.details().path("exitCode").asInt(-1) == 0 && turn == null;
        Thread.ofVirtual()
                .name("session-ended-" + id)
                .start(() -> {
                    if (stopReason == null && !ending.get()) {
                        news.failed(reason);
                    }
                    // Nothing is completed that never began.
                    boolean ran = parts.store().required(id).phase() == Phase.RUNNING;
                    if (willing && ran) {
                        end(
                                Phase.COMPLETED,
                                "agent_exited",
                                "The agent ended by itself.",
                                Optional.empty());
                    } else {
                        failed(reason);
                    }
                });
    }

    private void failed(Exception e) {
        if (ending.get()) {
            return;
        }
        String stopped = stopReason;
        boolean stopping = parts.store().required(id).phase() == Phase.STOPPING;
        if (stopped != null || stopping) {
            String message = stopped == null ? "The session was stopped." : stopped;
            end(Phase.STOPPED, "stopped", message, Optional.empty());
        } else {
            String code = e instanceof AgentException agent ? agent.code() : "start_failed";
            crashed = opened != null && e instanceof AgentException;
            end(Phase.FAILED, code, Turn.words(e), Optional.of(e));
        }
    }

    void fail(String reason, String message) {
        end(
                Phase.FAILED,
                reason,
                message,
                Optional.of(new TandemException(ErrorCode.TIMEOUT, message)));
    }

    private void end(Phase phase, String reason, String message, Optional<Exception> problem) {
        if (!ending.compareAndSet(false, true)) {
            return;
        }
        try {
            Turn running = turn;
            if (running != null) {
                finish(running, null, problem.orElse(null));
            }
            parts.tokens().revoke(id);
            questions.withdrawAll();
            parts.desk().forget(id);
            OpenedAgent agent = opened;
            if (agent == null) {
                opening.interrupt();
                problem.ifPresentOrElse(news::failed, news::exited);
            } else if (agent.leave(forgotten, news::stopping)) {
                news.exited();
            }
            transcript.end(true, List.of());
            gone.accept(this);
            EndOfLife last = new EndOfLife(phase, reason, message, problem, again());
            EndOfLife how =
                    storing.get(() -> {
                        if (phase == Phase.FAILED && !tried.isEmpty()) {
                            parts.store().update(id, fields -> fields.put("agent_tried", tried));
                        }
                        return EndOfLife.write(parts, id, last);
                    });
            // What the user stopped meanwhile is not a crash to come back from.
            crashed = crashed && how.phase() == Phase.FAILED;
            promised = how.again();
            over.complete(how.phase());
        } catch (RuntimeException e) {
            LOG.error("Session {} could not be ended in order", id, e);
            gone.accept(this);
            over.completeExceptionally(e);
        }
    }

    private boolean again() {
        return crashed && restarts.test(id);
    }

    /** Called every half second: stores unfinished text, looks at the clocks. */
    void tick() {
        if (!keeping.compareAndSet(false, true)) {
            return;
        }
        Thread.ofVirtual()
                .name("session-keep-" + id)
                .start(() -> {
                    try {
                        transcript.keep(turn != null);
                        noticeSilence();
                        if (pumpAgain) {
                            pump();
                        }
                    } catch (RuntimeException e) {
                        // The text stays in memory, and the next time is half a second away.
                        LOG.debug("Session {} was not kept: {}", id, e.toString());
                    } finally {
                        keeping.set(false);
                    }
                });
    }

    private void noticeSilence() {
        OpenedAgent agent = opened;
        Turn running = turn;
        if (agent != null && running != null) {
            silence.look(
                            running,
                            agent.session().silence(),
                            waitsForUser() || !parts.localTools().waiting(id).isEmpty(),
                            parts.clock().millis())
                    .ifPresent(parts.log().feed(id)::publish);
        }
    }

    private void tellFull() {
        ObjectNode notice = Json.object().put("sessionUpdate", "notice").put("severity", "error");
        notice.put(
                "title",
                ErrorCode.STORE_FULL.message()
                        + " The session goes on by itself when there is"
                        + " room again.");
        parts.log().feed(id).publish(notice);
    }

    /** Whether the agent went away unasked after it was ready. */
    boolean crashed() {
        return crashed;
    }

    /** Whether those who watch were told that it comes back. */
    boolean promised() {
        return promised;
    }

    boolean turnRuns() {
        Turn now = turn;
        return now != null && !now.runId().equals(ended);
    }

    Optional<Turn> turn() {
        return Optional.ofNullable(turn);
    }

    /** Since when nothing happened; empty while a turn runs. */
    Optional<Duration> idle() {
        return turn != null || opened == null
                ? Optional.empty()
                : Optional.of(Duration.ofMillis(parts.clock().millis() - activeAt));
    }

    Duration age() {
        return Duration.ofMillis(parts.clock().millis() - startedAt);
    }

    boolean waitsForUser() {
        return !parts.desk().open(id).isEmpty()
                || !questions.open().isEmpty()
                || (!turnRuns() && (question.isOpen() || !locked.isEmpty()));
    }

    /** Whether it, as it is now, may go on in the process that it has. */
    boolean fits(Session now) {
        OpenedAgent agent = opened;
        return agent == null || agent.fits(now);
    }

    /** Why nothing works before the user signs in to the agent; empty when it works. */
    String locked() {
        return turnRuns() ? "" : locked;
    }

    SessionHost host() {
        return host;
    }

    Questions questions() {
        return questions;
    }

    Optional<AgentSession> agentSession() {
        return Optional.ofNullable(opened).map(OpenedAgent::session);
    }

    Optional<Agent> agent() {
        return Optional.ofNullable(opened).map(OpenedAgent::agent);
    }

    private String now() {
        return Instant.ofEpochMilli(parts.clock().millis()).toString();
    }
}

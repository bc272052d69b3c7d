package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.Agent;
import dev.tandem.hub.agent.AgentException;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A session with a process, from waiting for a slot to the last line: how it starts and how it
 * ends. What happens between is {@link Turns}'. Any thread may call it; it ends once, by whoever
 * sets {@code ending} first.
 */
final class LiveSession implements Turns.Life {
    private static final Logger LOG = LoggerFactory.getLogger(LiveSession.class);

    private final String id;
    private final Parts parts;
    private final Consumer<LiveSession> gone;
    private final Predicate<String> restarts;
    private final UntilStored storing = new UntilStored(this::tellFull);
    private final OwnAgent agent;
    private final Transcript transcript;
    private final Questions questions;
    private final Turns turns;
    private final SessionHost host;
    private final Thread opening;
    private final long startedAt;
    private final CompletableFuture<Phase> over = new CompletableFuture<>();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final AtomicBoolean keeping = new AtomicBoolean();
    private volatile @Nullable String stopReason;
    private volatile boolean crashed;
    private volatile boolean promised;
    private volatile boolean forgotten;

    /**
     * @param restarts whether a session that crashed now would be started again
     */
    LiveSession(String id, Parts parts, Consumer<LiveSession> gone, Predicate<String> restarts) {
        this.id = id;
        this.parts = parts;
        this.restarts = restarts;
        this.gone = gone;
        this.startedAt = parts.clock().millis();
        this.agent =
                new OwnAgent(parts, new AgentNews(update -> parts.log().feed(id).publish(update)));
        this.questions = new Questions(id, parts.log(), parts.desk());
        this.transcript =
                new Transcript(
                        id,
                        parts.log(),
                        parts.unfinished(),
                        terminal -> agent.session().flatMap(s -> s.terminalOutput(terminal)),
                        storing,
                        parts.clock());
        this.turns = new Turns(id, parts, agent, transcript, questions, this);
        this.host =
                new SessionHost(
                        () -> parts.store().required(id),
                        transcript,
                        questions,
                        parts.desk(),
                        parts.places(),
                        this::agentEnded,
                        turns::halt);
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
            parts.slots().take(id);
            var _ = over.whenComplete((phase, problem) -> parts.slots().release());
            parts.store().move(id, Phase.CREATING);
            open();
            if (agent.process().filter(Agent::isRunning).isEmpty()) {
                // It went away as soon as it was there; host.ended brings the reason.
                return;
            }
            parts.store().move(id, Phase.RUNNING);
            turns.restFromNow();
            turns.pump();
        } catch (InterruptedException | IOException | RuntimeException e) {
            // A stop interrupts this thread to end its waiting; what follows must not be cut short.
            Thread.ofVirtual().name("session-failed-" + id).start(() -> failed(e));
        }
    }

    private void open() throws IOException, InterruptedException {
        Session session = parts.store().required(id);
        OpenedAgent now = agent.open(session, host);
        // Nobody was idle while the agent came up, however long that took.
        turns.restFromNow();
        if (stopReason != null) {
            throw new IOException("The session was stopped while it started.");
        }
        if (ending.get()) {
            now.leave(false, () -> {});
            throw new IOException("The session ended while it started.");
        }
        // Once it ends, why it did is in these fields already.
        parts.store()
                .update(
                        id,
                        fields ->
                                ending.get()
                                        ? fields
                                        : now.begun(
                                                fields,
                                                Instant.ofEpochMilli(parts.clock().millis())));
        ModelWish.atStart(parts, session, now.session());
    }

    /** The phase is Stopping already; ends everything and completes with the last phase. */
    CompletableFuture<Phase> stop(String reason, String message) {
        stopReason = message;
        opening.interrupt();
        if (agent.opened().isPresent()) {
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
        boolean willing =
                reason.details().path("exitCode").asInt(-1) == 0 && turns.current().isEmpty();
        Thread.ofVirtual()
                .name("session-ended-" + id)
                .start(() -> {
                    if (stopReason == null && !ending.get()) {
                        agent.lost(reason);
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
            String code = e instanceof AgentException agentsOwn ? agentsOwn.code() : "start_failed";
            crashed = agent.opened().isPresent() && e instanceof AgentException;
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

    @Override
    public boolean ending() {
        return ending.get();
    }

    @Override
    public void runFinished() {
        end(Phase.COMPLETED, "run_finished", "The run is finished.", Optional.empty());
    }

    private void end(Phase phase, String reason, String message, Optional<Exception> problem) {
        if (!ending.compareAndSet(false, true)) {
            return;
        }
        try {
            turns.cut(problem);
            parts.tokens().revoke(id);
            questions.withdrawAll();
            parts.desk().forget(id);
            leave(problem);
            transcript.end(true, List.of());
            gone.accept(this);
            EndOfLife last = new EndOfLife(phase, reason, message, problem, again());
            EndOfLife how = storing.get(() -> written(last));
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

    private void leave(Optional<Exception> problem) {
        Optional<OpenedAgent> opened = agent.opened();
        if (opened.isPresent()) {
            agent.leave(opened.get(), forgotten);
        } else {
            opening.interrupt();
            agent.giveUp(problem);
        }
    }

    private EndOfLife written(EndOfLife last) {
        String tried = agent.tried();
        if (last.phase() == Phase.FAILED && !tried.isEmpty()) {
            parts.store().update(id, fields -> fields.put("agent_tried", tried));
        }
        return EndOfLife.write(parts, id, last);
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
                        transcript.keep(turns.current().isPresent());
                        turns.look();
                    } catch (RuntimeException e) {
                        // The text stays in memory, and the next time is half a second away.
                        LOG.debug("Session {} was not kept: {}", id, e.toString());
                    } finally {
                        keeping.set(false);
                    }
                });
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

    Duration age() {
        return Duration.ofMillis(parts.clock().millis() - startedAt);
    }

    OwnAgent agent() {
        return agent;
    }

    Turns turns() {
        return turns;
    }

    SessionHost host() {
        return host;
    }

    Questions questions() {
        return questions;
    }
}

package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.agent.AgentSession;
import dev.tandem.hub.agent.TurnEnd;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The turns of one live session: what waits for its agent is given to it, one prompt after the
 * other. Any thread may call it.
 *
 * <p>The lock guards the beginning and the end of a turn, and {@code held} with them; it is held
 * while either is stored, so the transcript's lock is taken inside it. Everything else that changes
 * is volatile, so that whoever only looks never waits for a turn that is being stored.
 */
final class Turns {
    private final String id;
    private final Parts parts;
    private final OwnAgent agent;
    private final Transcript transcript;
    private final Questions questions;
    private final Life life;
    private final SilenceWatch silence;
    private final ToolQuestion question = new ToolQuestion();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean held;
    private volatile @Nullable Turn turn;
    private volatile boolean pumpAgain;
    private volatile String locked = "";
    private volatile long activeAt;

    /** The run whose end is being told: whoever hears it finds the session at rest. */
    private volatile String ended = "";

    Turns(
            String id,
            Parts parts,
            OwnAgent agent,
            Transcript transcript,
            Questions questions,
            Life life) {
        this.id = id;
        this.parts = parts;
        this.agent = agent;
        this.transcript = transcript;
        this.questions = questions;
        this.life = life;
        this.silence = new SilenceWatch(parts.settings().silence());
        this.activeAt = parts.clock().millis();
    }

    /** The session that the turns belong to. */
    interface Life {
        /** Whether it ends: no turn begins any more. */
        boolean ending();

        /** It was to end with its last run, which is finished. */
        void runFinished();
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
        OpenedAgent opened = agent.opened().orElse(null);
        lock.lock();
        try {
            boolean ready =
                    opened != null
                            && turn == null
                            && !held
                            && !life.ending()
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
        if (started != null && opened != null) {
            deliver(started, opened);
        }
    }

    private void deliver(Turn started, OpenedAgent opened) {
        GivenPrompt prompt = new GivenPrompt(started.prompt());
        question.answer(prompt.text(), transcript);
        parts.desk().turnStarted(id, prompt.sites());
        try {
            var _ =
                    opened.session()
                            .prompt(opened.content(started.prompt()))
                            .whenComplete((end, problem) -> finish(started, end, problem));
            // A stop that came before the agent had the prompt found nothing to cancel there.
            if (isHeld()) {
                opened.session().cancel();
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
            restFromNow();
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
        if (life.ending()) {
            return;
        }
        Session session = parts.store().required(id);
        if (session.fields().path("stop_on_run_finished").asBoolean(false)
                && parts.queue().next(id).isEmpty()) {
            life.runFinished();
        } else {
            pump();
        }
    }

    /** The session ends, and so does the turn that is under way. */
    void cut(Optional<Exception> problem) {
        Turn running = turn;
        if (running != null) {
            finish(running, null, problem.orElse(null));
        }
    }

    /** The agent asked the user by a tool call: the turn ends, the answer is the next message. */
    void halt(String toolCallId) {
        if (turn != null && question.ask(toolCallId)) {
            Thread.ofVirtual()
                    .name("session-halt-" + id)
                    .start(() -> agent.session().ifPresent(AgentSession::cancel));
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
        agent.session().ifPresent(AgentSession::cancel);
        return true;
    }

    /** Nobody needs answers of a turn that is over. */
    private void withdrawAll() {
        questions.withdrawAll();
        parts.desk().cancelAll(id);
        parts.localTools().cancel(id);
    }

    /** Called every half second, by one thread at a time: notices silence, and room on the disk. */
    void look() {
        OpenedAgent opened = agent.opened().orElse(null);
        Turn running = turn;
        if (opened != null && running != null) {
            silence.look(
                            running,
                            opened.session().silence(),
                            waitForUser() || !parts.localTools().waiting(id).isEmpty(),
                            parts.clock().millis())
                    .ifPresent(parts.log().feed(id)::publish);
        }
        if (pumpAgain) {
            pump();
        }
    }

    /** The one that is not over, be its end being told. */
    Optional<Turn> current() {
        return Optional.ofNullable(turn);
    }

    boolean running() {
        Turn now = turn;
        return now != null && !now.runId().equals(ended);
    }

    boolean waitForUser() {
        return !parts.desk().open(id).isEmpty()
                || !questions.open().isEmpty()
                || (!running() && (question.isOpen() || !locked.isEmpty()));
    }

    /** Why nothing works before the user signs in to the agent; empty when it works. */
    String locked() {
        return running() ? "" : locked;
    }

    /** Nobody was idle until now. */
    void restFromNow() {
        activeAt = parts.clock().millis();
    }

    /** Since when nothing happened; empty while a turn runs, and before there is an agent. */
    Optional<Duration> idle() {
        return turn != null || agent.opened().isEmpty()
                ? Optional.empty()
                : Optional.of(Duration.ofMillis(parts.clock().millis() - activeAt));
    }
}

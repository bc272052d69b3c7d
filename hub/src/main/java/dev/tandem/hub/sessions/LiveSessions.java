package dev.tandem.hub.sessions;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions that have a process or wait for one: how they come to be, who starts them again, and
 * their clock. Any thread may call it.
 */
final class LiveSessions {
    private static final Logger LOG = LoggerFactory.getLogger(LiveSessions.class);
    private static final int CLOCK_EVERY_TICKS = 10;
    private static final int END_SECONDS = 10;

    private final Parts parts;
    private final Restarts restarts;
    private final SessionClocks clocks;
    private final Map<String, LiveSession> all = new ConcurrentHashMap<>();
    private final ScheduledExecutorService ticker =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("session-ticker").factory());
    private int ticks;

    LiveSessions(Parts parts) {
        this.parts = parts;
        this.restarts = new Restarts(parts, this::start);
        this.clocks = new SessionClocks(parts.store(), parts.settings().idle(), this::stop);
    }

    Optional<LiveSession> find(String id) {
        return Optional.ofNullable(all.get(id));
    }

    /** The turns of one that is live. */
    Optional<Turns> turns(String id) {
        return find(id).map(LiveSession::turns);
    }

    /** Moves to Pending; the process follows as soon as a slot is free. */
    Session start(String id) {
        Session moved = parts.store().move(id, Phase.PENDING);
        LiveSession session = new LiveSession(id, parts, this::remove, restarts::would);
        all.put(id, session);
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

    private void remove(LiveSession session) {
        all.remove(session.id(), session);
    }

    /** Moves to Stopping; the last phase follows when the whole process tree is gone. */
    Session stop(String id, String reason, String message) {
        Session moved = parts.store().move(id, Phase.STOPPING);
        find(id).ifPresent(session -> {
            var _ = session.stop(reason, message);
        });
        return moved;
    }

    /** Ends its process and starts it again; waits until it is ended. */
    void again(LiveSession session, String reason, String message) {
        stop(session.id(), reason, message);
        session.over().join();
        start(session.id());
    }

    /** What its neighbours in a process do not have, a turn that runs beside them cannot get. */
    void checkSharing(Session before, Session after) {
        boolean narrower = after.mode().compareTo(before.mode()) < 0;
        Optional<LiveSession> beside = find(before.id()).filter(one -> !one.agent().fits(after));
        if (!narrower && beside.filter(one -> one.turns().running()).isPresent()) {
            throw new TandemException(
                    ErrorCode.CONFLICT,
                    "This session works in a process that it shares with others of its mode. Stop"
                            + " the turn first; then it goes on in one of its own.",
                    "busy");
        }
    }

    /** One that, as it is now, may not stay beside the others goes on by itself. */
    void moveApart(Session now) {
        find(now.id())
                .filter(session -> !session.agent().fits(now))
                .ifPresent(session ->
                        Thread.ofVirtual()
                                .name("session-move-" + now.id())
                                .start(() ->
                                        again(
                                                session,
                                                "moved",
                                                "With these settings it goes on in a process of"
                                                        + " its own.")));
    }

    /**
     * Ends a session that is deleted, and waits for it; false if it was not live.
     *
     * @param forget the agent need not remember it either
     */
    boolean end(String id, boolean forget) {
        LiveSession session = all.get(id);
        if (session == null) {
            return false;
        }
        if (forget) {
            session.forget();
        }
        try {
            stop(id, "deleted", "The session was deleted.");
        } catch (TandemException alreadyStopping) {
            LOG.debug("{} is stopping already", id);
        }
        session.over().join();
        return true;
    }

    /** Nothing is remembered of a session that is deleted. */
    void forget(String id) {
        restarts.forget(id);
    }

    int size() {
        return all.size();
    }

    /** Those with a process of this agent. */
    List<LiveSession> of(String agentId) {
        Predicate<LiveSession> its =
                session ->
                        session.agent()
                                .process()
                                .filter(agent -> agent.entry().agentId().equals(agentId))
                                .isPresent();
        return all.values().stream().filter(its).toList();
    }

    /** Looks after them from now on. */
    void startClock(Duration every) {
        long millis = every.toMillis();
        var _ = ticker.scheduleWithFixedDelay(this::tick, millis, millis, TimeUnit.MILLISECONDS);
    }

    private void tick() {
        boolean onTheClock = ++ticks % CLOCK_EVERY_TICKS == 0;
        for (LiveSession session : all.values()) {
            try {
                session.tick();
                if (onTheClock) {
                    clocks.look(session);
                }
            } catch (RuntimeException e) {
                LOG.warn("Session {} could not be looked at: {}", session.id(), e.toString());
            }
        }
    }

    /** The hub ends: all of them are stopped, and waited for. */
    void shutDown() {
        ticker.shutdownNow();
        List<CompletableFuture<Phase>> ends =
                List.copyOf(all.values()).stream().map(this::shutDown).toList();
        for (CompletableFuture<Phase> end : ends) {
            try {
                end.get(END_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                LOG.warn("A session did not end in order: {}", e.toString());
            }
        }
    }

    private CompletableFuture<Phase> shutDown(LiveSession session) {
        try {
            parts.store().move(session.id(), Phase.STOPPING);
        } catch (TandemException alreadyStopping) {
            LOG.debug("{} is stopping already", session.id());
        }
        return session.stop("hub_stopped", "The hub was stopped. Start the session to go on.");
    }
}

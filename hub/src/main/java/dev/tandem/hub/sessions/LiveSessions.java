package dev.tandem.hub.sessions;

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

/** The sessions that have a process or wait for one, and their clock. Any thread may call it. */
final class LiveSessions {
    private static final Logger LOG = LoggerFactory.getLogger(LiveSessions.class);
    private static final int CLOCK_EVERY_TICKS = 10;
    private static final int END_SECONDS = 10;

    private final Map<String, LiveSession> all = new ConcurrentHashMap<>();
    private final SessionClocks clocks;
    private final ScheduledExecutorService ticker =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("session-ticker").factory());
    private int ticks;

    LiveSessions(SessionClocks clocks) {
        this.clocks = clocks;
    }

    Optional<LiveSession> find(String id) {
        return Optional.ofNullable(all.get(id));
    }

    void add(LiveSession session) {
        all.put(session.id(), session);
    }

    void remove(LiveSession session) {
        all.remove(session.id(), session);
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
    void shutDown(SessionStore store) {
        ticker.shutdownNow();
        List<CompletableFuture<Phase>> ends =
                List.copyOf(all.values()).stream().map(one -> shutDown(one, store)).toList();
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

    private static CompletableFuture<Phase> shutDown(LiveSession session, SessionStore store) {
        try {
            store.move(session.id(), Phase.STOPPING);
        } catch (TandemException alreadyStopping) {
            LOG.debug("{} is stopping already", session.id());
        }
        return session.stop("hub_stopped", "The hub was stopped. Start the session to go on.");
    }
}

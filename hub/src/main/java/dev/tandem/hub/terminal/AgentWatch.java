package dev.tandem.hub.terminal;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the agent every minute how it is: one that runs but does not answer makes way. */
final class AgentWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentWatch.class);
    private static final long EVERY_MS =
            Long.parseLong(System.getenv().getOrDefault("GSTACK_AGENT_WATCHDOG_TICK_MS", "60000"));
    // Long enough for one that dies again and again, but not at once.
    private static final Duration GUARDED =
            Duration.ofMillis(Math.max(60_000, Math.multiplyExact(EVERY_MS, 5)));
    // A machine that is busy or wakes up may miss one.
    private static final int SILENCES = 2;

    private final TerminalAgent agent;
    private final Thread thread = Thread.ofVirtual().name("terminal-watch").unstarted(this::run);
    private volatile boolean closed;
    private int silences;

    AgentWatch(TerminalAgent agent) {
        this.agent = agent;
    }

    /** The time in which an agent may die a few times and is started again. */
    static Duration guarded() {
        return GUARDED;
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (!closed) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(EVERY_MS));
            if (!closed) {
                look();
            }
        }
    }

    /** To be called by one thread at a time. */
    void look() {
        try {
            agent.get("healthz");
            silences = 0;
        } catch (TerminalAgent.NotReady _) {
            silences = 0;
        } catch (IOException e) {
            silences++;
            if (silences >= SILENCES) {
                silences = 0;
                LOG.error("The terminal agent does not answer and is ended: {}", e.getMessage());
                agent.giveUp();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}

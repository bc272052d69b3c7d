package dev.tandem.hub.terminal;

import java.io.IOException;
import java.time.Clock;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * Tells whether the program of a terminal still runs: asks the agent, which alone knows, but not
 * again for a second. Thread-safe.
 */
final class RunningTerminals implements Predicate<String> {
    private static final long GOOD_FOR_MS = 1000;

    private final Agent agent;
    private final Clock clock;
    private volatile Seen last = new Seen(Set.of(), 0);

    /** Gives the agent's list of terminals. */
    interface Agent {
        JsonNode list() throws IOException;
    }

    private record Seen(Set<String> running, long at) {}

    RunningTerminals(Agent agent, Clock clock) {
        this.agent = agent;
        this.clock = clock;
    }

    @Override
    public boolean test(String sessionId) {
        Seen seen = last;
        boolean recent = clock.millis() - seen.at < GOOD_FOR_MS;
        // One that is not among them may have been started since.
        return (recent && seen.running.contains(sessionId)) || look().contains(sessionId);
    }

    private Set<String> look() {
        long now = clock.millis();
        Set<String> running = new HashSet<>();
        try {
            for (JsonNode row : agent.list().path("terminals")) {
                if (!row.has("exit")) {
                    running.add(row.path("sessionId").asString(""));
                }
            }
        } catch (TerminalAgent.NotReady _) {
            // Programs end with their agent.
        } catch (IOException _) {
            // A busy one has not said that any ended.
            return last.running;
        }
        last = new Seen(running, now);
        return running;
    }
}

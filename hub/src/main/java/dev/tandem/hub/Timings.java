package dev.tandem.hub;

import dev.tandem.hub.agent.AgentTimings;
import dev.tandem.hub.browser.Patience;
import dev.tandem.protocol.Limits;
import java.time.Duration;

/**
 * How long the hub waits; tests wait less.
 *
 * @param beatEvery between two heartbeats of a socket
 * @param streamKeepAlive after how much silence an event stream gives a sign of life
 * @param untilProof how long a connection may stay that has not said who it is
 * @param browsers how long calls wait for a browser
 */
public record Timings(
        Duration beatEvery,
        AgentTimings agents,
        Duration streamKeepAlive,
        Duration untilProof,
        Patience browsers) {
    public Timings(Duration beatEvery, AgentTimings agents) {
        this(beatEvery, agents, Duration.ofMillis(Limits.of("streamKeepAliveMs")));
    }

    public Timings(Duration beatEvery, AgentTimings agents, Duration streamKeepAlive) {
        this(beatEvery, agents, streamKeepAlive, Duration.ofMillis(Limits.UNPROVEN_MS));
    }

    public Timings(
            Duration beatEvery,
            AgentTimings agents,
            Duration streamKeepAlive,
            Duration untilProof) {
        this(beatEvery, agents, streamKeepAlive, untilProof, Patience.standard());
    }

    Timings with(Patience other) {
        return new Timings(beatEvery, agents, streamKeepAlive, untilProof, other);
    }

    public static Timings standard() {
        return new Timings(Duration.ofMillis(Limits.PING_INTERVAL_MS), AgentTimings.defaults());
    }
}

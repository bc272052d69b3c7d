package dev.tandem.hub.agent;

import java.time.Duration;

/** How long an agent may take; the defaults are for people, tests use shorter ones. */
public record AgentTimings(
        Duration initialize,
        Duration silence,
        Duration cancelRequestAfter,
        Duration forcedEndAfter,
        Duration stopGrace) {
    public static AgentTimings defaults() {
        return new AgentTimings(
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2));
    }
}

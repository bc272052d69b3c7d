package dev.tandem.hub.sessions;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * What the engine is told about its surroundings.
 *
 * @param outOfReach folders that no agent may touch, besides those of the user and the hub
 * @param agent the agent id the user chose at start; empty for none
 * @param maxRunning how many sessions may have a process at a time
 * @param keepEvery how often unfinished text is stored
 * @param idle how long a session may do nothing before it is stopped; zero for ever
 * @param silence how long an agent may work without a word before people are told
 * @param hubAddress where the hub listens, {@code http://127.0.0.1:port}
 * @param mcpBridge the command line that speaks MCP on stdio for agents without HTTP
 */
public record EngineSettings(
        Path stateDir,
        Path userHome,
        List<Path> outOfReach,
        String agent,
        int maxRunning,
        Duration keepEvery,
        Duration idle,
        Duration silence,
        Supplier<String> hubAddress,
        List<String> mcpBridge) {
    public static final Duration KEEP_EVERY = Duration.ofMillis(500);
    public static final Duration IDLE = Duration.ofDays(1);
    public static final Duration SILENCE = Duration.ofMinutes(10);

    public EngineSettings {
        outOfReach = List.copyOf(outOfReach);
        mcpBridge = List.copyOf(mcpBridge);
    }
}

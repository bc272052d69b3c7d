package dev.tandem.hub;

import dev.tandem.hub.agent.McpDoor;
import dev.tandem.hub.agent.SessionSetup;
import dev.tandem.hub.files.ForbiddenPlaces;
import dev.tandem.hub.files.PathFence;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** Where an agent that is only tried works: an empty folder, and a door that leads nowhere. */
record AgentTrial(Path state, Path home, String program) implements Supplier<SessionSetup> {
    @Override
    public SessionSetup get() {
        try {
            Path folder = Files.createDirectories(state.resolve("work/trial")).toRealPath();
            return new SessionSetup(
                    folder,
                    List.of(),
                    new McpDoor("http://127.0.0.1:9/mcp/trial", "none", List.of(program, "mcp")),
                    Json.array(),
                    new PathFence(List.of(folder), ForbiddenPlaces.of(home, state, List.of())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

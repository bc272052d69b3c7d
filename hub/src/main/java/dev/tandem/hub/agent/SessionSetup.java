package dev.tandem.hub.agent;

import dev.tandem.hub.files.PathFence;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/**
 * Where an agent session works and what it may reach.
 *
 * @param door the session's own MCP endpoint
 * @param ownServers further MCP servers of the user, in ACP's shape
 * @param fence which paths exist for this session's files and commands
 */
public record SessionSetup(
        Path cwd,
        List<Path> additionalDirectories,
        McpDoor door,
        ArrayNode ownServers,
        PathFence fence) {
    public SessionSetup {
        additionalDirectories = List.copyOf(additionalDirectories);
        if (!cwd.isAbsolute() || additionalDirectories.stream().anyMatch(d -> !d.isAbsolute())) {
            throw new AgentException("bad_message", "The working directory must be absolute.");
        }
    }
}

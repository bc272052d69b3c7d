package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.AgentCatalogue;
import dev.tandem.hub.agent.AgentEntry;
import dev.tandem.hub.agent.AgentListing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;

/** Which programs sessions can talk to. */
public interface Agents {
    Optional<AgentEntry> find(String agentId);

    /** The one to use when nobody chose. */
    AgentEntry preferred();

    /** The variables that each is started with, beside the hub's own. */
    List<Map<String, String>> environments();

    /** The user's own MCP servers, in ACP's shape. */
    ArrayNode mcpServers();

    static Agents of(AgentCatalogue catalogue) {
        return new Agents() {
            @Override
            public Optional<AgentEntry> find(String agentId) {
                return catalogue.find(agentId).map(AgentListing::entry);
            }

            @Override
            public AgentEntry preferred() {
                return catalogue.preferred();
            }

            @Override
            public List<Map<String, String>> environments() {
                return catalogue.list().stream().map(one -> one.entry().env()).toList();
            }

            @Override
            public ArrayNode mcpServers() {
                return catalogue.mcpServers();
            }
        };
    }
}

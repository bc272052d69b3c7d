package dev.tandem.hub.agent;

import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The MCP endpoint that belongs to one session: over HTTP where the agent can, else through a
 * bridge program on stdio.
 *
 * @param url on loopback, always plain {@code http}
 * @param bridge the command line of the bridge, {@code tandem mcp}
 */
public record McpDoor(String url, String token, List<String> bridge) {
    /** What agents know it by. */
    static final String NAME = "browser";

    public McpDoor {
        bridge = List.copyOf(bridge);
    }

    ObjectNode toJson(AgentCapabilities agent) {
        return agent.mcpHttp() ? http() : stdio();
    }

    private ObjectNode http() {
        ObjectNode server = AcpJson.object().put("type", "http").put("name", NAME).put("url", url);
        server.putArray("headers")
                .addObject()
                .put("name", "Authorization")
                .put("value", "Bearer " + token);
        return server;
    }

    private ObjectNode stdio() {
        ObjectNode server = AcpJson.object().put("name", NAME).put("command", bridge.getFirst());
        ArrayNode args = server.putArray("args");
        bridge.stream().skip(1).forEach(args::add);
        ArrayNode env = server.putArray("env");
        env.addObject().put("name", "TANDEM_MCP_TOKEN").put("value", token);
        env.addObject().put("name", "TANDEM_MCP_URL").put("value", url);
        return server;
    }

    @Override
    public String toString() {
        return "McpDoor[" + url + "]";
    }
}

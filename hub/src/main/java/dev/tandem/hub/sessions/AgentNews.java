package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.Agent;
import dev.tandem.hub.agent.AgentException;
import dev.tandem.protocol.Json;
import tools.jackson.databind.node.ObjectNode;

/** What those who watch a session are told of its agent's process; no entry holds it. */
public final class AgentNews {
    /** The {@code sessionUpdate} of such news: the hub's own, never an agent's. */
    public static final String KIND = "tandem/agent_state";

    private AgentNews() {}

    /** A step of the process: starting, ready, stopping, exited. */
    static ObjectNode state(String agentId, String state) {
        ObjectNode news = Json.object().put("sessionUpdate", KIND).put("agentId", agentId);
        return news.put("state", state);
    }

    /** It runs, and this is what it said of itself. */
    static ObjectNode ready(Agent agent) {
        ObjectNode news = state(agent.entry().agentId(), "ready");
        ObjectNode greeting = agent.greeting();
        if (greeting.has("agentInfo")) {
            news.set("agentInfo", greeting.get("agentInfo"));
        }
        if (greeting.has("agentCapabilities")) {
            news.set("capabilities", greeting.get("agentCapabilities"));
        }
        return news;
    }

    /** The process went away, or could not be spoken with any more, and nobody had asked for it. */
    static ObjectNode gone(String agentId, AgentException reason) {
        ObjectNode news =
                state(agentId, reason.code().equals("agent_exited") ? "exited" : "failed");
        return news.setAll(reason.details());
    }
}

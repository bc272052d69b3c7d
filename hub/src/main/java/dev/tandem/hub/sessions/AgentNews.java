package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.Agent;
import dev.tandem.hub.agent.AgentException;
import dev.tandem.protocol.Json;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/**
 * What those who watch a session are told of its agent's process, from its start to its one end; no
 * entry holds it. Any thread may call it.
 */
public final class AgentNews {
    /** The {@code sessionUpdate} of such news: the hub's own, never an agent's. */
    public static final String KIND = "tandem/agent_state";

    private final Consumer<ObjectNode> tell;
    private String agentId = "";
    private boolean open;

    AgentNews(Consumer<ObjectNode> tell) {
        this.tell = tell;
    }

    synchronized void starting(String agent) {
        agentId = agent;
        open = true;
        tell.accept(state("starting"));
    }

    /** It runs, and this is what it said of itself. */
    synchronized void ready(Agent agent) {
        ObjectNode news = state("ready");
        ObjectNode greeting = agent.greeting();
        if (greeting.has("agentInfo")) {
            news.set("agentInfo", greeting.get("agentInfo"));
        }
        if (greeting.has("agentCapabilities")) {
            news.set("capabilities", greeting.get("agentCapabilities"));
        }
        if (open) {
            tell.accept(news);
        }
    }

    synchronized void stopping() {
        if (open) {
            tell.accept(state("stopping"));
        }
    }

    /** The process ended as it was asked to, or never came to be. */
    synchronized void exited() {
        end(state("exited"));
    }

    /** It could not be started or spoken with, or went away unasked. */
    synchronized void failed(Exception reason) {
        if (reason instanceof AgentException known) {
            String word =
                    switch (known.code()) {
                        case "agent_exited" -> "exited";
                        case "auth_required" -> "auth_required";
                        default -> "failed";
                    };
            end(state(word).setAll(known.details()));
        } else {
            end(state("failed"));
        }
    }

    private void end(ObjectNode news) {
        if (open) {
            open = false;
            tell.accept(news);
        }
    }

    private ObjectNode state(String state) {
        ObjectNode news = Json.object().put("sessionUpdate", KIND).put("agentId", agentId);
        return news.put("state", state);
    }
}

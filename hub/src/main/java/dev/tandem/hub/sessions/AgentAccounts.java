package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.Agent;
import dev.tandem.hub.agent.AgentEntry;
import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.agent.AgentRuntime;
import dev.tandem.hub.agent.Launch;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Who agents are and whether the user is signed in to them. A way to sign in that worked once is
 * used again for later processes of the same agent. Any thread may call it.
 */
public final class AgentAccounts {
    private static final Logger LOG = LoggerFactory.getLogger(AgentAccounts.class);

    private final Agents agents;
    private final AgentRuntime runtime;
    private final Path home;
    private final Map<String, ObjectNode> greetings = new ConcurrentHashMap<>();
    private final Map<String, String> methods = new ConcurrentHashMap<>();

    AgentAccounts(Agents agents, AgentRuntime runtime, Path home) {
        this.agents = agents;
        this.runtime = runtime;
        this.home = home;
    }

    /** The agent's answer to initialize; it is started for it once. */
    public ObjectNode greeting(String agentId) {
        ObjectNode known = greetings.get(agentId);
        if (known == null) {
            try (Agent agent = start(agentId)) {
                known = agent.greeting();
            }
            greetings.put(agentId, known);
        }
        return known.deepCopy();
    }

    void remember(Agent agent) {
        greetings.put(agent.entry().agentId(), agent.greeting());
    }

    /**
     * Signs in with one of the agent's methods. A method for a terminal is not run here: the answer
     * is what the user must run, and the next session finds them signed in.
     */
    public Optional<Launch> signIn(String agentId, String methodId) {
        try (Agent agent = start(agentId)) {
            Optional<Launch> inTerminal = agent.loginCommand(methodId);
            if (inTerminal.isPresent()) {
                return inTerminal;
            }
            agent.authenticate(methodId);
            methods.put(agentId, methodId);
            return Optional.empty();
        }
    }

    /** What the user runs in a terminal to sign in by that method; empty for other methods. */
    public Optional<Launch> inTerminal(String agentId, String methodId) {
        try (Agent agent = start(agentId)) {
            return agent.loginCommand(methodId);
        }
    }

    /** What runs may still hold what it signed in with, so it is told as well. */
    void signOut(String agentId, List<Agent> running) {
        try (Agent agent = start(agentId)) {
            agent.logout();
            methods.remove(agentId);
        }
        for (Agent agent : running) {
            try {
                agent.logout();
            } catch (AgentException refused) {
                LOG.debug("{} stays signed in: {}", agent.pid(), refused.toString());
            }
        }
    }

    /** The agent's answer to initialize, if somebody has asked it yet. */
    public Optional<ObjectNode> known(String agentId) {
        return Optional.ofNullable(greetings.get(agentId)).map(ObjectNode::deepCopy);
    }

    /** Whether it can be introduced without being started. */
    public boolean isKnown(String agentId) {
        return greetings.containsKey(agentId);
    }

    /** One page of the sessions that an agent remembers; an empty cursor asks for the first. */
    public Agent.SessionPage remembered(String agentId, String cwd, String cursor) {
        try (Agent agent = start(agentId)) {
            remember(agent);
            return signedIn(agent, () -> agent.list(cwd, cursor));
        }
    }

    /** Lets its agent forget a session that does not run; it is started for it, nobody waits. */
    void forget(Session session) {
        Optional<String> agent = session.field("agent_used");
        Optional<String> known = session.field("sdk_session_id");
        if (agent.isPresent() && known.isPresent()) {
            forget(agent.get(), known.get());
        }
    }

    private void forget(String agentId, String agentSessionId) {
        boolean cannot =
                known(agentId)
                        .map(greeting -> greeting.at("/agentCapabilities/sessionCapabilities"))
                        .filter(what -> what.path("delete").isMissingNode())
                        .isPresent();
        if (cannot) {
            return;
        }
        Thread.ofVirtual()
                .name("forget-" + agentSessionId)
                .start(() -> {
                    try (Agent agent = start(agentId)) {
                        agent.delete(agentSessionId);
                    } catch (AgentException | TandemException kept) {
                        LOG.debug("{} keeps {}: {}", agentId, agentSessionId, kept.toString());
                    }
                });
    }

    /** Opens a session, signing in again where the agent wants it and the way is known. */
    <T> T signedIn(Agent agent, Supplier<T> opening) {
        try {
            return opening.get();
        } catch (AgentException refused) {
            String method = methods.getOrDefault(agent.entry().agentId(), "");
            if (!refused.code().equals("auth_required") || method.isEmpty()) {
                throw refused;
            }
            agent.authenticate(method);
            return opening.get();
        }
    }

    private Agent start(String agentId) {
        AgentEntry entry =
                agents.find(agentId)
                        .orElseThrow(() ->
                                new TandemException(
                                        ErrorCode.NOT_FOUND,
                                        "There is no agent \"" + agentId + "\".",
                                        "agent_not_found"));
        return Agent.start(entry, entry.launch("check", home, Map.of()), runtime);
    }
}

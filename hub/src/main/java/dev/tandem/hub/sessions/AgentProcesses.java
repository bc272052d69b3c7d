package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.Agent;
import java.util.stream.Stream;

/**
 * The processes of agents in which sessions work, by their agent. Any thread may call it; what
 * needs an agent waits for it.
 */
public final class AgentProcesses {
    private final LiveSessions live;
    private final AgentAccounts accounts;

    AgentProcesses(LiveSessions live, AgentAccounts accounts) {
        this.live = live;
        this.accounts = accounts;
    }

    /** Whether some session has one of this agent. */
    public boolean run(String agentId) {
        return running(agentId).findAny().isPresent();
    }

    /** Ends every one of an agent and starts its sessions again; waits until they are ended. */
    public void restart(String agentId) {
        for (LiveSession session : live.of(agentId)) {
            live.again(session, "restarted", "The agent is started again.");
        }
    }

    /** Signs out of an agent, also in those that run. */
    public void signOut(String agentId) {
        accounts.signOut(agentId, running(agentId).toList());
    }

    private Stream<Agent> running(String agentId) {
        return live.of(agentId).stream()
                .flatMap(session -> session.agent().process().stream())
                .distinct()
                .filter(Agent::isRunning);
    }
}

package dev.tandem.cli;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The agents of this machine, as the caller of a command line may use them. Failures are {@link
 * dev.tandem.protocol.TandemException}.
 */
public interface AgentPort {
    /** All of them; nothing is started to find them. */
    List<ObjectNode> list();

    /** Starts an agent to see its version and abilities, and on request whether it answers. */
    ObjectNode check(String agentId, boolean testTurn);

    /**
     * What an agent remembers of earlier conversations: agentSessionId, title, cwd, updatedAt;
     * sessionId with imported=false where it is a session here already, registered where it may
     * work in its cwd. The agent is started for it.
     */
    List<ObjectNode> earlier(String agentId);

    /** Signs out of an agent; one that did not say it can is refused. It is started for it. */
    void signOut(String agentId);
}

package dev.tandem.hub.agent;

import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an agent session needs from the hub. For one session every call comes in the order in which
 * the agent wrote, one at a time; implementations return soon and never wait for the agent here.
 */
public interface AgentHost {
    /** The name under which {@link ProcessTrees#ownerOf} knows the commands run for it. */
    String owner();

    /** One {@code session/update}: the agent's object, unchanged. */
    void update(ObjectNode update);

    /** The agent asks the user; complete with one of its own option ids, or cancelled. */
    CompletableFuture<PermissionAnswer> permission(PermissionRequest request);

    /** The agent asks for input by form or by link. */
    CompletableFuture<ElicitationAnswer> elicitation(ElicitationRequest request);

    /** An elicitation by link is done on the agent's side; unknown ids may come. */
    void elicitationDone(String elicitationId);

    /** A request given to this host needs no answer any more: cancelled turn, agent gone. */
    void withdrawn(String requestId);

    /** May the agent use the hub's own hands, a file or a command, for this? */
    CompletableFuture<AccessAnswer> access(AccessRequest request);

    /** A command that the agent runs wrote something or ended: the picture so far. */
    default void terminalChanged(String terminalId) {}

    /** The agent process is gone; the session can be started again. */
    void ended(AgentException reason);
}

package dev.tandem.hub.cli;

import dev.tandem.hub.agent.AgentCatalogue;
import dev.tandem.hub.agent.AgentCheck;
import dev.tandem.hub.agent.SessionSetup;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.sessions.AgentMemory;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionLog;
import dev.tandem.hub.sessions.SessionStore;
import java.util.function.Supplier;

/**
 * What command lines about sessions work with.
 *
 * @param trial where an agent that is only tried works
 */
public record SessionServices(
        SessionEngine engine,
        SessionStore store,
        SessionLog log,
        PermissionDesk desk,
        AgentCatalogue agents,
        AgentCheck check,
        Supplier<SessionSetup> trial) {

    AgentMemory memory() {
        return new AgentMemory(engine, store);
    }
}

/**
 * Speaks ACP to agent programs: starts them, talks to them, answers what they ask, ends them.
 * Called by the session engine, which implements {@link dev.tandem.hub.agent.AgentHost}. Knows no
 * model API, keeps no log and decides no permission.
 */
@NullMarked
package dev.tandem.hub.agent;

import org.jspecify.annotations.NullMarked;

/** A real ACP agent program that follows a script; run in its own process by tests. */
package dev.tandem.hub.agent.scripted;

/**
 * Projects, agent sessions and their logs: what was said and done, in order, durable. Edges use
 * three types: {@link dev.tandem.hub.sessions.SessionEngine} does things with sessions and hands
 * out what belongs to them (folders, waiting messages, their door), {@link
 * dev.tandem.hub.sessions.SessionLog} reads and follows what happened, {@link
 * dev.tandem.hub.sessions.SessionStore} lists projects and sessions and tells of their changes.
 *
 * <p>Called by every edge that shows or steers sessions. Never speaks a wire format.
 */
@NullMarked
package dev.tandem.hub.sessions;

import org.jspecify.annotations.NullMarked;

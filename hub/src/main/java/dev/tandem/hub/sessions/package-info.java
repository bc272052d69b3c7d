/**
 * Projects, agent sessions and their logs: what was said and done, in order, durable.
 *
 * <p>Called by every edge that shows or steers sessions. Never speaks a wire format.
 */
@NullMarked
package dev.tandem.hub.sessions;

import org.jspecify.annotations.NullMarked;

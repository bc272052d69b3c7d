/**
 * The debug surfaces: what happened, which refs there are, one element looked at closely, cookies.
 *
 * <p>Called by the panel and the user's programs. Never gives an agent a way around the gate.
 */
@NullMarked
package dev.tandem.hub.debug;

import org.jspecify.annotations.NullMarked;

/**
 * The hub's side of terminals: keeps the terminal agent process alive and mints what opens it.
 *
 * <p>Called by the panel. Never carries a byte of a terminal, and never gives the agent its token.
 */
@NullMarked
package dev.tandem.hub.terminal;

import org.jspecify.annotations.NullMarked;

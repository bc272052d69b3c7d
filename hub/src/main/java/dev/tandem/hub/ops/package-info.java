/**
 * The door /ops for programs, and the small ones beside it: /command, /status, /stop.
 *
 * <p>Called by programs, scripts and the extension. Never runs a tool itself: it decodes, checks,
 * calls and encodes.
 */
@NullMarked
package dev.tandem.hub.ops;

import org.jspecify.annotations.NullMarked;

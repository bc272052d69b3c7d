/**
 * Browsers and the tools that run in them: links, ops sessions, the one path of every tool call.
 *
 * <p>Called by the doors /mcp, /ops, /command and /cli. Never reaches into a page itself: the
 * extension does.
 */
@NullMarked
package dev.tandem.hub.browser;

import org.jspecify.annotations.NullMarked;

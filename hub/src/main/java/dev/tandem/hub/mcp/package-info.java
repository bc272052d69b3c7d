/**
 * The door /mcp: Model Context Protocol over HTTP, the session eras and the stateless one.
 *
 * <p>Called by MCP clients and agents. Never knows what a tool does: it lists and calls them.
 */
@NullMarked
package dev.tandem.hub.mcp;

import org.jspecify.annotations.NullMarked;

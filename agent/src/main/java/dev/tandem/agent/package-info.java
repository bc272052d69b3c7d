/**
 * Tandem's own agent: an ACP program that uses the browser through the MCP server of its session.
 * Started by the hub or by any ACP editor as {@code tandem agent}. Never reaches the browser by any
 * other door, and believes nothing that a page says.
 */
@NullMarked
package dev.tandem.agent;

import org.jspecify.annotations.NullMarked;

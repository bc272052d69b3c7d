/**
 * The chat API {@code /api/v1}: messages, streams, jobs, comments and tool permissions for the
 * overlay and other people's surfaces. Called by the web server. Never keeps a transcript of its
 * own: turns are views of the session's log, and streams hold what was said under their numbers.
 */
@NullMarked
package dev.tandem.hub.chat;

import org.jspecify.annotations.NullMarked;

/**
 * The chat socket {@code /ws}: panel, web app and clients of the same kind see and steer sessions.
 *
 * <p>Called by the web server. Never keeps a transcript: everything comes from the log.
 */
@NullMarked
package dev.tandem.hub.relay;

import org.jspecify.annotations.NullMarked;

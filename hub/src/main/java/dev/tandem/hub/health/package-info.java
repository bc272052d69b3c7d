/**
 * Liveness: /health, /version, /metrics and the unauthenticated facts of /config.
 *
 * <p>Called by anyone on loopback. Never shows a token, a URL or a title.
 */
@NullMarked
package dev.tandem.hub.health;

import org.jspecify.annotations.NullMarked;

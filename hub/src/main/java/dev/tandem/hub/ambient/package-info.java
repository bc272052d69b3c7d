/**
 * Projects and sessions over HTTP as the Ambient API describes them: decode, call, encode.
 *
 * <p>Called by the panel's Ambient adapter and foreign clients. Holds no state of sessions.
 */
@NullMarked
package dev.tandem.hub.ambient;

import org.jspecify.annotations.NullMarked;

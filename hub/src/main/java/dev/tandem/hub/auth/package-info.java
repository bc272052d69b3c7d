/**
 * Proves who calls: hub token, pairing codes, extension token pairs, client tokens, origins.
 *
 * <p>Called by web before every request. Never decides what a proven caller may do to a page.
 */
@NullMarked
package dev.tandem.hub.auth;

import org.jspecify.annotations.NullMarked;

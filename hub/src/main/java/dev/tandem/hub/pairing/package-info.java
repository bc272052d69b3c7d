/**
 * The door where a browser trades a code for tokens and renews them.
 *
 * <p>Called by the extension. Never gives a token to someone who only knows the port.
 */
@NullMarked
package dev.tandem.hub.pairing;

import org.jspecify.annotations.NullMarked;

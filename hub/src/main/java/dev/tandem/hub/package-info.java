/**
 * The hub: one process on loopback. {@link dev.tandem.hub.App} wires it, top to bottom, by hand.
 */
@NullMarked
package dev.tandem.hub;

import org.jspecify.annotations.NullMarked;

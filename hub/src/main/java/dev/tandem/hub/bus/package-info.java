/**
 * Carries live events between the parts of a hub, and later between hubs.
 *
 * <p>Called by capabilities that announce or watch. Never stores: what must last is in the store.
 */
@NullMarked
package dev.tandem.hub.bus;

import org.jspecify.annotations.NullMarked;

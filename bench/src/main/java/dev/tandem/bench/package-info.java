/**
 * Measurements of the product, each beside a floor that is measured in the same run. Started by
 * {@code tandem bench}; uses the launcher and the hub as a user does; changes nothing of the
 * user's.
 */
@NullMarked
package dev.tandem.bench;

import org.jspecify.annotations.NullMarked;

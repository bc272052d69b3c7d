/**
 * The commands of the command line: reads arguments, calls what stands behind {@link
 * dev.tandem.cli.Port}, prints the answer. The hub hosts it for warm runs, {@code Main} for plain
 * starts. It never sees the hub.
 */
@NullMarked
package dev.tandem.cli;

import org.jspecify.annotations.NullMarked;

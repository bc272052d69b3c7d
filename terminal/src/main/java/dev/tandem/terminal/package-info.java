/**
 * The terminal agent: a small process of its own that owns pseudo-terminals and their programs. The
 * hub grants, the panel attaches; bytes never pass through the hub. It never sees the hub's token
 * and never listens beyond loopback.
 */
@NullMarked
package dev.tandem.terminal;

import org.jspecify.annotations.NullMarked;

/** Tests with real pseudo-terminals, real shells and real sockets. */
@NullMarked
package dev.tandem.terminal;

import org.jspecify.annotations.NullMarked;

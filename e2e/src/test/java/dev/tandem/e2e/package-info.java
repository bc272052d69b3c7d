/**
 * Tests of the whole product: the real launcher, hub, Chromium and extension. Each takes free ports
 * and a temporary state dir, waits for conditions, and leaves no process behind.
 */
@NullMarked
package dev.tandem.e2e;

import org.jspecify.annotations.NullMarked;

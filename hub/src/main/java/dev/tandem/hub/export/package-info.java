/**
 * Turns what a browser captured of a page into a component and its style sheet.
 *
 * <p>Called by the clone tools. Never trusts the capture: what could run or load is left out again.
 */
@NullMarked
package dev.tandem.hub.export;

import org.jspecify.annotations.NullMarked;

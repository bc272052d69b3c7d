/**
 * The legacy door for programs that speak the Chrome DevTools Protocol themselves. It passes their
 * commands to one browser and the answers back; which tabs and methods they reach is decided in the
 * extension. It knows no tool and no page, and is shut unless the user opened it.
 */
@org.jspecify.annotations.NullMarked
package dev.tandem.hub.cdp;

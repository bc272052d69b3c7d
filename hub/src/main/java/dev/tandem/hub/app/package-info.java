/**
 * The web app's door: its own shell, and the parts of the chat that it shares with the extension.
 *
 * <p>Called by browsers that open /app. Never answers with anything but these files.
 */
@NullMarked
package dev.tandem.hub.app;

import org.jspecify.annotations.NullMarked;

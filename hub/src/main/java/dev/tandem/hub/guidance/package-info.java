/**
 * Words for those who use the tools: the guide and the skill packs.
 *
 * <p>Called by the guidance tools. Never needs a browser; what it reads in a project's folder is
 * marked as somebody else's words and configures nothing.
 */
@NullMarked
package dev.tandem.hub.guidance;

import org.jspecify.annotations.NullMarked;

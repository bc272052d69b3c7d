/**
 * Words for those who use the tools: the guide and the skill packs.
 *
 * <p>Called by the guidance tools. Never needs a browser and never reads a project's folder.
 */
@NullMarked
package dev.tandem.hub.guidance;

import org.jspecify.annotations.NullMarked;

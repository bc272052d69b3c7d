/**
 * Files inside the directories a session may use, and nothing outside them. Called by the agent
 * client and by every edge that shows, takes or gives files. Never trusts a path's spelling: what
 * counts is where it really leads.
 */
@NullMarked
package dev.tandem.hub.files;

import org.jspecify.annotations.NullMarked;

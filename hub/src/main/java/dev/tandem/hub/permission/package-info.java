/**
 * One desk for every permission: asks by rules, modes and cards, first answer wins, all written
 * down. {@link dev.tandem.hub.permission.PermissionDesk} takes asks and answers, {@link
 * dev.tandem.hub.permission.PermissionRules} keeps what users decided for good.
 *
 * <p>Called by sessions for agents, by the tool runner for browsers, and by every edge that shows
 * cards. Never runs what it allowed, and never takes an agent's word for what a call is.
 */
@NullMarked
package dev.tandem.hub.permission;

import org.jspecify.annotations.NullMarked;

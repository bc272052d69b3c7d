/** The tool catalogue, by the command names of the wire. */

import capture from '../protocol/tools/capture.js';
import devtools from '../protocol/tools/devtools.js';
import dialog from '../protocol/tools/dialog.js';
import dom from '../protocol/tools/dom.js';
import exporting from '../protocol/tools/export.js';
import interaction from '../protocol/tools/interaction.js';
import navigation from '../protocol/tools/navigation.js';
import page from '../protocol/tools/page.js';
import pointer from '../protocol/tools/pointer.js';
import session from '../protocol/tools/session.js';
import snapshot from '../protocol/tools/snapshot.js';
import tabs from '../protocol/tools/tabs.js';
import target from '../protocol/tools/target.js';

/**
 * @typedef {{
 *   name: string, command: string, access: 'read' | 'write', needsSession: boolean, targeted?: boolean, idempotent: boolean,
 *   readShare: boolean, diff?: boolean, permission: string | null, timeoutMs: number,
 *   argumentAliases?: Record<string, string>, input: any, wire?: { payload?: any }
 * }} Tool
 */

const groups = [session, target, page, navigation, snapshot, interaction, dom, devtools, capture, exporting, dialog, pointer, tabs];

/** @type {Map<string, Tool>} */
export const toolsByCommand = new Map(
  groups.flatMap((group) => /** @type {any[]} */ (group.tools).map((tool) => [tool.command, tool])),
);

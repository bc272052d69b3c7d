/** The tool catalogue, by the command names of the wire. */

import capture from '../protocol/tools/capture.json' with { type: 'json' };
import devtools from '../protocol/tools/devtools.json' with { type: 'json' };
import dialog from '../protocol/tools/dialog.json' with { type: 'json' };
import dom from '../protocol/tools/dom.json' with { type: 'json' };
import exporting from '../protocol/tools/export.json' with { type: 'json' };
import interaction from '../protocol/tools/interaction.json' with { type: 'json' };
import navigation from '../protocol/tools/navigation.json' with { type: 'json' };
import page from '../protocol/tools/page.json' with { type: 'json' };
import pointer from '../protocol/tools/pointer.json' with { type: 'json' };
import session from '../protocol/tools/session.json' with { type: 'json' };
import snapshot from '../protocol/tools/snapshot.json' with { type: 'json' };
import tabs from '../protocol/tools/tabs.json' with { type: 'json' };
import target from '../protocol/tools/target.json' with { type: 'json' };

/**
 * @typedef {{
 *   name: string, command: string, needsSession: boolean, targeted?: boolean, idempotent: boolean,
 *   readShare: boolean, diff?: boolean, permission: string | null, timeoutMs: number,
 *   argumentAliases?: Record<string, string>, input: any, wire?: { payload?: any }
 * }} Tool
 */

const groups = [session, target, page, navigation, snapshot, interaction, dom, devtools, capture, exporting, dialog, pointer, tabs];

/** @type {Map<string, Tool>} */
export const toolsByCommand = new Map(
  groups.flatMap((group) => /** @type {any[]} */ (group.tools).map((tool) => [tool.command, tool])),
);

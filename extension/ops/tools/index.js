/** Every command's function, by the name it has on the wire. */

import { screenshot } from './capture.js';
import { consolePoll, networkPoll, perf } from './devtools.js';
import { dialog } from './dialog.js';
import * as dom from './dom.js';
import { cloneComponent, clonePage } from './export.js';
import * as interaction from './interaction.js';
import { goto, wait } from './navigation.js';
import * as page from './page.js';
import * as pointer from './pointer.js';
import * as session from './session.js';
import { review, snapshot } from './snapshot.js';
import * as tabs from './tabs.js';
import * as target from './target.js';

/** @typedef {(call: import('../dispatch.js').Call) => Promise<any>} Handler */

/** @type {Record<string, Handler>} */
export const handlers = {
  'session.launch': session.launch,
  'session.connect': session.connect,
  'session.disconnect': session.disconnect,
  'session.status': session.status,
  'targets.list': target.list,
  'targets.use': target.use,
  'targets.new': target.open,
  'targets.close': target.close,
  'page.open': page.open,
  'page.list': page.list,
  'page.close': page.close,
  'page.screenshot': screenshot,
  'page.dialog': dialog,
  'nav.goto': goto,
  'nav.wait': wait,
  'nav.snapshot': snapshot,
  'nav.review': review,
  'interact.click': interaction.click,
  'interact.hover': interaction.hover,
  'interact.press': interaction.press,
  'interact.check': interaction.check,
  'interact.uncheck': interaction.uncheck,
  'interact.type': interaction.type,
  'interact.select': interaction.select,
  'interact.scroll': interaction.scroll,
  'interact.scrollIntoView': interaction.scrollIntoView,
  'interact.upload': interaction.upload,
  'pointer.move': pointer.move,
  'pointer.down': pointer.down,
  'pointer.up': pointer.up,
  'pointer.drag': pointer.drag,
  'dom.getHtml': dom.getHtml,
  'dom.getText': dom.getText,
  'dom.getAttr': dom.getAttr,
  'dom.getValue': dom.getValue,
  'dom.isVisible': dom.isVisible,
  'dom.isEnabled': dom.isEnabled,
  'dom.isChecked': dom.isChecked,
  'export.clonePage': clonePage,
  'export.cloneComponent': cloneComponent,
  'devtools.perf': perf,
  'devtools.consolePoll': consolePoll,
  'devtools.networkPoll': networkPoll,
  'browser.tabs': tabs.list,
  'browser.read': tabs.read,
  'browser.execute': tabs.execute,
};

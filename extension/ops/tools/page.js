import { invalid } from '../errors.js';
import { navigate } from '../navigate.js';
import { assertAddress } from '../addresses.js';
import { closeTarget, openTarget } from './target.js';

/** @typedef {import('../dispatch.js').Call} Call */

/** @param {Call} call */
export async function open(call) {
  const { runtime, session, args } = call;
  const known = session.targets.get(session.pages.get(args.name) ?? '');
  if (known) {
    if (args.url !== undefined) {
      assertAddress(args.url, 'Invalid url', call);
      await navigate({ ...call, target: known }, { url: args.url, waitUntil: 'load' });
    }
    return { ...(await runtime.describeTarget(known, call)), created: false };
  }
  const target = await openTarget(call, args.url);
  session.pages.set(args.name, target.targetId);
  runtime.life.save();
  return { ...(await runtime.describeTarget(target, call)), created: true };
}

/** @param {Call} call */
export async function list(call) {
  const { runtime, session } = call;
  const pages = await Promise.all(
    [...session.pages].map(async ([name, targetId]) => ({ name, ...(await runtime.describeTarget(session.target(targetId), call)) })),
  );
  return { pages };
}

/** @param {Call} call */
export async function close({ runtime, session, args }) {
  const target = session.targets.get(session.pages.get(args.name) ?? '');
  if (!target) throw invalid('unknown_page', 'Unknown page name', { name: args.name, known: [...session.pages.keys()] });
  session.pages.delete(args.name);
  await closeTarget(runtime, session, target);
  return {};
}

// Lets Node find what the web app shares with the extension, where the hub serves it: under ./ui.
import { register } from 'node:module';

const hook = `export function resolve(specifier, context, next) {
  const shared = specifier.startsWith('./ui/') && context.parentURL?.includes('/webapp/');
  return next(shared ? new URL('../extension/' + specifier.slice(2), context.parentURL).href : specifier, context);
}`;

register(`data:text/javascript,${encodeURIComponent(hook)}`);

// Holds what the extension says against the shapes that the protocol promises.
import assert from 'node:assert/strict';

import { toolsByCommand } from '../../extension/ops/catalogue.js';
import annotation from '../../extension/protocol/messages/annotation.js';
import cdp from '../../extension/protocol/messages/cdp.js';
import link from '../../extension/protocol/messages/link.js';
import ops from '../../extension/protocol/messages/ops.js';
import relay from '../../extension/protocol/messages/relay.js';
import common from '../../extension/protocol/tools/common.js';

/** @type {Record<string, { messages: Record<string, { from: string[], schema: any }> }>} */
export const families = { annotation, cdp, link, ops, relay };

/**
 * @param {string} family
 * @param {any} message
 * @returns {string[]} what is wrong with it
 */
export function problemsOfMessage(family, message) {
  const type = message.type ?? (family === 'cdp' ? (message.method ?? 'cdp_response') : '');
  const known = families[family].messages[type];
  if (!known) return [`${family} has no message ${type}`];
  /** @type {string[]} */
  const problems = [];
  walk(known.schema, message, type, problems);
  return problems;
}

/**
 * What our own extension sends has no field, either, that the protocol does not name.
 *
 * @param {string[]} spoken the families that this socket speaks
 * @param {any} message
 */
export function assertOurs(spoken, message) {
  const family = spoken.find((name) => message.type in families[name].messages) ?? spoken[0];
  const problems = problemsOfMessage(family, message);
  const { from, schema } = families[family].messages[message.type] ?? { from: [], schema: {} };
  if (!from.includes('extension')) problems.push(`${message.type} is not for the extension to say`);
  for (const name of Object.keys(message)) if (!(name in (schema.properties ?? {}))) problems.push(`${message.type}.${name} is not promised`);
  assert.deepEqual(problems, [], JSON.stringify(message).slice(0, 500));
}

/**
 * @param {string} command
 * @param {any} payload
 * @returns {string[]} what is wrong with it
 */
export function problemsOf(command, payload) {
  const tool = /** @type {any} */ (toolsByCommand.get(command));
  const schema = tool.wire?.answer ?? tool.output;
  const withDiff = tool.diff ? { ...schema, properties: { ...schema.properties, ...common.output.diff } } : schema;
  /** @type {string[]} */
  const problems = [];
  walk(withDiff, payload, command, problems);
  return problems;
}

/**
 * ACP-23 (the clients' half): what is wrong with a frame of `/ws`.
 *
 * @param {any} frame
 * @param {'client' | 'hub'} sender
 * @returns {string[]}
 */
export function frameProblems(frame, sender) {
  const { from } = families.relay.messages[frame.type] ?? { from: [] };
  return from.includes(sender) ? problemsOfMessage('relay', frame) : [`${sender} says no ${frame.type}`];
}

/**
 * @param {any} schema
 * @param {any} value
 * @param {string} path
 * @param {string[]} problems
 */
function walk(schema, value, path, problems) {
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.includes(typeOf(value)) && !(types.includes('number') && typeOf(value) === 'integer')) {
    problems.push(`${path} is ${typeOf(value)}, not ${types.join('/')}`);
    return;
  }
  if (schema.enum && !schema.enum.includes(value)) problems.push(`${path} is ${value}`);
  if ('const' in schema && schema.const !== value) problems.push(`${path} is ${value}`);
  if (typeof value === 'string' && value.length < (schema.minLength ?? 0)) problems.push(`${path} is empty`);
  if (typeof value === 'number' && !(value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity))) problems.push(`${path} is ${value}`);
  if (Array.isArray(value) && !(value.length >= (schema.minItems ?? 0) && value.length <= (schema.maxItems ?? Infinity))) problems.push(`${path} has ${value.length} items`);
  if (Array.isArray(value) && schema.items) value.forEach((item, index) => walk(schema.items, item, `${path}[${index}]`, problems));
  if (typeOf(value) !== 'object') return;
  for (const name of schema.required ?? []) if (value[name] === undefined) problems.push(`${path}.${name} is missing`);
  for (const [name, inner] of Object.entries(value)) {
    const rule = schema.properties?.[name];
    if (rule) walk(rule, inner, `${path}.${name}`, problems);
    else if (schema.additionalProperties === false) problems.push(`${path}.${name} is not promised`);
  }
}

/** @param {any} value */
function typeOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return typeof value;
}

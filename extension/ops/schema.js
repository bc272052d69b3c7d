/** Checks a payload against the catalogue's JSON Schema, as far as the catalogue uses it. */

import { invalid } from './errors.js';

/** Arguments that every request may carry beside the tool's own. */
const COMMON = new Set(['sessionId', 'targetId', 'timeoutMs', 'diff', 'leaseId', 'sessionLeaseId', 'browser']);

/**
 * @param {import('./catalogue.js').Tool} tool
 * @param {unknown} payload
 * @returns {Record<string, any>} with aliases resolved and defaults filled in
 */
export function checkArguments(tool, payload) {
  if (payload !== undefined && (typeof payload !== 'object' || payload === null || Array.isArray(payload))) {
    throw invalid('missing_field', 'Invalid ops message.', { field: 'payload' });
  }
  /** @type {Record<string, any>} */
  const args = { ...payload };
  for (const [alias, name] of Object.entries(tool.argumentAliases ?? {})) {
    if (args[alias] !== undefined && args[name] === undefined) args[name] = args[alias];
    delete args[alias];
  }
  const schema = tool.wire?.payload ?? tool.input;
  for (const name of schema.required ?? []) {
    if (args[name] === undefined) throw invalid('missing_field', `Missing ${name}`, { field: name });
  }
  for (const [name, value] of Object.entries(args)) {
    const rule = schema.properties?.[name];
    if (value === undefined || value === null) delete args[name];
    else if (rule) check(rule, value, name);
    else if (!COMMON.has(name)) throw invalid('unknown_argument', `Unknown argument: ${name}`, { field: name });
  }
  for (const [name, rule] of Object.entries(schema.properties ?? {})) {
    if (args[name] === undefined && rule.default !== undefined) args[name] = rule.default;
  }
  return args;
}

/**
 * @param {any} rule
 * @param {any} value
 * @param {string} name
 */
function check(rule, value, name) {
  const wrong = (/** @type {string} */ what) => invalid('wrong_type', `${name} ${what}`, { field: name });
  const types = [rule.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => isType(type, value))) throw wrong(`must be ${types.join(' or ')}`);
  if (rule.enum && !rule.enum.includes(value)) throw wrong(`must be one of ${rule.enum.join(', ')}`);
  if (typeof value === 'number' && !(value >= (rule.minimum ?? -Infinity) && value <= (rule.maximum ?? Infinity))) {
    throw wrong(rule.maximum === undefined ? `must be at least ${rule.minimum}` : `must be between ${rule.minimum} and ${rule.maximum}`);
  }
  if (typeof value === 'string' && value.length < (rule.minLength ?? 0)) throw invalid('missing_field', `Missing ${name}`, { field: name });
  if (Array.isArray(value)) {
    if (value.length < (rule.minItems ?? 0)) throw invalid('missing_field', `Missing ${name}`, { field: name });
    if (rule.items) value.forEach((item, index) => check(rule.items, item, `${name}[${index}]`));
  } else if (typeof value === 'object' && value !== null && rule.properties) {
    for (const required of rule.required ?? []) {
      if (value[required] === undefined) throw invalid('missing_field', `Missing ${name}.${required}`, { field: `${name}.${required}` });
    }
    for (const [key, inner] of Object.entries(value)) {
      if (rule.properties[key]) check(rule.properties[key], inner, `${name}.${key}`);
    }
  }
}

/**
 * @param {string} type
 * @param {unknown} value
 */
function isType(type, value) {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

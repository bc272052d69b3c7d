// Holds every answer of the runtime against the shape that the catalogue promises.
import { toolsByCommand } from '../../extension/ops/catalogue.js';
import common from '../../extension/protocol/tools/common.js';

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

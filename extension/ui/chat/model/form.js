/**
 * @typedef {object} Field one property of an agent's form
 * @property {string} name
 * @property {'text' | 'number' | 'boolean' | 'choice' | 'choices' | 'unknown'} type
 * @property {string} label
 * @property {string} [description]
 * @property {boolean} required
 * @property {{ value: string, label: string }[]} [options]
 * @property {any} [initial]
 * @property {any} schema
 * @property {boolean} secret its name looks like one of a secret
 */

const SECRET = /pass(word|phrase|code)|secret|token|api.?key|credential|\bpin\b|cvv|cvc|card.?number|iban|ssn/i;
const FORMATS = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' };

/** @param {any} schema @returns {{ value: string, label: string }[] | undefined} */
function optionsOf(schema) {
  const titled = schema.oneOf ?? schema.anyOf;
  if (titled) return titled.map((/** @type {any} */ one) => ({ value: one.const, label: one.title ?? one.const }));
  return schema.enum?.map((/** @type {string} */ value, /** @type {number} */ at) => ({ value, label: schema.enumNames?.[at] ?? value }));
}

/** @param {any} schema of the whole form @returns {Field[]} */
export function fieldsOf(schema) {
  const required = new Set(schema?.required ?? []);
  return Object.entries(schema?.properties ?? {}).map(([name, /** @type {any} */ property]) => {
    const base = {
      name,
      label: property.title ?? name,
      description: property.description,
      required: required.has(name),
      initial: property.default,
      schema: property,
      secret: SECRET.test(name) || SECRET.test(property.title ?? ''),
    };
    switch (property.type) {
      case 'string':
        return optionsOf(property) ? { ...base, type: 'choice', options: optionsOf(property) } : { ...base, type: 'text' };
      case 'number':
      case 'integer':
        return { ...base, type: 'number' };
      case 'boolean':
        return { ...base, type: 'boolean' };
      case 'array': {
        const options = optionsOf(property.items ?? {});
        return options ? { ...base, type: 'choices', options } : { ...base, type: 'unknown' };
      }
      default:
        return { ...base, type: 'unknown' };
    }
  });
}

/** @param {string} value */
const isDay = (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(`${value}T00:00Z`).toJSON()?.startsWith(value);

/** An input knows the user's own time only, without a zone. @param {Field} field */
export function shownValue({ schema, initial }) {
  if (schema.format !== 'date-time' || initial === undefined) return initial ?? '';
  const at = new Date(initial);
  return Number.isNaN(at.getTime()) ? '' : new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toJSON().slice(0, 19);
}

/** What an agent is told for the text of an input. @param {Field} field @param {string} text @returns {any} */
export function toldValue({ type, schema }, text) {
  if (text === '') return undefined;
  if (type === 'number') return Number(text);
  return type === 'text' && schema.format === 'date-time' ? (new Date(text).toJSON() ?? text) : text;
}

/** @param {Field} field */
export const inputType = ({ schema }) => FORMATS[/** @type {keyof typeof FORMATS} */ (schema.format)] ?? 'text';

/**
 * What is wrong with a value, as a key of the texts; empty if nothing is.
 *
 * @param {Field} field
 * @param {any} value
 * @returns {{ key: string, values?: Record<string, string | number> } | undefined}
 */
export function problemWith({ type, required, schema }, value) {
  const empty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  if (empty) return required ? { key: 'question.problem.required' } : undefined;
  switch (type) {
    case 'text':
      if (schema.minLength && [...value].length < schema.minLength) return { key: 'question.problem.short', values: { n: schema.minLength } };
      if (schema.maxLength && [...value].length > schema.maxLength) return { key: 'question.problem.long', values: { n: schema.maxLength } };
      if (schema.pattern && !fits(schema.pattern, value)) return { key: 'question.problem.pattern' };
      if (schema.format === 'email' && !/^[^@\s]+@[^@\s]+$/.test(value)) return { key: 'question.problem.email' };
      if (schema.format === 'uri' && !URL.canParse(value)) return { key: 'question.problem.uri' };
      if (schema.format === 'date' && !isDay(value)) return { key: 'question.problem.date' };
      if (schema.format === 'date-time' && Number.isNaN(Date.parse(value))) return { key: 'question.problem.date' };
      return undefined;
    case 'number':
      if (!Number.isFinite(value) || (schema.type === 'integer' && !Number.isInteger(value))) return { key: 'question.problem.number' };
      if (schema.minimum !== undefined && value < schema.minimum) return { key: 'question.problem.small', values: { n: schema.minimum } };
      if (schema.maximum !== undefined && value > schema.maximum) return { key: 'question.problem.large', values: { n: schema.maximum } };
      return undefined;
    case 'choices':
      if (schema.minItems && value.length < schema.minItems) return { key: 'question.problem.few', values: { n: schema.minItems } };
      if (schema.maxItems && value.length > schema.maxItems) return { key: 'question.problem.many', values: { n: schema.maxItems } };
      return undefined;
    default:
      return undefined;
  }
}

/** A pattern that is none forbids nothing. @param {string} pattern @param {string} value */
function fits(pattern, value) {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

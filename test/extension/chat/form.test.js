import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf, inputType, problemWith, shownValue, toldValue } from '../../../extension/ui/chat/model/form.js';

/** @param {any} property @param {boolean} [required] */
const field = (property, required = false) => fieldsOf({ required: required ? ['it'] : [], properties: { it: property } })[0];
/** @param {any} property @param {any} value @param {boolean} [required] */
const problem = (property, value, required) => problemWith(field(property, required), value)?.key.split('.').at(-1);

/** Every type and constraint of a form: property, input, what fits, what does not and why. @type {[any, string, any[], Record<string, any>][]} */
const KINDS = [
  [{ type: 'string' }, 'text', ['x', '', undefined], {}],
  [{ type: 'string', minLength: 2 }, 'text', ['xy', '😀😀'], { short: '😀' }],
  [{ type: 'string', maxLength: 2 }, 'text', ['xy', '😀😀'], { long: 'xyz' }],
  [{ type: 'string', pattern: '^[a-z]+$' }, 'text', ['abc'], { pattern: 'a1' }],
  [{ type: 'string', pattern: '(' }, 'text', ['a pattern that is none forbids nothing'], {}],
  [{ type: 'string', format: 'email' }, 'text', ['a@b'], { email: 'nope' }],
  [{ type: 'string', format: 'uri' }, 'text', ['https://a.test/x'], { uri: 'nope' }],
  [{ type: 'string', format: 'date' }, 'text', ['2024-02-29'], { date: '2023-02-29' }],
  [{ type: 'string', format: 'date' }, 'text', [], { date: 'soon' }],
  [{ type: 'string', format: 'date-time' }, 'text', ['2026-01-01T10:00:00Z'], { date: 'soon' }],
  [{ type: 'string', enum: ['a', 'b'] }, 'choice', ['a'], {}],
  [{ type: 'string', oneOf: [{ const: 'x', title: 'The X' }] }, 'choice', ['x'], {}],
  [{ type: 'number', minimum: 0.5, maximum: 1.5 }, 'number', [0.5, 1.25, 1.5], { small: 0.4, large: 1.6, number: NaN }],
  [{ type: 'integer', minimum: 1, maximum: 9 }, 'number', [1, 9], { small: 0, large: 10, number: 1.5 }],
  [{ type: 'boolean' }, 'boolean', [true, false], {}],
  [{ type: 'array', items: { type: 'string', enum: ['p', 'q'] }, minItems: 2 }, 'choices', [['p', 'q'], []], { few: ['p'] }],
  [{ type: 'array', items: { anyOf: [{ const: 'p', title: 'P' }, { const: 'q', title: 'Q' }] }, maxItems: 1 }, 'choices', [['p']], { many: ['p', 'q'] }],
];

// ACP-102, W10
test('a form knows every kind of field and says what is wrong', () => {
  for (const [property, type, right, wrong] of KINDS) {
    const about = JSON.stringify(property);
    assert.equal(field(property).type, type, about);
    for (const value of right) assert.equal(problem(property, value), undefined, `${about} ${value}`);
    for (const [why, value] of Object.entries(wrong)) assert.equal(problem(property, value), why, `${about} ${value}`);
    if (type !== 'boolean') assert.equal(problem(property, type === 'choices' ? [] : undefined, true), 'required', about);
  }
  assert.deepEqual(['object', 'null', undefined].map((type) => field({ type }).type), ['unknown', 'unknown', 'unknown']);
  assert.equal(field({ type: 'array', items: { type: 'number' } }).type, 'unknown');
  assert.deepEqual(field({ type: 'string', oneOf: [{ const: 'x', title: 'The X' }, { const: 'y' }] }).options, [{ value: 'x', label: 'The X' }, { value: 'y', label: 'y' }]);
  assert.deepEqual(['email', 'uri', 'date', 'date-time', 'odd'].map((format) => inputType(field({ type: 'string', format }))), ['email', 'url', 'date', 'datetime-local', 'text']);
  assert.deepEqual(['apiKey', 'name'].map((name) => fieldsOf({ properties: { [name]: { type: 'string' } } })[0].secret), [true, false]);
});

// ACP-102: RFC 3339 for the agent, the user's own time in the input
test('a point in time keeps its zone on the way to the input and back', () => {
  const when = field({ type: 'string', format: 'date-time', default: '2026-07-01T10:20:30+02:00' });
  assert.match(shownValue(when), /^2026-0[67]-\d\dT\d\d:\d\d:30$/);
  assert.equal(toldValue(when, shownValue(when)), '2026-07-01T08:20:30.000Z');
  const typed = toldValue(when, '2026-01-01T10:00');
  assert.match(typed, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(new Date(typed).getTime(), new Date(2026, 0, 1, 10).getTime());
  assert.equal(shownValue(field({ type: 'string', format: 'date-time', default: 'soon' })), '');
  assert.equal(toldValue(when, ''), undefined);
  assert.deepEqual([{ type: 'string', default: 'a' }, { type: 'number', default: 1.5 }, { type: 'string' }].map((property) => shownValue(field(property))), ['a', 1.5, '']);
  assert.deepEqual([toldValue(field({ type: 'number' }), '1.5'), toldValue(field({ type: 'string', format: 'date' }), '2026-01-01')], [1.5, '2026-01-01']);
});

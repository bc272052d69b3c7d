import assert from 'node:assert/strict';
import { test } from 'node:test';

// A controlled input as frameworks make it: the instance hides the native value and only believes a changed one.
const TRACKED = `<input id="i" aria-label="Controlled"><script>
  const proto = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); let seen = ''; window.state = '';
  Object.defineProperty(i, 'value', { configurable: true, get() { return proto.get.call(this); }, set(v) { seen = v; proto.set.call(this, v); } });
  i.addEventListener('input', () => { const now = proto.get.call(i); if (now !== seen) { seen = now; window.state = now; } });
</script>`;

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function editSuite(bench) {
  const args = { session: 'a', ref: 'r1' };
  /** @param {string} body @param {string} text @param {'end'|'all'} caret */
  const typed = async (body, text, caret = 'end') => {
    const page = await bench.show(body);
    await page.snapshot();
    const focus = await page.call('focus', { ...args, caret });
    await page.session.send('Input.insertText', { text });
    return { page, focus, back: await page.call('readBack', { ...args, expected: text, mode: 'ends' }) };
  };

  // OPS-L12: controlled inputs, contenteditable and appending.
  test('a controlled input believes typed text', async () => {
    const { page, back } = await typed(TRACKED, 'tea');
    assert.equal(await page.evaluate('state'), 'tea');
    assert.deepEqual(back, { value: 'tea', redacted: false, matches: true, focused: true, length: 3 });
  });

  test('a controlled input believes a value set without keys', async () => {
    const page = await bench.show(TRACKED);
    await page.snapshot();
    const back = await page.call('setValue', { ...args, value: 'coffee' });
    assert.equal(await page.evaluate('state'), 'coffee');
    assert.equal(back.matches, true);
  });

  test('the caret goes to the end, whatever the type', async () => {
    for (const field of ['<input value="pre">', '<textarea>pre</textarea>', '<input type="email" value="pre">', '<input type="number" value="12">', '<div contenteditable>pre</div>']) {
      const added = field.includes('number') ? '3' : '-fix';
      const { back, focus } = await typed(field, added);
      assert.equal(back.value, field.includes('number') ? '123' : 'pre-fix', field);
      assert.equal(focus.editable, true);
    }
  });

  test('everything is selected for replacement', async () => {
    for (const field of ['<input value="old">', '<textarea>old</textarea>', '<input type="email" value="old">', '<div contenteditable><p>old</p></div>']) {
      assert.equal((await typed(field, 'new', 'all')).back.value, 'new', field);
    }
  });

  test('rich editors inside shadow roots take text', async () => {
    const { back } = await typed(`<div id="h"></div><script>h.attachShadow({mode:'open'}).innerHTML='<div contenteditable role="textbox" aria-label="Deep">a</div>'</script>`, 'b');
    assert.equal(back.value, 'ab');
    assert.equal(back.focused, true);
  });

  test('says what cannot be edited', async () => {
    const page = await bench.show('<input readonly value="x"><button>B</button><input disabled><input type="checkbox">');
    await page.snapshot();
    for (const ref of ['r1', 'r2', 'r3', 'r4']) {
      assert.equal((await page.call('focus', { session: 'a', ref })).editable, false);
      assert.equal((await page.answer('setValue', { session: 'a', ref, value: 'y' })).error.reason, 'not_editable');
    }
  });

  // OPS-61: by value or label, several, and an unknown one is an error.
  test('selects options and tells the page', async () => {
    const page = await bench.show(`<select id="s" aria-label="One"><option value="1">Eins<option value="2">Zwei</select><select id="m" aria-label="Many" multiple><option value="a">A<option value="b">B<option value="c" selected>C</select>
      <script>window.log = []; for (const el of [s, m]) for (const type of ['input', 'change']) el.addEventListener(type, () => log.push(el.id + type));</script>`);
    await page.snapshot({ find: 'One' });
    await page.snapshot({ find: 'Many' });
    assert.deepEqual(await page.call('select', { ...args, values: ['Zwei'] }), { selected: ['2'], labels: ['Zwei'], changed: true, native: true });
    assert.deepEqual((await page.call('select', { session: 'a', ref: 'r2', values: ['a', 'B'] })).selected, ['a', 'b']);
    assert.deepEqual(await page.evaluate('log'), ['sinput', 'schange', 'minput', 'mchange']);
    assert.equal((await page.call('select', { ...args, values: ['2'] })).changed, false);
    const unknown = await page.answer('select', { ...args, values: ['Drei'] });
    assert.deepEqual([unknown.error.code, unknown.error.reason], ['invalid_request', 'unknown_option']);
    assert.match(unknown.error.message, /"Eins", "Zwei"/);
    assert.deepEqual(await page.evaluate('log.length'), 4);
  });

  test('secrets go in by setter and never come back', async () => {
    const page = await bench.show('<input type="password" aria-label="P">');
    await page.snapshot();
    const back = await page.call('setValue', { ...args, value: 'hunter2' });
    assert.deepEqual(back, { value: '••••', redacted: true, matches: true, focused: true, length: 0 });
    assert.equal((await page.call('focus', args)).value, '••••');
    assert.equal(await page.evaluate(`document.querySelector('input').value`), 'hunter2');
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';

/** @param {import('../../support/pages.mjs').PageBench} bench */
export function querySuite(bench) {
  /** @param {string} body @param {string} name @param {object} [args] */
  const ask = async (body, name, args = {}) => {
    const page = await bench.show(body);
    await page.snapshot();
    return page.call(name, { session: 'a', ref: 'r1', ...args });
  };

  // OPS-64, OPS-L21: markup up to a limit, secrets masked, shadow roots included.
  test('markup', async () => {
    assert.deepEqual(await ask('<button class="x">Go</button>', 'html'), { ref: 'r1', outerHTML: '<button class="x">Go</button>', truncated: false });
    assert.deepEqual(await ask('<button class="x">Go</button>', 'html', { maxChars: 7 }), { ref: 'r1', outerHTML: '<button', truncated: true });
    const secret = await ask('<form aria-label="F"><input type="password" value="a"><textarea autocomplete="cc-number">a</textarea><p>a b a</p></form>', 'html');
    assert.equal(secret.outerHTML, '<form aria-label="F"><input type="password" value="••••"><textarea autocomplete="cc-number">••••</textarea><p>a b a</p></form>');
    const shadow = await ask(`<section aria-label="S" id="s"><div id="h"></div></section><script>h.attachShadow({mode:'open'}).innerHTML='<input type="password" value="zz"><b>in</b>'</script>`, 'html');
    assert.match(shadow.outerHTML, /<template shadowrootmode="open"><input type="password" value="••••"><b>in<\/b><\/template>/);
    const nested = await ask(`<section aria-label="S"><p><input value="out"><x-a>light</x-a></p></section><script>const a = document.querySelector('x-a'); a.attachShadow({mode:'open'}).innerHTML='<slot></slot><x-b></x-b>'; a.shadowRoot.querySelector('x-b').attachShadow({mode:'closed'}).innerHTML='<i>deep</i>'</script>`, 'html');
    assert.equal(nested.outerHTML.replace(/<template shadowrootmode="closed">.*?<\/template>/, ''), '<section aria-label="S"><p><input value="out"><x-a><template shadowrootmode="open"><slot></slot><x-b></x-b></template>light</x-a></p></section>');
  });

  // OPS-L21: a password that was shown once stays one, with shadow roots around or without
  test('markup of a password that the page shows', async () => {
    const attach = `h.attachShadow({mode:'open'}).innerHTML='<input type="password" value="zz">'`;
    for (const script of ['0', attach]) {
      const page = await bench.show(`<section aria-label="S"><input type="password" value="aa"><div id="h"></div></section><script>${script}</script>`);
      await page.snapshot();
      await page.evaluate(`for (const field of [document.querySelector('input'), h.shadowRoot?.querySelector('input')]) if (field) field.type = 'text'`);
      const { outerHTML } = await page.call('html', { session: 'a', ref: 'r1' });
      assert.equal(outerHTML.match(/type="text" value="••••"/g)?.length, script === '0' ? 1 : 2, outerHTML);
    }
    const inert = await ask('<section aria-label="S"><template><input type="password" value="bb"></template></section>', 'html');
    assert.match(inert.outerHTML, /<template><input type="password" value="••••"><\/template>/);
  });

  // OPS-65
  test('text', async () => {
    assert.equal((await ask('<article>One <b>two</b><p>three</p><p hidden>no</p></article>', 'text')).text, 'One two\n\nthree');
    assert.deepEqual(await ask('<article>One two</article>', 'text', { maxChars: 3 }), { ref: 'r1', text: 'One', truncated: true });
    assert.match((await ask(`<section aria-label="S"><p>out</p><div id="h"></div></section><script>h.attachShadow({mode:'open'}).innerHTML='<p>in</p><style>x{}</style>'</script>`, 'text')).text, /out\s+in$/);
    // what is put into slots, deep down as well, or stands there for want of it; and what cannot be seen there
    const slotted = `<x-alert>Saved <b>now</b></x-alert><x-card><x-alert slot="body">Deep</x-alert><i>nowhere</i></x-card><x-alert id="hid">hidden</x-alert><x-empty></x-empty>`;
    const define = (/** @type {string} */ name, /** @type {string} */ html) => `customElements.define('${name}', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '${html}'; } });`;
    const script = define('x-alert', '<div><p>Note: <slot></slot></p></div>') + define('x-card', '<section><slot name="body"></slot></section>') + define('x-empty', '<slot>Nothing yet</slot>');
    const said = await ask(`<section aria-label="S"><p>Hi</p>${slotted}</section><script>${script} hid.style.visibility = 'hidden'</script>`, 'text');
    assert.deepEqual(said.text.split('\n'), ['Hi', 'Note: Saved now', 'Note: Deep', 'Nothing yet']);
  });

  test('numbered items have the numbers that they show', async () => {
    const list = '<ol start="3"><li>a</li><li hidden>b</li><li>c <ol><li>in c</li></ol></li><li value="9">d</li><li>e</li></ol><ol start="0"><li>z</li></ol><ul><li>y</li></ul>';
    assert.equal((await ask(list, 'pageText')).text, '3. a\n4. c\n1. in c\n9. d\n10. e\n0. z\n- y');
    // as the accessibility tree has them: counted down, deeper in the list, and without a number
    const down = '<ol reversed><li>a</li><li hidden>b</li><li>c<ol><li>in c</li></ol></li><div><li>d</li></div><li style="display: flex">e</li><li value="7">f</li><li>g</li></ol><ol reversed start="3"><li>h</li><li>i</li></ol>';
    assert.equal((await ask(down, 'pageText')).text, '5. a\n4. c\n1. in c\n3. d\n- e\n7. f\n6. g\n3. h\n2. i');
    assert.equal((await ask('<ol><li style="list-style: none">a</li><li>b</li></ol>', 'pageText')).text, '- a\n2. b');
  });

  // OPS-66
  test('attributes', async () => {
    assert.deepEqual(await ask('<a href="/x">L</a>', 'attr', { name: 'href' }), { value: '/x' });
    assert.deepEqual(await ask('<a href="/x">L</a>', 'attr', { name: 'title' }), { value: null });
    assert.deepEqual(await ask('<input type="password" value="s">', 'attr', { name: 'VALUE' }), { value: '••••', redacted: true });
  });

  // OPS-67
  test('values', async () => {
    assert.deepEqual(await ask('<input value="v">', 'value'), { value: 'v' });
    assert.deepEqual(await ask('<textarea>t</textarea>', 'value'), { value: 't' });
    assert.deepEqual(await ask('<select><option value="1">a<option value="2" selected>b</select>', 'value'), { value: '2' });
    assert.deepEqual(await ask('<input type="password" value="s">', 'value'), { value: '••••', redacted: true });
    assert.deepEqual(await ask('<div contenteditable>rich</div>', 'value'), { value: 'rich' });
    assert.deepEqual(await ask('<div role="slider" aria-valuenow="4" tabindex="0"></div>', 'value'), { value: '4' });
  });

  // OPS-68
  test('visibility', async () => {
    const page = await bench.show('<button id="b">B</button>');
    await page.snapshot();
    const visible = async (/** @type {string} */ style) => {
      await page.evaluate(`b.style.cssText = ${JSON.stringify(style)}`);
      return (await page.call('visible', { session: 'a', ref: 'r1' })).value;
    };
    assert.equal(await visible(''), true);
    assert.equal(await visible('display:none'), false);
    assert.equal(await visible('visibility:hidden'), false);
    assert.equal(await visible('width:0;height:0;padding:0;border:0;overflow:hidden'), false);
    assert.equal(await visible('position:absolute;left:-9000px'), true);
  });

  // OPS-69
  test('enabled', async () => {
    for (const [body, expected] of /** @type {[string, boolean][]} */ ([
      ['<button>B</button>', true], ['<button disabled>B</button>', false], ['<button aria-disabled="true">B</button>', false],
      ['<fieldset disabled><button>B</button></fieldset>', false],
    ])) assert.equal((await ask(body, 'enabled')).value, expected, body);
    assert.equal((await ask('<fieldset disabled><legend><button>B</button></legend></fieldset>', 'enabled', { ref: 'r2' })).value, true, 'a legend stays enabled');
  });

  // OPS-70
  test('checked', async () => {
    assert.deepEqual(await ask('<input type="checkbox" checked>', 'checked'), { value: true, checkable: true });
    assert.deepEqual(await ask('<div role="checkbox" aria-checked="mixed" tabindex="0">x</div>', 'checked'), { value: false, checkable: true, mixed: true });
    assert.deepEqual(await ask('<div role="switch" aria-checked="true" tabindex="0">x</div>', 'checked'), { value: true, checkable: true });
    assert.deepEqual(await ask('<input type="checkbox" id="c"><script>c.indeterminate = true</script>', 'checked'), { value: false, checkable: true, mixed: true });
    assert.deepEqual(await ask('<button>x</button>', 'checked'), { value: false, checkable: false });
  });

  test('an unknown function is an answer, not an exception', async () => {
    const page = await bench.show('x');
    for (const name of ['nothing', 'constructor', '__proto__']) assert.equal((await page.answer(name)).ok, false);
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';

/** The question stands before the form that it is asked over. */
const STACKED = `<main><h1>Orders</h1><button>New</button></main><dialog id="ask" aria-label="Discard?"><button>Discard</button></dialog><dialog id="form" aria-label="Edit"><button>Save</button></dialog>`;
const SHADOWED = `<main><h1>Orders</h1></main><div id="host"></div>
  <script>host.attachShadow({ mode: 'open' }).innerHTML = '<dialog aria-label="Sure?"><button>Yes</button></dialog>'; var sure = host.shadowRoot.firstChild;</script>`;

/** @param {string} text */
const plain = (text) => text.replace(/\[r\d+\] /g, '').replaceAll(' [focused]', '');

// OPS-108: only the dialog on top can be used, and it always can.
/** @param {import('../../support/pages.mjs').PageBench} bench */
export function modalsSuite(bench) {
  let count = 0;
  /** @param {string} body */
  const start = async (body) => {
    const page = await bench.show(body);
    await page.snapshot({ snapshotId: `m${++count}` });
    return page;
  };
  /** @param {string} change */
  const after = async (change) => {
    await bench.page.evaluate(change);
    const { text } = await bench.page.call('diff', { session: 'a', since: `m${count}`, snapshotId: `m${++count}` });
    return plain(text);
  };
  const now = async () => plain((await bench.page.snapshot({ session: 'other' })).text);

  test('a dialog over another is the one that is shown, wherever it stands', async () => {
    await start(STACKED);
    await bench.page.evaluate('form.showModal(); ask.showModal()');
    assert.equal(await now(), 'dialog "Discard?"\n  button "Discard"');
    await bench.page.evaluate('ask.close()');
    assert.equal(await now(), 'dialog "Edit"\n  button "Save"');
  });

  test('a dialog over another that lets presses through is told by its focus', async () => {
    await start(`<style>dialog, dialog::backdrop { pointer-events: none } dialog button { pointer-events: auto; margin: 90px 0 90px 300px }</style>${STACKED}`);
    await bench.page.evaluate('form.showModal(); ask.showModal()');
    assert.equal(await now(), 'dialog "Discard?"\n  button "Discard"');
  });

  test('changes tell the dialog that comes over another, and the one below when it goes', async () => {
    await start(STACKED);
    assert.equal(await after('form.showModal()'), '+ dialog "Edit"\n    button "Save"\n- main');
    assert.equal(await after('ask.showModal()'), '+ dialog "Discard?"\n    button "Discard"\n- dialog "Edit"');
    assert.equal(await after('ask.close()'), '+ dialog "Edit"\n    button "Save"\n- dialog "Discard?"');
    assert.equal(await after('form.close()'), '- dialog "Edit"\n+ main (back)');
  });

  test('a dialog in a shadow root hides the page like any other', async () => {
    await start(SHADOWED);
    await bench.page.evaluate('sure.showModal()');
    assert.equal(await now(), 'dialog "Sure?"\n  button "Yes"');
    await bench.page.evaluate('sure.close()');
    assert.equal(await now(), 'main\n  heading "Orders" level=1');
  });

  test('changes tell a dialog in a shadow root, and bring the page back after it', async () => {
    await start(SHADOWED);
    assert.equal(await after('sure.showModal()'), '+ dialog "Sure?"\n    button "Yes"\n- main');
    assert.equal(await after('sure.close()'), '- dialog "Sure?"\n+ main (back)');
  });

  test('changes tell a dialog that comes with its shadow root', async () => {
    await start('<main id="main"><h1>Orders</h1><p id="note">All</p></main>');
    const came = await after(`const late = document.createElement('div'); late.id = 'late'; main.append(late);
      late.attachShadow({ mode: 'open' }).innerHTML = '<dialog aria-label="Sure?"><button>Yes</button></dialog>'; late.shadowRoot.firstChild.showModal()`);
    assert.equal(came, '+ dialog "Sure?"\n    button "Yes"\n- main');
    assert.equal(await after('late.remove(); note.textContent = "One"'), '- dialog "Sure?"\n+ main (back)\n~ text "One" in paragraph');
  });
}

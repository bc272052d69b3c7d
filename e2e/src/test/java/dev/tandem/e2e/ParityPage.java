package dev.tandem.e2e;

/** The site on which every tool must do the same in every browser. */
final class ParityPage {
    private static final String HTML =
            """
            <!doctype html><html lang="en"><title>Parity</title>
            <style>
              #hot:hover { color: rgb(1, 2, 3) }
              #pad { width: 200px; height: 100px; background: rgb(200, 0, 0) }
              #scroller { height: 60px; overflow: auto }
            </style>
            <h1>Parity</h1>
            <a href="/other">Other page</a>
            <div id="pad" role="img" aria-label="Pad"></div>
            <button id="add">Add one</button> <p role="status" id="count">0 times</p>
            <label>Name <input id="name" value="start "></label>
            <label>Secret <input type="password" value="hunter2"></label>
            <label><input type="checkbox" id="box"> Box</label>
            <div role="checkbox" aria-checked="false" tabindex="0" id="aria">Aria box</div>
            <select id="colours" multiple aria-label="Colours">
              <option value="r">Red</option><option value="g">Green</option>
              <option value="b">Blue</option>
            </select>
            <button disabled>Never</button>
            <button id="hot">Hot</button>
            <div id="scroller" role="region" aria-label="Scroller" tabindex="0">
              <p style="height: 900px">Tall</p>
            </div>
            <input type="file" id="file" aria-label="File" multiple>
            <button id="ask">Ask</button> <button id="pop">Pop</button>
            <button id="gone">Vanishing</button>
            <p style="display: none"><button>Hidden</button></p>
            <p style="margin-top: 2500px"><button id="low">Bottom</button></p>
            <script>
              const seen = { clicks: 0, keys: [], pad: [], files: [], answers: [] };
              const by = (id) => document.getElementById(id);
              by('add').onclick = (event) => {
                if (event.isTrusted) seen.clicks++;
                by('count').textContent = `${seen.clicks} times`;
              };
              by('name').onkeydown = (event) => event.isTrusted && seen.keys.push(event.key);
              by('aria').onclick = () =>
                by('aria').setAttribute('aria-checked', by('aria').ariaChecked !== 'true');
              by('ask').onclick = () => seen.answers.push(confirm('Sure?'));
              by('pop').onclick = () => window.open('/other');
              by('file').onchange = async () => {
                for (const file of by('file').files)
                  seen.files.push(`${file.name} ${file.type} ${await file.text()}`);
              };
              for (const type of ['pointerdown', 'pointerup'])
                by('pad').addEventListener(type, (event) => seen.pad.push(type));
              console.log('hello', { a: 1 });
              fetch('/data').then((answer) => answer.text());
              setTimeout(() => { throw new Error('uncaught') }, 0);
            </script>
            """;

    private ParityPage() {}

    /** Puts the pages into a site and answers the address of the first. */
    static String on(Pages pages) {
        pages.put("/data", "some data");
        pages.put("/other", "<!doctype html><title>Other</title><h1>Other</h1>");
        return pages.put("/parity", HTML);
    }
}

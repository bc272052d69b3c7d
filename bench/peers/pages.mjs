// Three generated pages, served from 127.0.0.1 only. All carry the same two targets near the top:
//   button "Target button"  -> window.__clicks++ and writes the count into #out
//   textbox "Target input"
import http from 'node:http';
const head = (t) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${t}</title>
<style>body{font:14px sans-serif}td,th{border:1px solid #ccc;padding:2px 6px}</style>
<script>window.__clicks=0;function hit(){window.__clicks++;document.getElementById('out').textContent='Clicked '+window.__clicks;}</script></head><body>
<h1>${t}</h1><label>Target input <input id="ti" type="text"></label> <button id="tb" onclick="hit()">Target button</button> <output id="out">Clicked 0</output>\n`;
export function small() {
  let s = head('Small form page') + '<form onsubmit="return false"><fieldset><legend>Account</legend>';
  const f = ['First name', 'Last name', 'Email', 'Phone', 'Company', 'Street', 'City', 'Postcode'];
  for (const x of f) s += `<label>${x} <input type="text" name="${x}"></label><br>`;
  s +=
    '<label>Country <select name="c"><option>Germany</option><option>Japan</option><option>Brazil</option></select></label>';
  s +=
    '<label><input type="checkbox"> Subscribe</label><label><input type="radio" name="p" checked> Monthly</label><label><input type="radio" name="p"> Yearly</label>';
  s +=
    '<label>Notes <textarea></textarea></label><button>Save</button><button type="reset">Reset</button></fieldset></form><p>See <a href="#help">Help</a> and <a href="#terms">Terms</a>.</p>';
  return s + '</body></html>';
}
export function medium() {
  let s =
    head('Medium table page') +
    '<table><thead><tr><th>Id</th><th>Customer</th><th>Status</th><th>Amount</th><th>Link</th><th>Action</th></tr></thead><tbody>';
  const st = ['open', 'paid', 'late', 'void'];
  for (let i = 1; i <= 300; i++)
    s += `<tr><td>${i}</td><td>Customer ${(i * 37) % 1009}</td><td><span>${st[i % 4]}</span></td><td>${(i * 13.37).toFixed(2)} EUR</td><td><a href="#order-${i}">Order ${i}</a></td><td><button onclick="void ${i}">Edit ${i}</button></td></tr>`;
  return s + '</tbody></table></body></html>';
}
export function large() {
  let s = head('Large page');
  for (let i = 1; i <= 400; i++) {
    s += `<section aria-label="Section ${i}"><h2>Section ${i}</h2><p>Paragraph ${i} with <b>bold ${i}</b> and <em>emphasis</em>.</p><ul>`;
    for (let j = 1; j <= 14; j++) s += `<li><a href="#s${i}-${j}">Item ${i}.${j}</a> <span>note ${j}</span></li>`;
    s += `</ul><button onclick="void 0">Open ${i}</button></section>`;
  }
  return s + '</body></html>';
}
const gen = { small: small(), medium: medium(), large: large() };
export async function serve() {
  const srv = http.createServer((q, r) => {
    const p = q.url.split('?')[0].slice(1).replace('.html', '');
    if (!gen[p]) {
      r.writeHead(p === 'favicon.ico' ? 204 : 404);
      return r.end();
    }
    r.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    r.end(gen[p]);
  });
  await new Promise((ok) => srv.listen(0, '127.0.0.1', ok));
  return {
    srv,
    base: `http://127.0.0.1:${srv.address().port}`,
    bytes: Object.fromEntries(Object.entries(gen).map(([k, v]) => [k, v.length])),
  };
}

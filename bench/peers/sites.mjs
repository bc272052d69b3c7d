// Ten small sites on 127.0.0.1, as crowded as real ones, and three tasks on each: what to do, where, and what to have
// read at the end. A stage is what can be done without looking again; its words are what an agent would look for.
import http from 'node:http';

const click = (role, name) => ({ act: 'click', role, name });
const fill = (name, text) => ({ act: 'fill', role: 'textbox', name, text });
const choose = (name, text) => ({ act: 'select', role: 'combobox', name, text });

const range = (count, make) => Array.from({ length: count }, (_, index) => make(index + 1)).join('\n');
const page = (title, body, script = '') => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<style>body{font:14px sans-serif;margin:0}nav a{margin:4px}main{padding:12px}td,th{padding:2px 8px}[hidden]{display:none}</style></head><body>
<header><nav aria-label="Site">${range(24, (n) => `<a href="#area-${n}">Area ${n}</a>`)}</nav></header><main><h1>${title}</h1>
${body}</main><footer>${range(18, (n) => `<a href="#legal-${n}">Legal note ${n}</a>`)}</footer>
<script>const say = (text) => { document.querySelector('#say').textContent = text; }; const $ = (id) => document.getElementById(id); ${script}</script></body></html>`;
const status = '<p role="status" id="say"></p>';
const field = (name, id) => `<label>${name} <input id="${id}" autocomplete="off"></label><br>`;

const pages = {
  shop: page(
    'Tea shop',
    `<label>Search products <input id="q"></label> <button id="go">Search</button> <span id="cart">Cart: 0 items</span>${status}
     <ul>${range(120, (n) => `<li><a href="#p${n}">Teapot ${n}</a> <span>${(n * 7.35).toFixed(2)} EUR</span> <button onclick="add(${n})">Add Teapot ${n} to cart</button></li>`)}</ul>`,
    `let items = 0; window.add = (n) => { $('cart').textContent = 'Cart: ' + ++items + ' items'; };
     $('go').onclick = () => { let found = 0; for (const li of document.querySelectorAll('main li')) { li.hidden = !li.textContent.includes($('q').value); found += li.hidden ? 0 : 1; } say(found + ' products found'); };`,
  ),
  admin: page(
    'Orders',
    `<label>Filter orders <input id="f"></label> <button id="apply">Apply filter</button>${status}<table><tbody>
     ${range(200, (n) => `<tr><td>${1000 + n}</td><td>Customer ${(n * 37) % 509}</td><td>${['open', 'paid', 'late'][n % 3]}</td><td><button onclick="refund(${1000 + n})">Refund ${1000 + n}</button></td><td><button onclick="hold(${1000 + n})">Hold ${1000 + n}</button></td></tr>`)}</tbody></table>
     <dialog id="ask"><p id="about"></p><button id="yes">Confirm refund</button><button onclick="$('ask').close()">Keep order</button></dialog>`,
    `window.hold = (n) => say('Order ' + n + ' is on hold');
     window.refund = (n) => { $('about').textContent = 'Refund order ' + n + '?'; $('ask').showModal(); $('yes').onclick = () => { $('ask').close(); say('Order ' + n + ' refunded'); }; };
     $('apply').onclick = () => { let left = 0; for (const row of document.querySelectorAll('tbody tr')) { row.hidden = !row.textContent.includes($('f').value); left += row.hidden ? 0 : 1; } say(left + ' orders match'); };`,
  ),
  settings: page(
    'Settings',
    `<form onsubmit="return false">${range(18, (n) => field(`Option ${n}`, `o${n}`))}${field('Display name', 'name')}${field('Reply address', 'reply')}
     <label>Time zone <select id="zone"><option>Berlin</option><option>Lisbon</option><option>Tokyo</option></select></label>
     <label><input type="checkbox" id="beta"> Beta features</label><button id="save">Save settings</button></form>${status}`,
    `$('save').onclick = () => say('Saved ' + [$('name').value, $('reply').value, $('zone').value, $('beta').checked ? 'beta' : 'stable'].filter(Boolean).join(', '));`,
  ),
  docs: page(
    'Manual',
    `<label>Find in manual <input id="q"></label> <button id="go">Find</button>${status}${range(60, (n) => `<section aria-label="Chapter ${n}"><h2>Chapter ${n}</h2><p>${'This chapter explains how the part is set up and what to mind. '.repeat(4)}Default port ${8400 + n}.</p><button aria-expanded="false" onclick="more(this, ${n})">Details ${n}</button></section>`)}`,
    `window.more = (button, n) => { button.setAttribute('aria-expanded', 'true'); button.insertAdjacentHTML('afterend', '<p>Retry limit ' + n * 3 + ' attempts</p>'); };
     $('go').onclick = () => say('Best match: Chapter ' + ($('q').value.length + 7));`,
  ),
  mail: page(
    'Inbox',
    `${status}<ul>${range(80, (n) => `<li><button onclick="openMail(${n})">Message ${n} from Person ${(n * 13) % 41}</button> <button onclick="archive(this, ${n})">Archive message ${n}</button></li>`)}</ul><article id="open" hidden><h2 id="subject"></h2><p id="text"></p><label>Your reply <textarea id="reply"></textarea></label><button id="send">Send reply</button></article>`,
    `window.openMail = (n) => { $('open').hidden = false; $('subject').textContent = 'Message ' + n; $('text').textContent = 'The meeting room is number ' + (n + 200); $('send').onclick = () => say('Sent to Person ' + (n * 13) % 41); };
     window.archive = (button, n) => { button.closest('li').remove(); say('Archived message ' + n); };`,
  ),
  calendar: page(
    'Calendar',
    `${status}<table><tbody>${range(5, (w) => `<tr>${range(7, (d) => `<td><button onclick="day(${(w - 1) * 7 + d})">May ${(w - 1) * 7 + d}</button></td>`)}</tr>`)}</tbody></table>
     <form id="event" hidden onsubmit="return false"><h2 id="when"></h2>${field('Event title', 'title')}${field('Event place', 'place')}<button id="add">Add event</button></form>`,
    `window.day = (n) => { $('event').hidden = false; $('when').textContent = 'May ' + n; say('2 events on May ' + n); $('add').onclick = () => say('Added ' + $('title').value + ' at ' + $('place').value + ' on May ' + n); };`,
  ),
  wizard: page(
    'Registration',
    `${status}<form onsubmit="return false"><fieldset id="s1"><legend>Person</legend>${field('First name', 'first')}${field('Last name', 'last')}<button onclick="step(2)">Next step</button></fieldset><fieldset id="s2" hidden><legend>Address</legend>${field('Street', 'street')}${field('City', 'city')}<button onclick="step(3)">To payment</button></fieldset><fieldset id="s3" hidden><legend>Payment</legend><label>Method <select id="how"><option>Invoice</option><option>Transfer</option></select></label><button id="done">Finish registration</button></fieldset></form>`,
    `window.step = (n) => { for (const i of [1, 2, 3]) $('s' + i).hidden = i !== n; say('Step ' + n + ' of 3'); };
     $('done').onclick = () => say('Welcome ' + $('first').value + ' from ' + ($('city').value || 'nowhere') + ', paid by ' + $('how').value);`,
  ),
  board: page(
    'To do',
    `${field('New task', 'text')}<button id="add">Add task</button>${status}<ul id="list">${range(70, (n) => `<li><label><input type="checkbox" onchange="left()"> Task ${n}</label> <button onclick="this.closest('li').remove(); left()">Delete task ${n}</button></li>`)}</ul>`,
    `window.left = () => say(document.querySelectorAll('#list input:not(:checked)').length + ' tasks left');
     $('add').onclick = () => { $('list').insertAdjacentHTML('afterbegin', '<li><label><input type="checkbox" onchange="left()"> ' + $('text').value + '</label></li>'); left(); };`,
  ),
  files: page(
    'Files',
    `${status}<ul role="tree">${range(50, (n) => `<li role="treeitem" aria-expanded="false"><button onclick="unfold(this, ${n})">Folder ${n}</button></li>`)}</ul>`,
    `window.unfold = (button, n) => { button.parentElement.setAttribute('aria-expanded', 'true'); if (!button.nextSibling) button.insertAdjacentHTML('afterend', '<ul role="group">' + [1, 2, 3].map((k) => '<li role="treeitem"><button onclick="say(\\'report-' + n + '-' + k + '.txt has ' + (n * 100 + k) + ' bytes\\')">report-' + n + '-' + k + '.txt</button></li>').join('') + '</ul>'); };`,
  ),
  bank: page(
    'Bank',
    `<form id="in" onsubmit="return false">${field('User', 'user')}${field('Branch', 'branch')}<button id="go">Sign in</button></form><section id="home" hidden><h2>Accounts</h2>${range(30, (n) => `<p>Account ${n}: <b>${n * 1113}.50 EUR</b> <button onclick="say('Statement of account ' + ${n} + ' is ready')">Statement ${n}</button></p>`)}${field('Recipient', 'to')}${field('Amount', 'sum')}<button id="pay">Prepare transfer</button></section>${status}`,
    `$('go').onclick = () => { $('in').hidden = true; $('home').hidden = false; say('Hello ' + $('user').value); }; $('pay').onclick = () => say('Prepared ' + $('sum').value + ' EUR to ' + $('to').value);`,
  ),
};

/** site, stages of actions, words to have read at the end, and what an agent would look for there, if it knows */
export const tasks = [
  ['shop', [[click('button', 'Add Teapot 87 to cart')]], 'Cart: 1 items'],
  ['shop', [[fill('Search products', 'Teapot 11'), click('button', 'Search')]], '11 products found'],
  ['shop', [[click('button', 'Add Teapot 14 to cart'), click('button', 'Add Teapot 64 to cart')]], 'Cart: 2 items'],
  ['admin', [[click('button', 'Hold 1150')]], 'Order 1150 is on hold'],
  ['admin', [[click('button', 'Refund 1042')], [click('button', 'Confirm refund')]], 'Order 1042 refunded'],
  ['admin', [[fill('Filter orders', 'late'), click('button', 'Apply filter')]], '67 orders match'],
  ['settings', [[fill('Display name', 'Ada'), click('button', 'Save settings')]], 'Saved Ada'],
  ['settings', [[fill('Display name', 'Ada'), fill('Reply address', 'ada@mail.test'), click('checkbox', 'Beta features'), click('button', 'Save settings')]], 'Saved Ada, ada@mail.test, Berlin, beta'],
  ['settings', [[choose('Time zone', 'Tokyo'), click('button', 'Save settings')]], 'Tokyo, stable'],
  ['docs', [], 'Default port 8437'],
  ['docs', [[click('button', 'Details 52')]], 'Retry limit 156 attempts'],
  ['docs', [[fill('Find in manual', 'retry'), click('button', 'Find')]], 'Best match: Chapter 12'],
  ['mail', [[click('button', 'Message 33 from Person 19')]], 'The meeting room is number 233'],
  ['mail', [[click('button', 'Message 7 from Person 9')], [fill('Your reply', 'Gladly'), click('button', 'Send reply')]], 'Sent to Person 9'],
  ['mail', [[click('button', 'Archive message 61')]], 'Archived message 61'],
  ['calendar', [[click('button', 'May 12')]], '2 events on May 12'],
  ['calendar', [[click('button', 'May 20')], [fill('Event title', 'Lunch'), fill('Event place', 'Roof'), click('button', 'Add event')]], 'Added Lunch at Roof on May 20'],
  ['calendar', [[click('button', 'May 31')], [fill('Event title', 'Review'), click('button', 'Add event')]], 'Added Review at'],
  ['wizard', [[fill('First name', 'Ada'), fill('Last name', 'Byron'), click('button', 'Next step')]], 'Step 2 of 3'],
  ['wizard', [[fill('First name', 'Ada'), click('button', 'Next step')], [fill('City', 'Bonn'), click('button', 'To payment')], [click('button', 'Finish registration')]], 'Welcome Ada from Bonn, paid by Invoice'],
  ['wizard', [[click('button', 'Next step')], [click('button', 'To payment')], [choose('Method', 'Transfer'), click('button', 'Finish registration')]], 'paid by Transfer'],
  ['board', [[fill('New task', 'Water plants'), click('button', 'Add task')]], '71 tasks left'],
  ['board', [[click('checkbox', 'Task 44')]], '69 tasks left'],
  ['board', [[click('button', 'Delete task 9'), click('button', 'Delete task 31')]], '68 tasks left'],
  ['files', [[click('button', 'Folder 18')], [click('button', 'report-18-2.txt')]], 'report-18-2.txt has 1802 bytes'],
  ['files', [[click('button', 'Folder 50')], [click('button', 'report-50-3.txt')]], 'has 5003 bytes'],
  ['files', [[click('button', 'Folder 1')]], 'report-1-3.txt'],
  ['bank', [[fill('User', 'ada'), fill('Branch', 'Bonn'), click('button', 'Sign in')]], 'Account 30', ['Account 30']],
  ['bank', [[fill('User', 'ada'), click('button', 'Sign in')], [click('button', 'Statement 21')]], 'Statement of account 21 is ready'],
  ['bank', [[fill('User', 'ada'), click('button', 'Sign in')], [fill('Recipient', 'Bob'), fill('Amount', '12'), click('button', 'Prepare transfer')]], 'Prepared 12 EUR to Bob'],
].map(([site, stages, answer, seek]) => ({ site, stages, answer, seek }));

export async function serveSites() {
  const server = http.createServer((request, response) => {
    const found = pages[new URL(request.url, 'http://127.0.0.1').pathname.slice(1)];
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(found ?? '');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { server, base: `http://127.0.0.1:${server.address().port}` };
}

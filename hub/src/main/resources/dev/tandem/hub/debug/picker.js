// Shows which domains have cookies in this browser, and removes those the person chooses.

const words = document.body.dataset;
const said = /** @type {HTMLElement} */ (document.getElementById('said'));
const list = /** @type {HTMLElement} */ (document.getElementById('domains'));
const search = /** @type {HTMLInputElement} */ (document.getElementById('search'));

const KEY = 'tandem:picker';
if (location.hash.length > 1) {
  sessionStorage.setItem(KEY, location.hash.slice(1));
  history.replaceState(null, '', location.pathname);
}

/** @type {{ domain: string, count: number }[]} */
let domains = [];
/** @type {string} the domain whose removal is being asked about */
let asking = '';
/** @type {Map<string, any[]>} cookies of unfolded domains */
const unfolded = new Map();

/** @param {string} key @param {Record<string, string | number>} [values] */
const t = (key, values = {}) => (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
const counted = (/** @type {number} */ n) => (n === 1 ? t('one') : t('count', { n }));

/** @param {string} path @param {object} [body] */
async function ask(path, body) {
  const response = await fetch(`/cookie-picker/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ''}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (response.ok) return response.json();
  throw new Error(response.status === 401 || response.status === 403 ? t('over') : response.status === 503 ? t('away') : (await response.json().catch(() => ({}))).error ?? t('away'));
}

/** @param {string} tag @param {Record<string, any>} [about] @param {(Node | string)[]} [inside] */
function make(tag, about = {}, inside = []) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(about)) {
    if (name === 'onclick') el.addEventListener('click', (event) => event.isTrusted && value());
    else el.setAttribute(name, value);
  }
  el.append(...inside);
  return el;
}

async function load() {
  try {
    ({ domains } = await ask('domains'));
    tell('');
  } catch (error) {
    domains = [];
    said.textContent = error instanceof Error ? error.message : String(error);
  }
  draw();
}

/** @param {string} text */
function tell(text) {
  const cookies = domains.reduce((sum, { count }) => sum + count, 0);
  const places = domains.length === 1 ? t('domain') : t('domains', { n: domains.length });
  said.textContent = text || (domains.length ? t('total', { cookies: counted(cookies), domains: places }) : t('empty'));
}

/** @param {string} domain */
async function fold(domain) {
  if (unfolded.has(domain)) unfolded.delete(domain);
  else unfolded.set(domain, (await ask(`cookies?domain=${encodeURIComponent(domain)}`).catch(() => ({ cookies: [] }))).cookies);
  draw();
}

/** @param {string} domain */
async function remove(domain) {
  asking = '';
  try {
    const { removed, failed } = await ask('remove', { domains: [domain] });
    unfolded.delete(domain);
    await load();
    tell(failed ? t('failed', { n: failed }) : t('removed', { n: removed, domain }));
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error));
  }
  draw();
  search.focus();
}

/** @param {any} cookie */
function about({ name, path, expires, httpOnly, secure, sameSite }) {
  const life = expires === null ? t('session') : t('until', { date: new Date(expires).toLocaleDateString(document.documentElement.lang) });
  const facts = [path, life, httpOnly && 'HttpOnly', secure && 'Secure', sameSite && `SameSite=${sameSite}`, t('hidden')].filter(Boolean);
  return make('li', {}, [make('code', {}, [name]), make('span', { class: 'quiet' }, [facts.join(' · ')])]);
}

/** @param {{ domain: string, count: number }} row */
function row({ domain, count }) {
  const shown = unfolded.get(domain);
  const asked = asking === domain;
  const buttons = asked
    ? [
        make('button', { type: 'button', class: 'danger', 'data-role': 'yes', onclick: () => void remove(domain) }, [t('yes')]),
        make('button', { type: 'button', class: 'plain', onclick: () => choose('') }, [t('no')]),
      ]
    : [
        make('span', { class: 'quiet' }, [counted(count)]),
        make('button', { type: 'button', class: 'plain', 'aria-expanded': String(Boolean(shown)), 'aria-label': `${t(shown ? 'hide' : 'show')}: ${domain}`, onclick: () => void fold(domain) }, [t(shown ? 'hide' : 'show')]),
        make('button', { type: 'button', class: 'danger', 'aria-label': `${t('remove')}: ${domain}`, 'data-role': 'remove', onclick: () => choose(domain) }, [t('remove')]),
      ];
  return make('li', { 'data-domain': domain }, [make('div', { class: 'row' }, [make('b', {}, [asked ? t('ask', { n: counted(count), domain }) : domain]), make('span', { class: 'side' }, buttons)]), ...(shown ? [make('ul', { class: 'cookies' }, shown.map(about))] : [])]);
}

/** @param {string} domain */
function choose(domain) {
  const before = asking;
  const rowOf = (/** @type {string} */ of) => /** @type {HTMLElement | null} */ (list.querySelector(`[data-domain="${CSS.escape(of)}"] .row`));
  const height = rowOf(domain)?.offsetHeight;
  asking = domain;
  draw();
  // The question stands where the name stood, in a row of the same height: nothing below it moves.
  const asked = rowOf(domain);
  if (asked) asked.style.minHeight = `${height}px`;
  const at = domain ? `[data-domain="${CSS.escape(domain)}"] .plain` : `[data-domain="${CSS.escape(before)}"] [data-role=remove]`;
  /** @type {HTMLElement | null} */ (list.querySelector(at))?.focus();
}

function draw() {
  const wanted = search.value.trim().toLowerCase();
  const shown = domains.filter(({ domain }) => domain.includes(wanted));
  list.replaceChildren(...shown.map(row));
  if (domains.length && !shown.length) list.append(make('li', { class: 'quiet' }, [t('none')]));
}

search.addEventListener('input', draw);
addEventListener('resize', () => list.querySelectorAll('.row').forEach((row) => /** @type {HTMLElement} */ (row).style.removeProperty('min-height')));
document.getElementById('refresh')?.addEventListener('click', () => void load());
document.addEventListener('keydown', (event) => event.key === 'Escape' && asking && choose(''));
await load();

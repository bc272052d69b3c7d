import { html } from '../../ui/lit.js';
import '../../ui/components/button.js';
import '../../ui/components/command.js';
import { refusedWords } from './refused-words.js';

const INSTALL = 'npm install -g @anthropic-ai/claude-code';
/** After how long the waiting is explained, longest first. @type {[number, string][]} */
const PATIENCE = [
  [300_000, 'check'],
  [60_000, 'slow'],
  [15_000, 'hub'],
];

/** When the text of a waiting terminal changes next, in ms from its beginning. @param {number} waited */
export const nextPatience = (waited) => PATIENCE.map(([after]) => after).findLast((after) => after > waited);

const SIGN_IN = 'sign-in:';

/** The name under which the hub starts an agent's own sign-in. @param {string} agentId @param {string} methodId */
export const signInProfile = (agentId, methodId) => SIGN_IN + JSON.stringify([agentId, methodId]);

/** @param {string} profile @param {import('../../ui/i18n.js').Translate} t */
export function programName(profile, t) {
  if (profile.startsWith(SIGN_IN)) return t('terminal.signIn', { agent: JSON.parse(profile.slice(SIGN_IN.length))[0] });
  return profile === 'shell' ? t('terminal.shell') : profile === 'claude' ? 'Claude Code' : profile;
}

/**
 * @typedef {object} NoticeState
 * @property {import('../../ui/i18n.js').Translate} t
 * @property {string} profile
 * @property {import('../../sidepanel-terminal.js').TerminalStatus} status
 * @property {number} now
 * @property {(action: NoticeAction) => void} act
 * @typedef {'restart' | 'open' | 'shell' | 'watch' | 'take'} NoticeAction
 */

/** What stands over the screen of a terminal that is not live. @param {NoticeState} state */
export function notice(state) {
  switch (state.status.state) {
    case 'idle':
    case 'connecting':
      if (state.status.problem === 'off') return off(state);
      return state.status.problem === 'login' ? stale(state) : starting(state);
    case 'reconnecting':
      return html`<p class="banner" role="status">${state.t('terminal.reconnecting')}</p>`;
    case 'no-claude':
      return missing(state);
    case 'ended':
      return state.status.problem === 'taken' ? taken(state) : ended(state);
    default:
      return state.status.watching ? watching(state) : '';
  }
}

/** @param {NoticeState} state */
function starting({ t, profile, status, now }) {
  const reason = PATIENCE.find(([after]) => now - status.since >= after)?.[1];
  return html`<section class="card" role="status">
    <p>${t('terminal.starting', { program: programName(profile, t) })}</p>
    ${reason ? html`<p class="quiet">${t(`terminal.wait.${reason}`)}</p>` : ''}
    ${reason === 'check' ? html`<td-command text="./tandem doctor" label=${t('copy')}></td-command>` : ''}
  </section>`;
}

/** @param {NoticeState} state */
function stale({ t, act }) {
  return html`<section class="card" role="alert">
    <h2>${t('terminal.stale')}</h2>
    <p>${t('terminal.staleText')}</p>
    <td-button kind="primary" @click=${() => act('open')}>${t('terminal.again')}</td-button>
  </section>`;
}

/** What runs terminals was given up by the hub. @param {NoticeState} state */
function off({ t, act }) {
  return html`<section class="card" role="alert">
    <h2>${t('terminal.off')}</h2>
    <p>${t('terminal.offText')}</p>
    <td-button kind="primary" icon="retry" @click=${() => act('restart')}>${t('terminal.offAgain')}</td-button>
  </section>`;
}

/** @param {NoticeState} state */
function missing({ t, status, act }) {
  const url = status.installUrl ?? 'https://docs.anthropic.com/en/docs/claude-code';
  return html`<section class="card" role="alert">
    <h2>${t('terminal.missing')}</h2>
    <p>${t('terminal.missingText')}</p>
    <td-command text=${INSTALL} label=${t('copy')}></td-command>
    <p><a href=${url} target="_blank" rel="noreferrer">${url}</a></p>
    <div class="row">
      <td-button kind="primary" icon="retry" @click=${() => act('open')}>${t('terminal.again')}</td-button>
      <td-button icon="terminal" @click=${() => act('shell')}>${t('terminal.openShell')}</td-button>
    </div>
  </section>`;
}

/** @param {NoticeState} state */
function taken({ t, act }) {
  return html`<section class="foot" role="status">
    <p>${t('terminal.taken')}</p>
    <div class="row">
      <td-button kind="primary" @click=${() => act('take')}>${t('terminal.takeBack')}</td-button>
      <td-button class="watch" @click=${() => act('watch')}>${t('terminal.watch')}</td-button>
    </div>
  </section>`;
}

/** @param {NoticeState} state */
function watching({ t, act }) {
  return html`<section class="foot watching" role="status">
    <p>${t('terminal.watching')}</p>
    <td-button @click=${() => act('take')}>${t('terminal.takeBack')}</td-button>
  </section>`;
}

/** @param {NoticeState} state */
function ended({ t, profile, status, act }) {
  const { exit, problem } = status;
  const message = problem === 'off' ? t('terminal.offText') : refusedWords(status, programName(profile, t), t);
  const how = exit && (exit.signal === null ? t('terminal.exitCode', { code: exit.code ?? 0 }) : t('terminal.exitSignal', { signal: exit.signal }));
  return html`<button type="button" class="foot again" @click=${() => act('restart')}>
    <strong>${t('terminal.ended')}</strong>
    ${message ? html`<span>${message}</span>` : ''}${how ? html`<span class="quiet">${how}</span>` : ''}
  </button>`;
}

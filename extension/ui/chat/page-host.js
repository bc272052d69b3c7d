const DRAFT = 'tandem:draft:';

/** Drafts outlive the page; what was sent is kept nowhere here. */
export const drafts = {
  /** @param {string} sessionId */
  get: (sessionId) => localStorage.getItem(DRAFT + sessionId) ?? '',
  /** @param {string} sessionId @param {string} text */
  set(sessionId, text) {
    if (text) localStorage.setItem(DRAFT + sessionId, text);
    else localStorage.removeItem(DRAFT + sessionId);
  },
};

/** Offers a file to the person. @param {string} name @param {string} text */
export function save(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * What any page can do for the chat; a surface adds or replaces what it does better.
 *
 * @param {Partial<import('./context.js').ChatHost> & Pick<import('./context.js').ChatHost, 'toast'>} own
 * @returns {import('./context.js').ChatHost}
 */
export const pageHost = (own) => ({
  drafts,
  save,
  openLink: (url) => void window.open(url, '_blank', 'noopener,noreferrer'),
  ...own,
});

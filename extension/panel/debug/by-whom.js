/** What the hub calls the person's own commands. */
const PERSON = 'you';

/** Who did it, in the person's language where it was the person. @param {string} client @param {import('../../ui/i18n.js').Translate} t */
export const byWhom = (client, t) => (client === PERSON ? t('debug.you') : client);

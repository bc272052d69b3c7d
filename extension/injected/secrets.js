// Fields whose content is never told: passwords, one-time codes, cards.

/* global tandemPage */
tandemPage.part('secrets', () => {
  const MASK = '••••';
  const AUTOCOMPLETE = /(?:^|\s)(?:current-password|new-password|one-time-code|cc-(?:name|given-name|additional-name|family-name|number|exp|exp-month|exp-year|csc|type))(?:\s|$)/;
  const NAMED = /(?:^|[-_\s.[])(?:passwd|password|passcode|otp|totp|one[-_]?time[-_]?code|mfa[-_]?code|card[-_]?number|cardnumber|cc[-_]?number|ccnum|cvv2?|cvc2?|csc|security[-_]?code)(?:$|[-_\s.\]])/i;
  const CARD = /(?:^|\s)cc-(?:number|csc)(?:\s|$)/;
  const CARD_NAMED = /(?:^|[-_\s.[])(?:card[-_]?number|cardnumber|cc[-_]?number|ccnum|cvv2?|cvc2?|csc)(?:$|[-_\s.\]])/i;
  /** Elements that were password fields once: a "show password" button changes the type, not the secret. */
  const wasSecret = new WeakSet();

  const secrets = {
    MASK,

    /** @param {Element} el */
    is(el) {
      const tag = el.localName;
      if (tag !== 'input' && tag !== 'textarea' && !el.hasAttribute('contenteditable')) return false;
      if (wasSecret.has(el)) return true;
      const type = /** @type {HTMLInputElement} */ (el).type;
      const secret = type === 'password' ||
        AUTOCOMPLETE.test((el.getAttribute('autocomplete') ?? '').toLowerCase()) ||
        (tag === 'input' && !['checkbox', 'radio', 'submit', 'button', 'reset', 'image'].includes(type) &&
          (NAMED.test(el.getAttribute('name') ?? '') || NAMED.test(el.id)));
      if (secret) wasSecret.add(el);
      return secret;
    },

    /** Whether a field takes the number of a card or its code: whatever sends it pays. @param {Element} el */
    isCard: (el) =>
      el.localName === 'input' &&
      (CARD.test((el.getAttribute('autocomplete') ?? '').toLowerCase()) || CARD_NAMED.test(el.getAttribute('name') ?? '') || CARD_NAMED.test(el.id)),
  };
  tandemPage.secrets = secrets;
});

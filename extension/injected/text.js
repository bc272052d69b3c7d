// Strings from pages: cleaned of what a reader cannot see, squashed, quoted.

/* global tandemPage */
tandemPage.part('text', () => {
  // Controls, soft hyphen, zero-width, bidi, tag characters and supplementary variation selectors.
  const UNSEEN =
    /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0f]{2,}/gu;
  // Joiners carry meaning inside emoji and in scripts that join; elsewhere they only hide.
  const STRAY_JOINER = /(?<![\p{L}\p{M}\p{Extended_Pictographic}\ufe0f\u{1f3fb}-\u{1f3ff}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}\p{Extended_Pictographic}])|(?<=[\u0000-\u024f])[\u200c\u200d]/gu;
  const SUSPECT =
    /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\udb40]/;
  const WORDS = /[\p{L}\p{M}]{2,}|\p{N}+/gu;
  const SPACES = /[\s\u00a0]+/g;
  const NEEDS_SQUASH = /[\t\n\v\f\r\u00a0]| {2}|^ | $/;

  const text = {
    /** @param {string} value */
    clean(value) {
      if (!SUSPECT.test(value)) return value;
      return value.replace(UNSEEN, '').replace(STRAY_JOINER, '');
    },

    /** Cleaned, white space runs to one space, trimmed. @param {string} value */
    squash(value) {
      const cleaned = SUSPECT.test(value) ? text.clean(value) : value;
      return NEEDS_SQUASH.test(cleaned) ? cleaned.replace(SPACES, ' ').trim() : cleaned;
    },

    /** @param {string} value */
    quote(value) {
      return value.includes('"') || value.includes('\\') ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
    },

    /** Whether it has a word or a number that is not in the name; signs and single letters are icons. @param {string} value @param {string} name */
    adds(value, name) {
      const known = name.toLowerCase();
      return (value.toLowerCase().match(WORDS) ?? []).some((word) => !known.includes(word));
    },

    /** @param {string} quoted */
    unquote(quoted) {
      return quoted.slice(1, -1).replace(/\\(.)/g, '$1');
    },

    /** @param {string} value @param {number} max */
    cut(value, max) {
      if (value.length <= max) return value;
      const end = /[\ud800-\udbff]/.test(value[max - 2]) ? max - 2 : max - 1;
      return value.slice(0, end) + '…';
    },
  };
  tandemPage.text = text;
});

// What has no role but can be acted on all the same: by its looks, its handlers, or as the label that stands for a box.

/* global tandemPage */
tandemPage.part('acting', () => {
  const { visibility, labels } = tandemPage;

  tandemPage.acting = {
    /** 'textbox', 'generic', or '' for what only shows something. @param {Element} el @param {boolean} edited inside an editor @param {boolean} pressed inside what is pressed as a whole */
    role(el, edited, pressed) {
      const html = /** @type {HTMLElement} */ (el);
      if (edited) return '';
      if (html.isContentEditable) return 'textbox';
      if (el.hasAttribute('tabindex') && html.tabIndex >= 0) return 'generic';
      if (pressed) return '';
      if (el.localName === 'label') {
        if (labels.stoodFor(el)) return 'generic';
        const control = /** @type {HTMLLabelElement} */ (el).control;
        if (control && visibility.of(control) !== visibility.GONE) return '';
      }
      if (el.hasAttribute('onclick')) return 'generic';
      if (!el.hasAttribute('class') && !el.hasAttribute('style')) return '';
      if (getComputedStyle(el).cursor !== 'pointer') return '';
      const parent = visibility.parent(el);
      return parent && getComputedStyle(parent).cursor === 'pointer' ? '' : 'generic';
    },
  };
});

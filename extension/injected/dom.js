// A form's controls can take the names of the form's own properties: <input name="parentNode">.
// Where an element may be a form, it is read through the prototypes' getters, which no page can replace here.

/* global tandemPage */
tandemPage.part('dom', () => {
  /** @param {object} prototype @param {string} name @returns {(this: any) => any} */
  const getter = (prototype, name) => /** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, name)?.get);
  const parentNode = getter(Node.prototype, 'parentNode');
  const firstChild = getter(Node.prototype, 'firstChild');
  const nextSibling = getter(Node.prototype, 'nextSibling');
  const childNodes = getter(Node.prototype, 'childNodes');
  const isConnected = getter(Node.prototype, 'isConnected');
  const assignedSlot = getter(Element.prototype, 'assignedSlot');
  const localName = getter(Element.prototype, 'localName');
  const { getAttribute, closest, checkVisibility } = Element.prototype;

  /** One element is asked for its tag many times in a row, and each answer of the browser costs. @type {Node|null} */
  let last = null;
  let lastTag = '';

  /** @param {Node} node @returns {string} lower case; '' for what is no element */
  function tag(node) {
    if (node === last) return lastTag;
    last = node;
    const name = /** @type {any} */ (node).localName;
    // Only a form can have a control there instead.
    lastTag = typeof name === 'string' ? name : name ? localName.call(node) : '';
    return lastTag;
  }

  tandemPage.dom = {
    /** @param {Node} el */
    isForm: (el) => tag(el) === 'form' && el instanceof HTMLFormElement,
    tag,

    /** Elements are not held for longer than a call. */
    reset() {
      last = null;
    },

    /** @param {Node} node @returns {Node|null} */
    parentNode: (node) => parentNode.call(node),
    /** @param {Node} node @returns {Node|null} */
    firstChild: (node) => firstChild.call(node),
    /** @param {Node} node @returns {Node|null} */
    nextSibling: (node) => nextSibling.call(node),
    /** @param {Node} node @returns {NodeListOf<ChildNode>} */
    childNodes: (node) => childNodes.call(node),
    /** @param {Node} node @returns {boolean} */
    isConnected: (node) => isConnected.call(node),
    /** @param {Element} el @returns {HTMLSlotElement|null} */
    assignedSlot: (el) => assignedSlot.call(el),
    /** @param {Element} el @param {string} name @returns {string|null} */
    attribute: (el, name) => getAttribute.call(el, name),
    /** @param {Element} el @param {string} selector @returns {Element|null} */
    closest: (el, selector) => closest.call(el, selector),
    /** @param {Element} el @param {object} options @returns {boolean} */
    isDrawn: (el, options) => checkVisibility.call(el, options),
  };
});

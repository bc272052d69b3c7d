// The links of a picture (image map): nothing draws them but the picture, whose parts they are.

/* global tandemPage */
tandemPage.part('areas', () => {
  const MAX_AREAS = 200;

  /** @param {Element} map */
  const nameOf = (map) => map.getAttribute('name') || map.id;

  /** @param {Element} el @returns {Document} */
  const rootOf = (el) => /** @type {Document} */ (el.getRootNode());

  /** @param {Element} img @returns {string} '' without a map */
  const mapOf = (img) => /^#(.+)$/.exec(img.getAttribute('usemap') ?? '')?.[1] ?? '';

  /** The inside of a picture's box. @param {HTMLElement} img */
  function content(img) {
    const rect = img.getBoundingClientRect();
    const style = getComputedStyle(img);
    const scale = img.offsetWidth ? rect.width / img.offsetWidth : 1;
    return { x: rect.x + (img.clientLeft + parseFloat(style.paddingLeft)) * scale, y: rect.y + (img.clientTop + parseFloat(style.paddingTop)) * scale, scale, rect };
  }

  /** @param {Element} area @returns {{left: number, top: number, right: number, bottom: number}|null} around it, in pixels of its picture; null: all of that */
  function extent(area) {
    const shape = (area.getAttribute('shape') ?? 'rect').toLowerCase();
    const numbers = (area.getAttribute('coords') ?? '').split(/[\s,;]+/).map(parseFloat).filter(Number.isFinite);
    if (shape === 'default' || numbers.length < 3) return null;
    if (shape.startsWith('circ')) {
      const [x, y, r] = numbers;
      return { left: x - r, top: y - r, right: x + r, bottom: y + r };
    }
    const [xs, ys] = [0, 1].map((odd) => numbers.filter((_, at) => at % 2 === odd));
    return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
  }

  const areas = {
    /** @param {Element} img @returns {Element[]} its links */
    of(img) {
      const name = mapOf(img);
      const map = name && [...rootOf(img).querySelectorAll('map')].find((one) => nameOf(one) === name);
      const links = map ? [...map.querySelectorAll('area[href]')] : [];
      return links.length > 0 && areas.imageOf(links[0]) === img ? links.slice(0, MAX_AREAS) : [];
    },

    /** The first picture that is drawn with it; one that did not load shows its words alone. @param {Element} area @returns {HTMLElement|null} */
    imageOf(area) {
      const map = area.closest('map');
      const name = map && nameOf(map);
      if (!name) return null;
      /** @type {HTMLImageElement[]} */
      const pictures = [...rootOf(area).querySelectorAll(/** @type {'img'} */ ('img[usemap]'))];
      return pictures.find((img) => mapOf(img) === name && img.naturalWidth > 0 && img.checkVisibility({ visibilityProperty: true })) ?? null;
    },

    /** @param {Element} area @returns {DOMRect[]} */
    rects(area) {
      const img = areas.imageOf(area);
      if (!img) return [];
      const { x, y, scale, rect } = content(img);
      const around = extent(area);
      return [around ? new DOMRect(x + around.left * scale, y + around.top * scale, (around.right - around.left) * scale, (around.bottom - around.top) * scale) : rect];
    },
  };
  tandemPage.areas = areas;
});

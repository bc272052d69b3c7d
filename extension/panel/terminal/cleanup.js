import { oneLine } from './paste.js';

/** What an agent is asked to do with the page in front. */
export const CLEANUP = oneLine(`Clean up the page in my active tab with the tandem browser tools: hide ads, cookie and consent
  banners, pop-ups, login walls, autoplaying video, and floating chat or share widgets. Keep the header, the headline,
  the text, its images, the byline and the date. Let the page scroll again if something locked it.`);

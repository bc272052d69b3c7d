import './views/chat.js';
import './views/sessions.js';
import './views/terminal.js';
import './views/timeline.js';

/** The views in the order of their tabs: `name` is a key under panel.view and an icon, `element` a PanelView. */
export const views = [
  { name: 'sessions', element: 'td-view-sessions' },
  { name: 'chat', element: 'td-view-chat' },
  { name: 'terminal', element: 'td-view-terminal' },
  { name: 'timeline', element: 'td-view-timeline' },
];

/** Where a paired panel begins. */
export const FIRST_VIEW = 'chat';

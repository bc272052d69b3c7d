import './panel/panel.js';

import './popup/popup.js';

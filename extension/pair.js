import './pair/pair.js';

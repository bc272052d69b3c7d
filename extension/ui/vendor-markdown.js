// Everything of marked and DOMPurify that Tandem uses; vendor-markdown.d.ts gives it the packages' own types.
export { default as DOMPurify } from '../vendor/dompurify/purify.es.mjs';
export { Marked } from '../vendor/marked/marked.esm.js';

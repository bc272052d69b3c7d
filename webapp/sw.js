// Keeps the app's own files, so that it opens without a hub. Nothing else is ever stored: no answer of the
// hub, no address with a query, nothing that is not in the list which the hub makes of its files.
/** @type {any} */ (self).importScripts('assets.js');

const { version, files } = /** @type {any} */ (self).tandemAssets;
const NAME = `tandem-app-${version}`;
const BASE = new URL('./', self.location.href).pathname;
const paths = new Set(files.map((/** @type {string} */ file) => BASE + file));
const worker = /** @type {any} */ (self);

worker.addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll([...paths].map((path) => new Request(path, { cache: 'reload' })))));
});

worker.addEventListener('activate', (/** @type {any} */ event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith('tandem-app-') && name !== NAME).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => worker.clients.claim()));
});

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin || url.search) return;
  const path = url.pathname === BASE ? `${BASE}index.html` : url.pathname;
  if (!paths.has(path)) return;
  event.respondWith(caches.open(NAME).then(async (cache) => (await cache.match(path)) ?? fetch(request)));
});

worker.addEventListener('message', (/** @type {any} */ event) => {
  if (event.data === 'switch') void worker.skipWaiting();
});

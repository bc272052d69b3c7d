// The fixture pages, with answers that are slow, missing, redirected or never come.
import { readFile } from 'node:fs/promises';
import http from 'node:http';

const FIXTURES = new URL('../fixtures/', import.meta.url);

export class Site {
  static async start() {
    const site = new Site();
    await new Promise((resolve) => site.server.listen(0, '127.0.0.1', () => resolve(undefined)));
    const { port } = /** @type {import('node:net').AddressInfo} */ (site.server.address());
    site.base = `http://127.0.0.1:${port}`;
    site.other = `http://other.test:${port}`;
    site.closed = `http://127.0.0.1:${await closedPort()}`;
    return site;
  }

  constructor() {
    this.base = '';
    this.other = '';
    this.closed = '';
    /** @type {Map<string, string>} */
    this.pages = new Map();
    /** @type {Map<string, number>} of pages that are not answered with 200 */
    this.statuses = new Map();
    /** @type {Set<string>} pages that the browser may keep for the way back */
    this.kept = new Set();
    /** @type {string[]} */
    this.requests = [];
    /** @type {Map<string, () => void>} answers that wait until the test lets them go, by their path and query */
    this.held = new Map();
    this.server = http.createServer((request, response) => void this.answer(request, response));
  }

  /**
   * @param {string} path
   * @param {string} html
   * @param {number} [status]
   */
  add(path, html, status = 200) {
    this.pages.set(path, html);
    this.statuses.set(path, status);
    return this.base + path;
  }

  /** Lets an answer go that is asked for. @param {string} path */
  release(path) {
    this.held.get(path)?.();
    this.held.delete(path);
  }

  /**
   * @param {http.IncomingMessage} request
   * @param {http.ServerResponse} response
   */
  async answer(request, response) {
    const url = new URL(request.url ?? '/', this.base);
    this.requests.push(url.pathname + url.search);
    const html = (/** @type {string} */ body, status = 200) => {
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': this.kept.has(url.pathname) ? 'no-cache' : 'no-store' });
      response.end(body.replaceAll('{{other}}', this.other).replaceAll('{{closed}}', this.closed));
    };
    if (url.pathname === '/redirect') {
      response.writeHead(302, { location: url.searchParams.get('to') ?? '/two' });
      return response.end();
    }
    if (url.pathname === '/slow') {
      const timer = setTimeout(() => html('<title>Slow</title><h1>Slow</h1>'), Number(url.searchParams.get('ms')));
      return response.on('close', () => clearTimeout(timer));
    }
    if (url.pathname === '/held') return this.held.set(url.pathname + url.search, () => html('<title>Held</title>'));
    if (url.pathname === '/never') return undefined;
    if (url.pathname === '/locked') {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="Staff"' });
      return response.end();
    }
    if (url.pathname === '/attachment') {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': `attachment; filename="${url.searchParams.get('name') ?? 'data.bin'}"` });
      return response.end('data');
    }
    if (url.pathname === '/two') return html('<title>Two</title><h1>Second</h1><button>Second button</button>');
    if (url.pathname === '/submitted') return html(`<title>Submitted</title><h1>Got ${url.search.length > 1 ? 'it' : 'nothing'}</h1>`);
    if (url.pathname.endsWith('.json') && url.pathname !== '/missing.json') {
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end('{"ok":true}');
    }
    if (url.pathname.endsWith('.pdf')) {
      response.writeHead(200, { 'content-type': 'application/pdf' });
      return response.end(PDF);
    }
    const own = this.pages.get(url.pathname);
    const file = /^\/[\w-]+\.html$/.test(url.pathname) ? await readFile(new URL(url.pathname.slice(1), FIXTURES), 'utf8').catch(() => undefined) : undefined;
    const body = own ?? file;
    return body === undefined ? html('<title>Missing</title><h1>Not here</h1>', 404) : html(body, this.statuses.get(url.pathname));
  }

  async close() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** One empty page. */
const PDF = '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/MediaBox[0 0 99 99]/Parent 2 0 R>>endobj trailer<</Root 1 0 R>>';

async function closedPort() {
  const server = http.createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

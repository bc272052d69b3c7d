// An OpenAI-compatible model that does one thing: it presses the button of the page the user looks at, and says so.
import { createServer } from 'node:http';

/** @param {any[]} messages @returns {{ tool: string, input: object } | { text: string }} */
function next(messages) {
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
  const last = results.at(-1) ?? '';
  switch (results.length) {
    case 0:
      return { tool: 'browser_tabs', input: {} };
    case 1: {
      const before = last.slice(0, Math.max(0, last.indexOf('/shop')));
      const tab = [...before.matchAll(/\bid"?:\s*(\d+)/g)].at(-1);
      return tab ? { tool: 'launch', input: { tabId: Number(tab[1]) } } : { text: `I see no shop: ${last}` };
    }
    case 2:
      return { tool: 'snapshot', input: { ...session(last) } };
    case 3: {
      const button = /\[(\w+)\] button "Buy"/.exec(last);
      return button ? { tool: 'click', input: { ...session(results[1]), ref: button[1] } } : { text: `I see no button: ${last}` };
    }
    default:
      return { text: /error|denied|refused/i.test(last) ? `It did not work: ${last}` : 'I pressed **Buy** for you.' };
  }
}

/** @param {string} text */
function session(text) {
  const id = /\bsessionId"?:\s*"?([\w-]+)/.exec(text)?.[1];
  return id ? { sessionId: id } : {};
}

export class ChatModelServer {
  /** @type {any[]} */
  asked = [];

  async start() {
    this.server = createServer((request, response) => {
      let body = '';
      request.on('data', (data) => (body += data)).on('end', () => {
        const { messages } = JSON.parse(body);
        this.asked.push(messages);
        const step = next(messages);
        const delta = 'text' in step
          ? { content: step.text }
          : { tool_calls: [{ index: 0, id: `call-${this.asked.length}`, type: 'function', function: { name: step.tool, arguments: JSON.stringify(step.input) } }] };
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const finish = 'text' in step ? 'stop' : 'tool_calls';
        for (const choice of [{ delta }, { delta: {}, finish_reason: finish }]) response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
        response.end('data: [DONE]\n\n');
      });
    });
    await new Promise((resolve) => this.server?.listen(0, '127.0.0.1', () => resolve(undefined)));
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.server.address());
    this.url = `http://127.0.0.1:${port}/v1`;
    return this;
  }

  stop() {
    this.server?.closeAllConnections();
    this.server?.close();
  }
}

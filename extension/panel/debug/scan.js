/**
 * @typedef {{ allow: boolean, verdict: 'PASS' | 'WARN' | 'BLOCK', reasons: string[], l4: object }} ScanAnswer
 */

/**
 * Asks the hub what it thinks of text from a page. BLOCK is dropped; everything else still needs the person's yes.
 *
 * @param {import('../terminal/hub.js').HubCall} hub
 * @returns {(text: string, origin: string) => Promise<ScanAnswer>}
 */
export function scanner(hub) {
  return async (text, origin) => {
    if (!text.trim()) return { allow: false, verdict: 'BLOCK', reasons: ['empty-text'], l4: {} };
    const { status, body } = await hub('POST', '/pty-inject-scan', { text, origin });
    if (status === 200) return { allow: body.verdict !== 'BLOCK', verdict: body.verdict, reasons: body.reasons ?? [], l4: body.l4 ?? {} };
    if (status === 413) return { allow: false, verdict: 'BLOCK', reasons: ['scan-http-413'], l4: {} };
    return { allow: true, verdict: 'WARN', reasons: [status === 0 ? 'scan-unreachable' : `scan-http-${status}`], l4: {} };
  };
}

/** @typedef {import('../../transports/port.js').Frame} Frame */

/**
 * A stored entry as the frames by which it would have come live.
 *
 * @param {Frame} entry
 * @returns {Frame[]}
 */
export function entryFrames({ seq, at, id, kind, body }) {
  const frame = (/** @type {string} */ type, /** @type {object} */ fields) => [{ type, seq, at, ...fields }];
  const whole = (/** @type {any} */ update, /** @type {object} */ more) =>
    frame('session_update', { whole: true, ring: body.ring, update, ...more });
  switch (kind) {
    case 'user':
      if (body.withdrawn) return frame('seen', {});
      return frame('session_update', {
        messageId: id,
        blocks: body.content?.length ? body.content : [{ type: 'text', text: body.text }],
        update: { sessionUpdate: 'user_message_chunk' },
      });
    case 'assistant':
    case 'thought': {
      const sessionUpdate = kind === 'thought' ? 'agent_thought_chunk' : 'agent_message_chunk';
      return whole({ sessionUpdate, content: { type: 'text', text: body.text } }, { messageId: body.messageId, blocks: body.content, partial: body.partial });
    }
    case 'tool_use':
      return whole({ sessionUpdate: 'tool_call', status: 'in_progress', ...body, name: body.tool, rawInput: body.input }, {});
    case 'tool_result':
      return whole({ sessionUpdate: 'tool_call_update', ...body }, { result: body.result });
    case 'plan':
      return frame('session_update', { update: { sessionUpdate: 'plan', entries: body.entries } });
    case 'permission':
      return frame(body.state === 'requested' ? 'permission_past' : 'permission_resolved', body);
    case 'lifecycle':
      if (body.event === 'run_started') return frame('run_started', { runId: body.runId, promptSeq: body.prompt });
      if (body.event === 'run_finished') return frame('prompt_complete', body);
      return frame('session_closed', { phase: body.phase, message: body.message, reason: body.reason, exit: body.exit });
    case 'error':
      return frame('notice', { level: 'error', text: body.error, code: body.code, exit: body.exit });
    case 'system':
      return system(body, frame);
    default:
      return frame('seen', {});
  }
}

/** @param {any} body @param {(type: string, fields: object) => Frame[]} frame */
function system({ event, value }, frame) {
  if (event?.startsWith('acp:')) return frame('session_update', { update: value });
  if (event?.startsWith('elicitation_')) return frame('seen', {});
  return frame('notice', { level: 'info', event, value, text: value?.message ?? '' });
}

/**
 * Does to a session what a menu offers.
 *
 * @param {string} what
 * @param {{ sessionId: string, title: string, program?: import('../transports/port.js').AgentInfo }} session
 * @param {import('./context.js').ChatContext} context
 */
export async function actOn(what, { sessionId, title, program }, { port, t, host }) {
  switch (what) {
    case 'start':
      return port.start(sessionId);
    case 'stop':
      return port.stop(sessionId);
    case 'delete':
      return port.remove(sessionId);
    case 'sign-out':
      if (!program) return;
      await port.signOut(program.agentId);
      return host.toast({ message: t('signout.done', { agent: program.name }) });
    case 'clone':
      await port.copy(sessionId);
      return host.toast({ message: t('sessions.toast.cloned', { title }) });
    case 'export':
      return host.save(`${title.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60) || 'session'}.json`, await port.exported(sessionId));
  }
}

/**
 * Changes how a session works.
 *
 * @param {string} sessionId
 * @param {any} wish what a composer's picker asks for
 * @param {import('../transports/port.js').ChatPort} port
 */
export async function setOn(sessionId, wish, port) {
  switch (wish.kind) {
    case 'model':
      return port.setModel(sessionId, wish.modelId);
    case 'mode':
      return port.setMode(sessionId, wish.modeId);
    case 'option':
      return port.setOption(sessionId, wish.configId, wish.value);
    case 'permission':
      return port.setPermissionMode(sessionId, wish.mode);
  }
}

/**
 * @param {import('./terminal.js').TdTerminal} terminal
 * @returns {Promise<number | undefined>} when its program has ended; undefined when it did not come to its own end
 */
export const exitCode = (terminal) =>
  new Promise((resolve) => {
    const look = () => {
      if (terminal.status?.state !== 'ended' && terminal.isConnected) return;
      terminal.removeEventListener('td-terminal', look);
      resolve(terminal.status?.exit?.code ?? undefined);
    };
    terminal.addEventListener('td-terminal', look);
  });

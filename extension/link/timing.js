import limits from '../protocol/limits.js';

/** Time and its limits, apart from the system clock so that tests can move it. */

/**
 * @typedef {object} Clock
 * @property {() => number} now
 * @property {(run: () => void, afterMs: number) => any} setTimeout
 * @property {(timer: any) => void} clearTimeout
 */

/** @type {Clock} */
export const systemClock = {
  now: () => Date.now(),
  setTimeout: (run, afterMs) => setTimeout(run, afterMs),
  clearTimeout: (timer) => clearTimeout(timer),
};

export const timing = {
  heartbeatIntervalMs: limits.pingIntervalMs,
  pongLimitMs: limits.pongTimeoutMs,
  missedPongsBeforeReconnect: limits.missedPongs,
  handshakeAckLimitMs: limits.linkHandshakeMs,
  reconnectFirstMs: limits.reconnectFirstMs,
  reconnectFactor: limits.reconnectFactor,
  reconnectLongestMs: limits.reconnectMaxMs,
  reconnectJitter: limits.reconnectJitterPercent / 100,
  // A longer wait would leave "Connecting…" standing without a reason.
  hubAnswerLimitMs: 4_000,
  stableAfterMs: 5_000,
  accessTokenSpareMs: 60_000,
  // The shortest period Chrome keeps for an alarm.
  wakeUpEverySeconds: 30,
};

// Web vitals from buffered performance entries: what the page already measured.

/* global tandemPage */
tandemPage.part('vitals', () => {
  const SESSION_GAP_MS = 1000;
  const SESSION_MAX_MS = 5000;
  /** @type {Map<string, any[]>} */
  const entries = new Map([['largest-contentful-paint', []], ['layout-shift', []], ['event', []]]);
  /** @type {PerformanceObserver[]} */
  const observers = [];

  function observe() {
    for (const [type, list] of entries) {
      if (!PerformanceObserver.supportedEntryTypes.includes(type)) continue;
      const observer = new PerformanceObserver((batch) => list.push(...batch.getEntries()));
      observer.observe({ type, buffered: true, ...(type === 'event' ? { durationThreshold: 16 } : {}) });
      observers.push(observer);
    }
  }

  /** Largest sum of a window of shifts: gaps under a second, five seconds at most. @param {any[]} shifts */
  function layoutShift(shifts) {
    let worst = 0;
    let sum = 0;
    let first = 0;
    let last = 0;
    for (const { value, startTime, hadRecentInput } of shifts) {
      if (hadRecentInput) continue;
      if (sum > 0 && startTime - last < SESSION_GAP_MS && startTime - first < SESSION_MAX_MS) sum += value;
      else {
        sum = value;
        first = startTime;
      }
      last = startTime;
      worst = Math.max(worst, sum);
    }
    return Math.round(worst * 10000) / 10000;
  }

  /** @param {any[]} events */
  function interaction(events) {
    /** @type {Map<number, number>} */
    const longest = new Map();
    for (const { interactionId, duration } of events) {
      if (interactionId) longest.set(interactionId, Math.max(duration, longest.get(interactionId) ?? 0));
    }
    const sorted = [...longest.values()].sort((a, b) => b - a);
    return sorted.length === 0 ? null : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length / 50))];
  }

  const round = (/** @type {number|undefined} */ value) => (value === undefined ? null : Math.round(value * 10) / 10);

  return {
    async vitals() {
      if (observers.length === 0) {
        observe();
        // Buffered entries arrive in a task of their own.
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      for (const observer of observers) {
        const pending = observer.takeRecords();
        if (pending.length > 0) entries.get(pending[0].entryType === 'first-input' ? 'event' : pending[0].entryType)?.push(...pending);
      }
      const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
      const [fcp] = performance.getEntriesByName('first-contentful-paint');
      return {
        lcp: round(entries.get('largest-contentful-paint')?.at(-1)?.startTime),
        cls: layoutShift(entries.get('layout-shift') ?? []),
        inp: interaction(entries.get('event') ?? []),
        fcp: round(fcp?.startTime),
        ttfb: round(navigation?.responseStart),
      };
    },
  };
});

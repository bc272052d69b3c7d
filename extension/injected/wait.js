// Waiting for what a page will do: by mutation and event, with a slow look only for changes that fire neither.

/* global tandemPage */
tandemPage.part('wait', () => {
  const { refs, visibility, changes, edit, query, text, over } = tandemPage;
  const DEFAULT_TIMEOUT_MS = 30000;
  const DEFAULT_POLL_MS = 50;

  /**
   * Resolves as soon as `holds` does. Style alone (a media query, a script's timer on a sheet) fires no event, hence the look.
   * @param {() => boolean} holds @param {{timeoutMs?: number, pollMs?: number}} limits @param {string} message
   * @param {() => Record<string, any>} [more] what else there is to say when the time is over
   */
  function until(holds, { timeoutMs = DEFAULT_TIMEOUT_MS, pollMs = DEFAULT_POLL_MS }, message, more = () => ({})) {
    const start = performance.now();
    return new Promise((resolve, reject) => {
      let settled = false;
      let queued = false;
      let atOnce = true;
      /** @type {() => void} */
      let stop = () => {};
      const finish = (/** @type {() => void} */ end) => {
        if (settled) return;
        settled = true;
        stop();
        clearInterval(look);
        clearTimeout(limit);
        end();
      };
      const check = () => {
        queued = false;
        if (settled) return;
        tandemPage.fresh();
        try {
          if (holds()) finish(() => resolve({ timingMs: Math.round(performance.now() - start), atOnce }));
        } catch (error) {
          finish(() => reject(error));
        }
      };
      const changed = () => {
        if (queued) return;
        queued = true;
        queueMicrotask(check);
      };
      const look = setInterval(check, pollMs);
      const limit = setTimeout(() => finish(() => {
        tandemPage.fresh();
        try {
          tandemPage.fail('timeout', 'wait', message, { timeoutMs, ...more() });
        } catch (error) {
          reject(error);
        }
      }), timeoutMs);
      stop = changes.watch(changed);
      check();
      atOnce = false;
    });
  }

  /** @param {WaitRefArgs} args */
  function stateHolds(args) {
    const wanted = args.state ?? 'attached';
    const el = refs.find(args);
    if (wanted === 'hidden') return el === null || !visibility.isVisible(el);
    return el !== null && (wanted === 'attached' || visibility.isVisible(el));
  }

  tandemPage.until = until;

  /** Until it holds or the time is over; which of the two, the caller looks at anyway. @param {() => boolean} holds @param {number} timeoutMs */
  const patiently = (holds, timeoutMs) => until(holds, { timeoutMs }, '').then(() => ({}), () => ({}));

  /** @param {RefArgs & {checked: boolean}} args */
  function checkedAs(args) {
    const { value, mixed } = tandemPage.functions.checked(args);
    return value === args.checked && !mixed;
  }

  /** Lists that are filled as they open have the option a moment later. @param {SelectArgs & {met: boolean}} args */
  function offers(args) {
    try {
      const list = tandemPage.functions.select(args);
      return args.met ? !list.unmet : list.open === true;
    } catch (error) {
      if (/** @type {any} */ (error).error?.reason === 'unknown_option') return false;
      throw error;
    }
  }

  return {
    waitChecked: (/** @type {RefArgs & {checked: boolean, timeoutMs: number}} */ args) => patiently(() => checkedAs(args), args.timeoutMs),
    waitContent: (/** @type {RefArgs & {before: string, timeoutMs: number}} */ args) => patiently(() => edit.contentOf(refs.resolve(args)) !== args.before, args.timeoutMs),
    waitOptions: (/** @type {SelectArgs & {met: boolean, timeoutMs: number}} */ args) => patiently(() => offers(args), args.timeoutMs),

    waitRef(/** @type {WaitRefArgs} */ args) {
      const lost = () => (refs.find(args) === null ? refs.lost(args) : {});
      return until(() => over.take(args.id) || stateHolds(args), args, 'Wait for selector timed out', lost);
    },

    waitText(/** @type {WaitTextArgs} */ args) {
      const wanted = text.squash(args.text);
      const shows = () => document.body !== null && text.squash(query.shownText(document.body)).includes(wanted);
      return until(() => over.take(args.id) || shows() !== (args.gone === true), args, `Wait for text ${text.quote(wanted)} timed out`);
    },

    waitStop(/** @type {{id: string}} */ { id }) {
      over.add(id);
      return {};
    },

    /** Behind what the page has put off until now. */
    turn: () =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve({});
        port2.postMessage(0);
      }),

    waitQuiet(/** @type {{quietMs?: number, timeoutMs?: number}} */ args) {
      const start = performance.now();
      const quietMs = args.quietMs ?? 50;
      return new Promise((resolve) => {
        /** @type {ReturnType<typeof setTimeout>} */
        let quiet;
        const end = (/** @type {boolean} */ rested) => {
          stop();
          clearTimeout(quiet);
          clearTimeout(limit);
          resolve({ quiet: rested, timingMs: Math.round(performance.now() - start) });
        };
        const again = () => {
          clearTimeout(quiet);
          quiet = setTimeout(() => end(true), quietMs);
        };
        const limit = setTimeout(() => end(false), args.timeoutMs ?? 1000);
        const stop = changes.watch(again);
        again();
      });
    },
  };
});

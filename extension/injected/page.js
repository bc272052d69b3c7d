// The entry of everything that runs inside a page. The worker injects the files of this folder in
// the order of tandemPage.files into the isolated world of one frame, then has
// tandemPage.run(calls) there, or over a port; arguments and results are plain JSON.

/* eslint-disable no-var */

/**
 * A frame as it sees itself, and as its parent sees the element that holds it. Chromium has no
 * call from an iframe element to a frameId, so both sides describe themselves without the page's
 * help; ops matches them: equal `token`, else equal `index`, else equal url and size in order.
 * @typedef {object} FrameSelf
 * @property {number} index position i with parent[i] === window; -1 in the top frame and in shadow trees
 * @property {string} token set by the parent where both share an origin, else ""
 * @property {string} url
 * @property {number} width of the viewport in CSS pixels
 * @property {number} height
 *
 * @typedef {object} FrameChild
 * @property {number} key names the frame element in frameBox, for the life of the document
 * @property {number} index
 * @property {string} token
 * @property {string} url declared address, "" when unknown
 * @property {number} width of the content box
 * @property {number} height
 * @property {boolean} inShadow
 *
 * @typedef {object} FrameLine a `frame` line of a snapshot, below which ops inserts the child's text
 * @property {number} key as in FrameChild
 * @property {number} line index of that line in the stored snapshot
 * @property {number} indent spaces before the line; the child's lines get indent + 2
 * @property {boolean} [optional] the line says nothing without a line of the child's
 * @property {number} index
 * @property {string} token
 * @property {string} url
 * @property {number} width
 * @property {number} height
 * @property {boolean} inShadow
 */

/**
 * Every function that makes or reads refs takes these. `session` scopes refs: one session's refs
 * are unknown in another. `prefix` is "" in the top frame and "f<k>" in a child frame (k new for
 * every child document, so that a ref never names another document's element). `refBase` is the
 * highest number this session ever saw in the top frame (`lastRef` of its answers), so that numbers
 * go on after a navigation.
 * @typedef {object} Scope
 * @property {string} session
 * @property {string} [prefix]
 * @property {number} [refBase]
 *
 * @typedef {object} RefArgs
 * @property {string} session
 * @property {string} ref
 * @property {string} [prefix]
 * @property {number} [refBase]
 * @property {{role: string, name: string}} [was] what the ref was when last shown, for a document that never knew it
 *
 * @typedef {object} PageError
 * @property {string} code of the closed list: invalid_request, execution_failed, timeout, not_supported
 * @property {string} reason unknown_ref stale_ref covered not_visible disabled not_editable verify_failed wait …
 * @property {string} message
 * @property {Record<string, any>} [details]
 *
 * @typedef {({ok: true, value: any} | {ok: false, error: PageError}) & {lastRef?: number}} PageAnswer lastRef: highest ref number of the call's session here, whatever gave it
 */

/**
 * @typedef {Scope & {
 *   snapshotId: string, format?: 'outline'|'actionables', maxChars?: number, maxNodes?: number,
 *   root?: string, find?: string, depth?: number, viewportFirst?: boolean
 * }} SnapshotArgs
 * `snapshotId` is chosen by ops and equal in all frames of one snapshot. `maxNodes` counts lines
 * with refs; what lies behind it is reached by the cursor, like what lies behind `maxChars`.
 *
 * @typedef {object} SnapshotResult
 * @property {string} text bounded by maxChars, whole lines, frame lines included as placeholders
 * @property {number} lines lines in `text`
 * @property {number} lineCount lines stored under snapshotId
 * @property {boolean} truncated lines < lineCount, or depth or maxNodes left something out
 * @property {number} refCount lines with refs in `text`
 * @property {FrameLine[]} frames every frame of the document that can be seen, also behind the cut; line is -1 where the lines leave it out (depth)
 * @property {FrameSelf} self
 * @property {string} url
 * @property {string} title
 * @property {string[]} warnings
 *
 * @typedef {{session: string, snapshotId: string, from: number, maxChars?: number, maxNodes?: number}} MoreArgs
 * @typedef {{text: string, lines: number, from: number, lineCount: number, refCount: number}} MoreResult
 * `more` pages over the stored snapshot, with as many refs as fit where no maxNodes is given; not_supported/snapshot_gone when it is no longer kept (four per session are).
 *
 * @typedef {Scope & {since: string, snapshotId: string, maxChars?: number}} DiffArgs
 * @typedef {object} DiffResult
 * @property {boolean} known false: `since` is not this session's latest snapshot here; take a full one
 * @property {boolean} changed
 * @property {string} text `+ line` (with its subtree below), `~ line` (changed), `- line` (gone); first level says `in [rN] role` where it helps,
 *   `(moved)` or `(back)` of what is known with all inside, `~ order in [rN] list: [r5] [r2] … [r4]` of children that changed places
 * @property {boolean} truncated
 * @property {boolean} walked a full walk was needed
 * @property {number} refCount
 * @property {FrameLine[]} frames frame lines now (line is -1)
 * @property {FrameSelf} self
 * @property {string} url
 * @property {string} title
 * After a diff, `snapshotId` is the session's latest snapshot for the next `since`; `more` does not page over it.
 */

/**
 * @typedef {object} ElementInfo
 * @property {string} ref
 * @property {string} role
 * @property {string} name
 * @property {string} tag lower case
 *
 * @typedef {{x: number, y: number, width: number, height: number}} Box in CSS pixels of this frame's viewport
 *
 * @typedef {RefArgs & {
 *   for: 'click'|'hover'|'type'|'check'|'select'|'scroll'|'screenshot'|'upload', timeoutMs?: number, patienceMs?: number, leads?: boolean, still?: boolean
 * }} LocateArgs
 * Scrolls into view, waits for a stable box (where an animation moves it, or with `still`), refuses disabled elements (not for hover, scroll,
 * screenshot) and hit-tests (not for scroll, screenshot, upload). `patienceMs`: how long it may be disabled or covered before it is refused.
 * @typedef {{
 *   ref: string, x: number, y: number, box: Box, clipped: Box, self: FrameSelf, leads?: string[], pays?: boolean, saves?: boolean, editor?: {all: string, end: string}
 * }} LocateResult
 * `x`, `y`: the point to act on, in this frame's viewport; `clipped`: the part of `box` inside the viewport;
 * `leads`, if asked for: where a press there would send something; `pays`: whether that would be a payment; `saves`: the page calls it a download; `editor`: the keys that select all and go to the end there, '' for none, where the field is the hidden one of an editor.
 * Errors: stale_ref, unknown_ref, not_visible, disabled, covered {cover: {role, name, tag, ref?}}.
 *
 * @typedef {{key?: number, self?: FrameSelf, x?: number, y?: number}} FrameBoxArgs
 * `key` from frames(), or `self` of the child. With `x`, `y` (a point in the child's viewport) that
 * point is scrolled into view, to where nothing covers it if there is such a place, and the frame
 * element is hit-tested there.
 * @typedef {{found: boolean, key: number, x: number, y: number, width: number, height: number,
 *   scaleX: number, scaleY: number, hit: boolean, cover?: {role: string, name: string, tag: string}, self: FrameSelf}} FrameBoxResult
 * Content box of the frame element in this frame's viewport: parent point = x + childX * scaleX.
 * found:false for a key or self that matches no element.
 */

/**
 * Delivery check: while armed, a capturing listener lets events of these types pass only if they
 * are trusted and their target is the ref or inside it; others are stopped. The page's own (untrusted) events are left alone.
 * @typedef {{guardId: string, timeoutMs?: number}} GuardWish guardId: chosen by ops, so that it can be ended before it is armed, and then never is
 * @typedef {RefArgs & GuardWish & {kind: 'pointer'|'text'}} GuardArgs
 * 'pointer': mouse, pointer, click, wheel and touch events. 'text': key, input and paste events, and the ref must be the deep active element.
 * @typedef {{passed: number, blocked: number, cover?: {role: string, name: string, tag: string, ref?: string}, strayed?: true, expired?: true, gone?: true, pending?: true}} GuardReport strayed: the press came, but what it led on to was refused; expired: it had ended by itself, so more may have passed; gone: it was none of this document's
 * @typedef {{guardId: string, keep?: boolean}} GuardEndArgs keep: tells without disarming
 * @typedef {GuardEndArgs & {press?: {last: string, count: number, x: number, y: number}}} GuardDoneArgs press: the event that a press ends with, which of that press, and where in this frame's viewport; without, it is a text
 * guardArm → {}; guardEnd → GuardReport, disarms. A guard ends by itself after timeoutMs (default 5000), between a press and its release after twice that.
 * guardFocus GuardWish → {} is kind 'text' on what has the focus at the time.
 * guardAt GuardWish & {x, y, released} → {frame} is kind 'pointer' on the very element at that point; frame: it holds a document.
 * guardBlock GuardWish → {} blocks every such event in a frame that is not the ref's.
 */

/**
 * @typedef {RefArgs & {caret?: 'end'|'all'|'keep', leads?: boolean}} FocusArgs
 * @typedef {{ref: string, kind: 'input'|'textarea'|'contenteditable'|'select'|'other', inputType: string,
 *   editable: boolean, secret: boolean, value: string, placeholder?: true, focused: boolean, leads?: string[], pays?: boolean}} FocusResult
 * `value` is masked for secret fields; `placeholder`: it is no more than that; `leads`, `pays`: of Enter there, as in LocateResult. Errors: not_editable is left to the caller (editable:false).
 *
 * @typedef {RefArgs & {text: string, append: boolean, whole: boolean}} TakesTextArgs whole: it comes at once, so what is too much would be cut
 *
 * @typedef {RefArgs & {expected?: string, mode?: 'equals'|'ends', instead?: string, before?: string, leads?: boolean}} ReadBackArgs instead: what may be all of it as well
 * @typedef {{value: string, redacted: boolean, matches: boolean, cut?: number, unchanged?: true, focused: boolean, length: number, leads?: string[], pays?: boolean}} ReadBackResult unchanged: it holds what it held before
 *
 * @typedef {RefArgs & {value: string, append?: boolean, leads?: boolean}} SetValueArgs native prototype setter plus input and change events: for secrets, and as last resort
 *
 * @typedef {RefArgs & {values: string[], first?: boolean, last?: boolean}} SelectArgs first: nothing was opened yet; last: no other options are waited for
 * @typedef {{selected: string[], labels: string[], changed: boolean, native: boolean, open?: boolean, options?: ElementInfo[], unmet?: boolean, comes?: boolean}} SelectResult
 * By value, then label. invalid_request/unknown_option names the known options. Not a native
 * select: native:false with `open`, whether the options can be seen, `comes`, whether they
 * come without a press, and `options`: ElementInfo[] to click.
 *
 * @typedef {RefArgs & {state?: 'attached'|'visible'|'hidden', id?: string, timeoutMs?: number, pollMs?: number}} WaitRefArgs
 * @typedef {{text: string, gone?: boolean, id?: string, timeoutMs?: number, pollMs?: number}} WaitTextArgs id: for waitStop; pollMs: how often changes are looked for that fire no event
 * @typedef {{timingMs: number, atOnce: boolean}} WaitResult atOnce: it was so from the start; timeout/wait "Wait for selector timed out", with what became of a ref that is gone
 */

/**
 * Every name `call` takes:
 *
 *  ping            {}                          → {version, url, title, readyState, visibility, self: FrameSelf}
 *  frames          {}                          → {self: FrameSelf, children: FrameChild[]}
 *  frameBox        FrameBoxArgs                → FrameBoxResult
 *  ownersWatch     {key}                       → {} from now on what moves is noted
 *  ownersPlace     {}                          → {index, near} of this frame in its parent; near: drawn together with it
 *  ownersHold      {key, indices}              → {selectors, hosts} the elements that hold those frames, '' where none does, and those with frames in shadow trees
 *  ownersSettle    {key}                       → {stayed} whether they were the same ones all the time; ends the watch
 *  painted         {}                          → {} when what was there at the call has been drawn
 *  snapshot        SnapshotArgs                → SnapshotResult
 *  more            MoreArgs                    → MoreResult
 *  diff            DiffArgs                    → DiffResult
 *  resolve         RefArgs                     → ElementInfo & {secret, editable, disabled, type, checked, href}
 *  candidates      Scope & {role, name}        → {candidates: ElementInfo[]} at most 5; one = the unique one
 *  boxes           Scope & {max?}              → {boxes: (ElementInfo & {box: Box})[], scale} of ref'd elements in the viewport; scale: device pixels of one of the page's
 *  forget          {session}                   → {} drops that session's refs and snapshots
 *  locate          LocateArgs                  → LocateResult
 *  leadsAt         {x, y}                      → {urls, pays} where a press there would send something, and whether it pays
 *  leadsByKey      {}                          → {urls, pays, secret} of Enter on the focused element
 *  scrollIntoView  RefArgs                     → {box: Box, x, y, self} x, y: its middle
 *  scrollBy        {session, ref?, dx?, dy}    → {scrollTop, scrollLeft, moved, heard, middle?} heard: whether the page drew what it makes of it; middle: of the view, where nothing moved
 *  guardArm        GuardArgs                   → {}
 *  guardFocus      GuardWish                   → {}
 *  guardAt         GuardWish & {x, y, released} → {frame: boolean}
 *  guardBlock      GuardWish                   → {}
 *  keysArrive      RefArgs                     → {arrive: boolean} whether the next key goes to the ref
 *  guardEnd        GuardEndArgs                → GuardReport
 *  guardDone       GuardDoneArgs               → GuardReport once the input has come to its end, or {pending: true} where something else did, and the guard stays
 *  dragWatch       {}                          → {} from now on a drag is noted
 *  dragBegan       {over?}                     → {began} whether the page let one begin; over: ends the watch
 *  takesText       TakesTextArgs               → {}, or not_editable or wrong_type where the text can never be in it
 *  focus           FocusArgs                   → FocusResult
 *  clear           RefArgs                     → {} selects the whole content, for Input to delete
 *  editorShows     RefArgs & {text, timeoutMs}  → {shows, value} of the editor that a hidden field is for; value: what it shows
 *  readBack        ReadBackArgs                → ReadBackResult
 *  setValue        SetValueArgs                → ReadBackResult
 *  keptValue       RefArgs                     → {kept} false where the page put back what the field held before setValue
 *  select          SelectArgs                  → SelectResult
 *  html            RefArgs & {maxChars?}       → {outerHTML, truncated}
 *  text            RefArgs & {maxChars?}       → {text, truncated}
 *  pageText        {maxChars?}                 → {text, truncated, url, title, frames: FrameChild[], self: FrameSelf} of the whole frame; frames: those that can be seen in it
 *  attr            RefArgs & {name}            → {value: string|null, redacted?}
 *  value           RefArgs                     → {value, redacted?}
 *  visible         RefArgs                     → {value: boolean}
 *  enabled         RefArgs                     → {value: boolean}
 *  checked         RefArgs                     → {value: boolean, checkable: boolean, radio?, mixed?}
 *  toPress         RefArgs & {checked}         → {} where a press would make it so; else nothing_to_press {state: of checked}
 *  waitRef         WaitRefArgs                 → WaitResult
 *  waitText        WaitTextArgs                → WaitResult
 *  waitStop        {id}                        → {} ends a waitText or waitRef that nobody waits for any more
 *  waitChecked     RefArgs & {checked, timeoutMs} → {} once it is, or when the time is over
 *  waitContent     RefArgs & {before, timeoutMs} → {} once the field holds something else, or when the time is over
 *  waitOptions     SelectArgs & {met, timeoutMs} → {} once the options can be pressed (met: are chosen), or when the time is over
 *  turn            {}                          → {} when what the page had put off until then is done
 *  waitQuiet       {quietMs?, timeoutMs?}      → {quiet: boolean, timingMs} no DOM change for quietMs
 *  capture         {session, ref?, maxNodes?}  → {html, styles, classes, nodes, inlineStyles: false, warnings, url, title}; html is well-formed
 *                                                XML of inert markup (class t1, t2, …), styles the CSS text; wrap in class tandem-root
 *  vitals          {}                          → {lcp, cls, inp, fcp, ttfb} in ms, null when unknown
 *  refList         Scope & {max}               → {refs: {ref, role, name}[], truncated} what has a ref and is still there
 *  highlight       RefArgs & {text?, forMs?, scroll?} → {box: Box} frames the element for the person
 *  unhighlight     {}                          → {}
 *  inspectBegin    {token}                     → {} the person points at an element; inspectWait {} → {picked}; inspectEnd {} stops it
 *  inspectFind     {token, selector}           → {}; inspectRef RefArgs & {token} → {}: the element that the token names from now on
 *  inspectNames    {token}                     → {selector, tagName, id, classes, attributes}
 *  inspectBasic    {token, keys}               → {boxModel, computedStyles, inlineStyles, matchedRules, pseudoElements}
 *  inspectStyle    {token, property, value, important?} → {before: {value, important}, after, computed}
 */

/**
 * @typedef {object} TandemPage
 * @property {string} version
 * @property {string[]} files order of injection
 * @property {Record<string, (args: any) => any>} functions
 * @property {(name: string, part: () => Record<string, (args: any) => any>) => void} part
 * @property {(name: string, args?: any) => PageAnswer | Promise<PageAnswer>} call
 * @property {(calls: [name: string, args: any][]) => Promise<PageAnswer[] | 'cold'>} run
 * @property {(line: any, ended: () => void) => void} attend
 * @property {(code: string, reason: string, message: string, details?: Record<string, any>) => never} fail
 * @property {(session: any) => number | undefined} lastRef
 */

/** @type {any} */
var tandemPage = (() => {
  const version = '2';
  const known = /** @type {any} */ (globalThis).tandemPage;
  if (known?.version === version) return known;

  class Failure extends Error {
    /** @param {PageError} error */
    constructor(error) {
      super(error.message);
      this.error = error;
    }
  }

  /** @param {unknown} thrown @returns {PageAnswer} */
  function failed(thrown) {
    if (thrown instanceof Failure) return { ok: false, error: thrown.error };
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return { ok: false, error: { code: 'execution_failed', reason: 'page_script', message } };
  }

  const parts = new Set();
  const page = {
    version,
    files: [
      'page', 'dom', 'text', 'marks', 'suspects', 'roles', 'areas', 'visibility', 'owns', 'secrets', 'generated', 'labels', 'names', 'refs', 'frames', 'owners', 'states', 'tidy', 'watched', 'outline', 'modals', 'acting', 'flags', 'tree', 'find', 'references', 'sheets', 'changes',
      'own', 'views', 'snapshot', 'news', 'diff', 'payments', 'leads', 'shape', 'locate', 'scroll', 'placeholders', 'edit', 'lists', 'query', 'editors', 'readable', 'over', 'soon', 'guard', 'drags', 'wait', 'vitals', 'fonts', 'styles',
      'capture', 'highlight', 'inspect',
    ].map((name) => `injected/${name}.js`),
    /** @type {Record<string, (args: any) => any>} */
    functions: {},

    /** @param {string} name @param {() => Record<string, (args: any) => any> | void} part */
    part(name, part) {
      if (parts.has(name)) return;
      parts.add(name);
      Object.assign(page.functions, part() ?? {});
    },

    /** @param {string} code @param {string} reason @param {string} message @param {Record<string, any>} [details] */
    fail(code, reason, message, details) {
      throw new Failure({ code, reason, message, ...(details ? { details } : {}) });
    },

    /** Where refs are counted. @type {(session: any) => number | undefined} */
    lastRef: () => undefined,

    /** What was noted about elements during the last call may no longer hold. */
    fresh() {
      const { dom, marks, visibility, owns, labels } = /** @type {any} */ (page);
      dom.reset();
      marks.reset();
      owns.reset();
      labels.reset();
      visibility.reset(false);
    },

    /** @param {string} name @param {any} [args] @returns {PageAnswer | Promise<PageAnswer>} */
    call(name, args = {}) {
      const run = Object.hasOwn(page.functions, name) ? page.functions[name] : undefined;
      if (!run) return failed(new Error(`Unknown page function: ${name}`));
      try {
        page.fresh();
        const value = run(args);
        if (typeof value?.then !== 'function') return { ok: true, value };
        return value.then((/** @type {any} */ settled) => ({ ok: true, value: settled }), failed);
      } catch (thrown) {
        return failed(thrown);
      }
    },

    /**
     * One call after another; the first failure ends the row.
     *
     * @param {[name: string, args: any][]} calls
     * @returns {Promise<PageAnswer[] | 'cold'>} cold: a file is missing
     */
    async run(calls) {
      if (calls.some(([name]) => !Object.hasOwn(page.functions, name))) return 'cold';
      const answers = [];
      for (const [name, args] of calls) {
        const answer = await page.call(name, args);
        const lastRef = page.lastRef(args?.session);
        answers.push(lastRef ? { ...answer, lastRef } : answer);
        if (!answer.ok) break;
      }
      return answers;
    },

    /** @type {any} a port to the worker */
    line: undefined,

    /**
     * Answers what is asked over a port.
     *
     * @param {any} line
     * @param {() => void} ended
     */
    attend(line, ended) {
      page.line = line;
      line.onDisconnect.addListener(() => {
        ended();
        if (page.line === line) page.line = undefined;
      });
      line.onMessage.addListener(async (/** @type {any} */ { id, calls }) => {
        const answers = await page.run(calls);
        if (page.line !== line) return;
        try {
          line.postMessage({ id, answers });
        } catch (thrown) {
          // What is too long for a port; what is not an answer always fits.
          line.postMessage({ id, answers: [failed(thrown)] });
        }
      });
    },
  };
  return page;
})();

/** What a CDP client may say to a tab: a closed list, and nothing that reaches past the page. */

/** @type {Record<string, string>} names per domain */
const ALLOWED = {
  Accessibility: 'disable enable getAXNodeAndAncestors getChildAXNodes getFullAXTree getPartialAXTree getRootAXNode queryAXTree',
  Audits: 'disable enable',
  CSS: 'disable enable getComputedStyleForNode getInlineStylesForNode getMatchedStylesForNode getStyleSheetText startRuleUsageTracking stopRuleUsageTracking takeCoverageDelta',
  DOM: 'describeNode disable discardSearchResults enable focus getAttributes getBoxModel getContentQuads getDocument getFrameOwner getNodeForLocation getOuterHTML getSearchResults performSearch pushNodesByBackendIdsToFrontend querySelector querySelectorAll removeAttribute removeNode requestChildNodes requestNode resolveNode scrollIntoViewIfNeeded setAttributeValue setNodeValue',
  DOMSnapshot: 'captureSnapshot disable enable',
  Debugger: 'disable enable evaluateOnCallFrame getScriptSource pause resume setBreakpointByUrl setSkipAllPauses setPauseOnExceptions stepInto stepOut stepOver removeBreakpoint',
  Emulation: 'clearDeviceMetricsOverride clearGeolocationOverride setAutoDarkModeOverride setCPUThrottlingRate setDefaultBackgroundColorOverride setDeviceMetricsOverride setEmitTouchEventsForMouse setEmulatedMedia setEmulatedVisionDeficiency setFocusEmulationEnabled setGeolocationOverride setHardwareConcurrencyOverride setIdleOverride setLocaleOverride setPageScaleFactor setScriptExecutionDisabled setScrollbarsHidden setTimezoneOverride setTouchEmulationEnabled setUserAgentOverride setVirtualTimePolicy',
  Input: 'dispatchDragEvent dispatchKeyEvent dispatchMouseEvent dispatchTouchEvent imeSetComposition insertText setIgnoreInputEvents setInterceptDrags synthesizePinchGesture synthesizeScrollGesture synthesizeTapGesture',
  Inspector: 'disable enable',
  Log: 'clear disable enable startViolationsReport stopViolationsReport',
  Network: 'disable emulateNetworkConditions enable getRequestPostData getResponseBody setBlockedURLs setBypassServiceWorker setCacheDisabled setExtraHTTPHeaders setUserAgentOverride',
  Overlay: 'disable enable hideHighlight highlightNode',
  Page: 'addScriptToEvaluateOnNewDocument bringToFront captureScreenshot captureSnapshot close createIsolatedWorld disable enable getFrameTree getLayoutMetrics getNavigationHistory handleJavaScriptDialog navigate navigateToHistoryEntry printToPDF reload removeScriptToEvaluateOnNewDocument resetNavigationHistory screencastFrameAck setBypassCSP setFontFamilies setFontSizes setLifecycleEventsEnabled startScreencast stopLoading stopScreencast',
  Performance: 'disable enable getMetrics setTimeDomain',
  Profiler: 'disable enable getBestEffortCoverage setSamplingInterval start startPreciseCoverage stop stopPreciseCoverage takePreciseCoverage',
  Runtime: 'addBinding awaitPromise callFunctionOn compileScript disable discardConsoleEntries enable evaluate getExceptionDetails getHeapUsage getIsolateId getProperties globalLexicalScopeNames queryObjects releaseObject releaseObjectGroup removeBinding runIfWaitingForDebugger runScript setAsyncCallStackDepth setMaxCallStackSizeToCapture terminateExecution',
  Target: 'detachFromTarget setAutoAttach',
};

const methods = new Set(Object.entries(ALLOWED).flatMap(([domain, names]) => names.split(' ').map((name) => `${domain}.${name}`)));

/** @param {string} method */
export const allowed = (method) => methods.has(method);

/** @param {string} method */
export const notAllowed = (method) => `CDP command '${method}' not in allowlist`;

/**
 * The parameters as the page may get them.
 *
 * @param {string} method an allowed one
 * @param {any} params
 * @returns {any}
 */
export function harmless(method, params = {}) {
  switch (method) {
    case 'Page.createIsolatedWorld': {
      // With universal access a world of one frame reads every other.
      const { grantUniveralAccess: _, grantUniversalAccess: __, ...rest } = params;
      return rest;
    }
    case 'Input.dispatchDragEvent':
      return { ...params, data: { ...params.data, files: [] } };
    case 'Target.setAutoAttach': {
      const { autoAttach, waitForDebuggerOnStart } = params;
      return { autoAttach, waitForDebuggerOnStart, flatten: true };
    }
    default:
      return params;
  }
}

const COOKIE_HEADER = /^(cookie|set-cookie|authorization|proxy-authorization)$/i;

/**
 * An event as the client may see it: the page's traffic, without the keys to the user's accounts.
 *
 * @param {string} method
 * @param {any} params
 * @returns {any}
 */
export function withoutSecrets(method, params) {
  if (!method.startsWith('Network.')) return params;
  const clean = { ...params };
  for (const field of ['associatedCookies', 'blockedCookies', 'exemptedCookies']) if (field in clean) clean[field] = [];
  delete clean.headersText;
  if (clean.headers) clean.headers = withoutCookies(clean.headers);
  for (const field of ['request', 'response', 'redirectResponse']) {
    if (clean[field]) clean[field] = withoutHeaders(clean[field]);
  }
  return clean;
}

/** @param {any} message a request or response */
function withoutHeaders({ headersText: _, requestHeadersText: __, ...message }) {
  for (const field of ['headers', 'requestHeaders']) if (message[field]) message[field] = withoutCookies(message[field]);
  return message;
}

/** @param {Record<string, string>} headers */
const withoutCookies = (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => !COOKIE_HEADER.test(name)));

// Written by scripts/protocol.mjs from common.json.
export default {
  "about": "Arguments and results that tools share, merged by flag: needsSession, targeted, diff. Every tool takes timeoutMs.",
  "groups": [
    "session",
    "navigation",
    "snapshot",
    "interaction",
    "dom",
    "capture",
    "script",
    "tabs",
    "target",
    "page",
    "dialog",
    "pointer",
    "devtools",
    "export",
    "annotation",
    "guidance"
  ],
  "input": {
    "every": {
      "timeoutMs": {
        "type": "integer",
        "minimum": 1,
        "maximum": 600000,
        "description": "deadline of the call in milliseconds"
      }
    },
    "needsSession": {
      "sessionId": {
        "type": "string",
        "minLength": 1,
        "description": "ops session; left out: the caller's only one"
      }
    },
    "targeted": {
      "targetId": {
        "type": "string",
        "minLength": 1,
        "description": "tab of the session; left out: its active one"
      }
    },
    "diff": {
      "diff": {
        "type": "boolean",
        "default": false,
        "description": "answer with what changed since the last snapshot"
      }
    }
  },
  "aboutHelp": "What an argument is, for people, where its definition says nothing so that models read less; TOOL.ARGUMENT before ARGUMENT.",
  "help": {
    "action": "what to do with the dialog",
    "annotate.debug": "computed styles and ancestors, too",
    "annotate.tabId": "tab to mark in",
    "annotate.url": "page to open first",
    "browser": "which connected browser",
    "button": "which mouse button",
    "chromePath": "which Chromium to start",
    "clear": "empty the field first",
    "clickCount": "2 is a double click",
    "closeTabs": "close its tabs, too",
    "connect.sessionId": "session to take back, or to join",
    "connect.shareMode": "join it as a reader",
    "contents": "files as JSON: [{name, base64, mime}]",
    "cursor": "where the last answer stopped",
    "depth": "how many levels to show",
    "dy": "pixels; negative scrolls up",
    "extensionLegacy": "raw CDP for other programs, instead of ops",
    "extensionOnly": "your own browser or none",
    "flags": "flag for Chromium; may be repeated",
    "format": "what is shown",
    "frames": "look into frames",
    "fromX": "where it begins, in pixels of the view",
    "fromY": "where it begins, in pixels of the view",
    "fullPage": "the whole page, not only what is in view",
    "get_attr.name": "the attribute",
    "headless": "without a window",
    "host": "where the debugging port is",
    "includeScreenshots": "with pictures",
    "includeUrls": "with addresses",
    "key": "key or chord",
    "leaseId": "lease of the session to take back",
    "max": "at most so many",
    "maxChars": "at most so many characters",
    "maxNodes": "at most so many elements",
    "maxSnapshotChars": "at most so many characters of each snapshot",
    "modifiers": "keys held down meanwhile",
    "name": "name of the page",
    "persistProfile": "keep the managed profile",
    "port": "debugging port of a browser that runs",
    "promptText": "what to answer to a prompt",
    "ref": "element, as a snapshot names it",
    "run.steps": "JSON, @file, or - for standard input",
    "screenshot.format": "kind of file",
    "screenshotMode": "what is pictured",
    "script": "JavaScript; what it returns is the result",
    "sessionId": "which session",
    "shareMode": "let other clients read it",
    "sinceSeq": "only what came after this number",
    "skill_load.name": "name of the pack",
    "startUrl": "first page",
    "state": "what the ref must be",
    "steps": "points in between",
    "stopOnError": "end at the first failure",
    "submit": "press Enter afterwards",
    "tabId": "tab, as browser-tabs names it",
    "targetId": "tab, as targets-list names it",
    "telemetry": "keep: record console and network all the time",
    "text": "what to type",
    "toX": "where it ends, in pixels of the view",
    "toY": "where it ends, in pixels of the view",
    "topic": "only the part about this",
    "transport": "all mean the extension",
    "until": "how far the page must be loaded",
    "url": "address",
    "values": "options by value or label: a,b",
    "viewportFirst": "begin with what is in view",
    "wait.text": "words that must be there",
    "wait.url": "part of the address, or a pattern with *",
    "waitForExtension": "wait until your browser is connected",
    "waitTimeoutMs": "how long to wait for it, in milliseconds",
    "waitUntil": "how far it must be loaded",
    "wsEndpoint": "debugging address of a browser that runs",
    "x": "in pixels of the view",
    "y": "in pixels of the view"
  },
  "output": {
    "diff": {
      "diff": {
        "type": "string"
      },
      "truncated": {
        "type": "boolean"
      },
      "nextCursor": {
        "type": "string"
      },
      "warnings": {
        "type": "array",
        "items": {
          "type": "string"
        }
      }
    }
  },
  "listed": [
    "sessionId",
    "targetId",
    "diff"
  ],
  "errors": {
    "needsSession": [
      "invalid_session",
      "not_owner",
      "ops_unavailable",
      "timeout",
      "restricted_url",
      "cdp_attach_failed",
      "cdp_session_lost",
      "parallelism_backpressure",
      "execution_failed"
    ],
    "ref": [
      "invalid_request/unknown_ref",
      "execution_failed/stale_ref"
    ]
  },
  "aliasPrefix": "opendevbrowser_",
  "runActions": {
    "dom_get_attr": "get_attr",
    "dom_get_value": "get_value",
    "dom_is_visible": "is_visible",
    "dom_is_enabled": "is_enabled",
    "dom_is_checked": "is_checked"
  },
  "runExcludes": [
    "launch",
    "connect",
    "run"
  ]
};

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
  "output": {
    "diff": {
      "diff": {
        "type": "string"
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

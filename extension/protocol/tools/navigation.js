// Written by scripts/protocol.mjs from navigation.json.
export default {
  "group": "navigation",
  "title": "Navigation and waiting",
  "tools": [
    {
      "name": "goto",
      "title": "Go to URL",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": false,
      "destructive": true,
      "readShare": false,
      "diff": true,
      "permission": "tab_nav:goto",
      "timeoutMs": 30000,
      "command": "nav.goto",
      "cli": "goto",
      "profiles": [
        "core",
        "all"
      ],
      "description": "Navigate the tab to a URL and wait for it to load.",
      "input": {
        "type": "object",
        "properties": {
          "url": {
            "type": "string",
            "minLength": 1
          },
          "waitUntil": {
            "type": "string",
            "enum": [
              "domcontentloaded",
              "load",
              "networkidle"
            ],
            "default": "load"
          }
        },
        "required": [
          "url"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "finalUrl": {
            "type": "string"
          },
          "status": {
            "type": "integer"
          },
          "timingMs": {
            "type": "number"
          },
          "meta": {
            "type": "object",
            "properties": {
              "blockerState": {
                "type": "string",
                "enum": [
                  "clear",
                  "active",
                  "resolving"
                ]
              },
              "blocker": {
                "type": "object"
              },
              "blockerResolution": {
                "type": "object"
              }
            },
            "required": [
              "blockerState"
            ],
            "additionalProperties": false
          },
          "redirects": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "title": {
            "type": "string"
          }
        },
        "required": [
          "finalUrl",
          "timingMs",
          "meta",
          "redirects",
          "title"
        ],
        "additionalProperties": false
      },
      "errors": [
        "invalid_request/bad_url",
        "execution_failed/net_error",
        "timeout/navigation"
      ]
    },
    {
      "name": "wait",
      "title": "Wait",
      "access": "read",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "readShare": false,
      "diff": true,
      "permission": "tab_action:wait",
      "timeoutMs": 30000,
      "command": "nav.wait",
      "cli": "wait",
      "profiles": [
        "core",
        "all",
        "read-only"
      ],
      "description": "Wait for a load state, for a ref, for text, or for a URL (substring or * pattern).",
      "input": {
        "type": "object",
        "properties": {
          "until": {
            "type": "string",
            "enum": [
              "domcontentloaded",
              "load",
              "networkidle"
            ]
          },
          "ref": {
            "type": "string",
            "minLength": 1
          },
          "state": {
            "type": "string",
            "enum": [
              "attached",
              "visible",
              "hidden"
            ],
            "default": "attached"
          },
          "text": {
            "type": "string",
            "minLength": 1
          },
          "url": {
            "type": "string",
            "minLength": 1
          },
          "gone": {
            "type": "boolean",
            "default": false,
            "description": "until the text is gone"
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "timingMs": {
            "type": "number"
          },
          "meta": {
            "type": "object",
            "properties": {
              "blockerState": {
                "type": "string",
                "enum": [
                  "clear",
                  "active",
                  "resolving"
                ]
              },
              "blocker": {
                "type": "object"
              },
              "blockerResolution": {
                "type": "object"
              }
            },
            "required": [
              "blockerState"
            ],
            "additionalProperties": false
          }
        },
        "required": [
          "timingMs",
          "meta"
        ],
        "additionalProperties": false
      },
      "errors": [
        "wait_invalid",
        "timeout/wait"
      ]
    }
  ]
};

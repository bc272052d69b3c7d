// Written by scripts/protocol.mjs from target.json.
export default {
  "group": "target",
  "title": "Tabs of a session",
  "tools": [
    {
      "name": "targets_list",
      "title": "List targets",
      "access": "read",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": false,
      "idempotent": true,
      "readShare": true,
      "permission": null,
      "permissionReason": "session ownership applies",
      "timeoutMs": 30000,
      "command": "targets.list",
      "cli": "targets-list",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "List the tabs of this session.",
      "input": {
        "type": "object",
        "properties": {
          "includeUrls": {
            "type": "boolean",
            "default": false
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "activeTargetId": {
            "type": [
              "string",
              "null"
            ]
          },
          "targets": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "targetId": {
                  "type": "string"
                },
                "type": {
                  "type": "string",
                  "enum": [
                    "page"
                  ]
                },
                "title": {
                  "type": "string"
                },
                "url": {
                  "type": "string"
                },
                "tabId": {
                  "type": "integer"
                },
                "openerTargetId": {
                  "type": "string"
                },
                "discarded": {
                  "type": "boolean"
                }
              },
              "required": [
                "targetId",
                "type",
                "title",
                "tabId"
              ],
              "additionalProperties": false
            }
          }
        },
        "required": [
          "activeTargetId",
          "targets"
        ],
        "additionalProperties": false
      },
      "errors": []
    },
    {
      "name": "target_use",
      "title": "Use target",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": false,
      "idempotent": true,
      "destructive": false,
      "readShare": false,
      "permission": null,
      "permissionReason": "session ownership applies",
      "permissionWhen": [
        {
          "argument": "activate",
          "equals": true,
          "permission": "tab_nav:focus"
        }
      ],
      "timeoutMs": 30000,
      "command": "targets.use",
      "cli": "target-use",
      "profiles": [
        "all"
      ],
      "description": "Make a tab the default for later calls.",
      "input": {
        "type": "object",
        "properties": {
          "targetId": {
            "type": "string",
            "minLength": 1
          },
          "activate": {
            "type": "boolean",
            "default": false,
            "description": "raise it"
          }
        },
        "required": [
          "targetId"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "activeTargetId": {
            "type": "string"
          },
          "url": {
            "type": "string"
          },
          "title": {
            "type": "string"
          }
        },
        "required": [
          "activeTargetId",
          "url",
          "title"
        ],
        "additionalProperties": false
      },
      "errors": [
        "invalid_request/unknown_target"
      ]
    },
    {
      "name": "target_new",
      "title": "New target",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": false,
      "idempotent": false,
      "destructive": false,
      "readShare": false,
      "permission": "tab_nav:open",
      "permissionWhen": [
        {
          "argument": "url",
          "permission": "tab_nav:goto"
        }
      ],
      "timeoutMs": 30000,
      "command": "targets.new",
      "cli": "target-new",
      "profiles": [
        "all"
      ],
      "description": "Open a new background tab.",
      "input": {
        "type": "object",
        "properties": {
          "url": {
            "type": "string",
            "default": "about:blank"
          },
          "active": {
            "type": "boolean",
            "default": false,
            "description": "in front"
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "targetId": {
            "type": "string"
          },
          "url": {
            "type": "string"
          },
          "title": {
            "type": "string"
          }
        },
        "required": [
          "targetId",
          "url",
          "title"
        ],
        "additionalProperties": false
      },
      "errors": [
        "invalid_request/bad_url"
      ]
    },
    {
      "name": "target_close",
      "title": "Close target",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": false,
      "idempotent": true,
      "destructive": true,
      "readShare": false,
      "permission": "tab_nav:close",
      "timeoutMs": 30000,
      "command": "targets.close",
      "cli": "target-close",
      "profiles": [
        "all"
      ],
      "description": "Close one tab.",
      "input": {
        "type": "object",
        "properties": {
          "targetId": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "targetId"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {},
        "additionalProperties": false
      },
      "errors": [
        "invalid_request/unknown_target"
      ]
    }
  ]
};

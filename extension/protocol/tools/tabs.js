// Written by scripts/protocol.mjs from tabs.json.
export default {
  "group": "tabs",
  "title": "All tabs of the browser",
  "tools": [
    {
      "name": "browser_tabs",
      "title": "Browser tabs",
      "access": "read",
      "runsIn": "extension",
      "needsSession": false,
      "idempotent": true,
      "readShare": false,
      "permission": "tab_list:all",
      "openWorld": false,
      "timeoutMs": 30000,
      "command": "browser.tabs",
      "cli": "browser-tabs",
      "profiles": [
        "core",
        "all",
        "read-only"
      ],
      "description": "List all open browser tabs of the user, with ids for browser_read.",
      "unlisted": [
        "browser"
      ],
      "input": {
        "type": "object",
        "properties": {
          "browser": {
            "type": "string"
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "action": {
            "type": "string",
            "enum": [
              "tabs"
            ]
          },
          "tabs": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "id": {
                  "type": "integer"
                },
                "url": {
                  "type": "string"
                },
                "title": {
                  "type": "string"
                },
                "active": {
                  "type": "boolean"
                },
                "windowId": {
                  "type": "integer"
                },
                "pinned": {
                  "type": "boolean"
                },
                "audible": {
                  "type": "boolean"
                },
                "discarded": {
                  "type": "boolean"
                },
                "groupTitle": {
                  "type": "string"
                }
              },
              "required": [
                "id",
                "url",
                "title",
                "active"
              ],
              "additionalProperties": false
            }
          }
        },
        "required": [
          "action",
          "tabs"
        ],
        "additionalProperties": false
      },
      "errors": []
    },
    {
      "name": "browser_read",
      "title": "Read tab",
      "access": "read",
      "runsIn": "extension",
      "needsSession": false,
      "idempotent": true,
      "readShare": false,
      "permission": "tab_read:dom",
      "timeoutMs": 30000,
      "command": "browser.read",
      "cli": "browser-read",
      "profiles": [
        "core",
        "all",
        "read-only"
      ],
      "description": "Read the text content of a browser tab by its id.",
      "unlisted": [
        "browser"
      ],
      "input": {
        "type": "object",
        "properties": {
          "tabId": {
            "type": "number"
          },
          "browser": {
            "type": "string"
          }
        },
        "required": [
          "tabId"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "action": {
            "type": "string",
            "enum": [
              "read"
            ]
          },
          "tabId": {
            "type": "number"
          },
          "url": {
            "type": "string"
          },
          "title": {
            "type": "string"
          },
          "dom": {
            "type": "string"
          },
          "viewport": {
            "type": "object",
            "properties": {
              "width": {
                "type": "number"
              },
              "height": {
                "type": "number"
              },
              "scrollX": {
                "type": "number"
              },
              "scrollY": {
                "type": "number"
              }
            },
            "required": [
              "width",
              "height",
              "scrollX",
              "scrollY"
            ],
            "additionalProperties": false
          },
          "selection": {
            "type": [
              "string",
              "null"
            ]
          },
          "truncated": {
            "type": "boolean"
          }
        },
        "required": [
          "action",
          "tabId",
          "url",
          "title",
          "dom",
          "viewport",
          "selection"
        ],
        "additionalProperties": false
      },
      "errors": [
        "restricted_url",
        "invalid_request/unknown_tab"
      ]
    },
    {
      "name": "browser_execute",
      "title": "Execute script",
      "access": "write",
      "runsIn": "extension",
      "needsSession": false,
      "idempotent": false,
      "destructive": true,
      "readShare": false,
      "permission": "tab_script:run",
      "sensitive": true,
      "timeoutMs": 30000,
      "command": "browser.execute",
      "cli": "browser-execute",
      "profiles": [
        "core",
        "all"
      ],
      "description": "Execute JavaScript in a browser tab and return its result.",
      "unlisted": [
        "browser"
      ],
      "input": {
        "type": "object",
        "properties": {
          "tabId": {
            "type": "number"
          },
          "script": {
            "type": "string",
            "minLength": 1
          },
          "browser": {
            "type": "string"
          }
        },
        "required": [
          "tabId",
          "script"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "action": {
            "type": "string",
            "enum": [
              "execute"
            ]
          },
          "tabId": {
            "type": "number"
          },
          "url": {
            "type": "string"
          },
          "result": {},
          "error": {
            "type": "string"
          }
        },
        "required": [
          "action",
          "tabId",
          "url"
        ],
        "additionalProperties": false
      },
      "errors": [
        "restricted_url",
        "invalid_request/unknown_tab",
        "timeout/script"
      ]
    }
  ]
};

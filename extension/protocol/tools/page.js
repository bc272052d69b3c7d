// Written by scripts/protocol.mjs from page.json.
export default {
  "group": "page",
  "title": "Named pages",
  "tools": [
    {
      "name": "page",
      "title": "Named page",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": false,
      "idempotent": true,
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
      "command": "page.open",
      "cli": "page",
      "profiles": [
        "all"
      ],
      "description": "Open or reuse a tab under a name.",
      "input": {
        "type": "object",
        "properties": {
          "name": {
            "type": "string",
            "minLength": 1
          },
          "url": {
            "type": "string"
          }
        },
        "required": [
          "name"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "targetId": {
            "type": "string"
          },
          "created": {
            "type": "boolean"
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
          "created",
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
      "name": "list",
      "title": "List pages",
      "access": "read",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": false,
      "idempotent": true,
      "readShare": true,
      "permission": null,
      "permissionReason": "session ownership applies",
      "timeoutMs": 30000,
      "command": "page.list",
      "cli": "pages",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "List the named pages.",
      "input": {
        "type": "object",
        "properties": {},
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "pages": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "name": {
                  "type": "string"
                },
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
                "name",
                "targetId",
                "url",
                "title"
              ],
              "additionalProperties": false
            }
          }
        },
        "required": [
          "pages"
        ],
        "additionalProperties": false
      },
      "errors": []
    },
    {
      "name": "close",
      "title": "Close page",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": false,
      "idempotent": true,
      "destructive": true,
      "readShare": false,
      "permission": "tab_nav:close",
      "timeoutMs": 30000,
      "command": "page.close",
      "cli": "page-close",
      "profiles": [
        "all"
      ],
      "description": "Close a named page.",
      "input": {
        "type": "object",
        "properties": {
          "name": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "name"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {},
        "additionalProperties": false
      },
      "errors": [
        "invalid_request/unknown_page"
      ]
    }
  ]
};

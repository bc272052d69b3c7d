// Written by scripts/protocol.mjs from snapshot.json.
export default {
  "group": "snapshot",
  "title": "Snapshots",
  "tools": [
    {
      "name": "snapshot",
      "title": "Snapshot",
      "access": "read",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "readShare": true,
      "permission": "tab_read:dom",
      "timeoutMs": 30000,
      "command": "nav.snapshot",
      "cli": "snapshot",
      "profiles": [
        "core",
        "all",
        "read-only"
      ],
      "description": "Read the page as an indented outline; every element has a ref (r12) that click, type and the other tools take.",
      "cliFlags": {
        "format": "mode"
      },
      "argumentAliases": {
        "mode": "format"
      },
      "unlisted": [
        "viewportFirst",
        "frames",
        "maxNodes"
      ],
      "input": {
        "type": "object",
        "properties": {
          "format": {
            "type": "string",
            "enum": [
              "outline",
              "actionables"
            ],
            "default": "outline"
          },
          "maxChars": {
            "type": "integer",
            "minimum": 500,
            "maximum": 200000,
            "default": 16000
          },
          "cursor": {
            "type": "string",
            "description": "nextCursor of the last answer"
          },
          "root": {
            "type": "string",
            "minLength": 1,
            "description": "only below this ref"
          },
          "find": {
            "type": "string",
            "description": "only matching parts; a | b: either"
          },
          "depth": {
            "type": "integer",
            "minimum": 1,
            "maximum": 100
          },
          "viewportFirst": {
            "type": "boolean",
            "default": true
          },
          "since": {
            "type": "string",
            "description": "only changes since: last, or a snapshotId"
          },
          "frames": {
            "type": "boolean",
            "default": true
          },
          "maxNodes": {
            "type": "integer",
            "minimum": 50,
            "maximum": 5000,
            "default": 1000
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "snapshotId": {
            "type": "string"
          },
          "url": {
            "type": "string"
          },
          "title": {
            "type": "string"
          },
          "content": {
            "type": "string"
          },
          "truncated": {
            "type": "boolean"
          },
          "nextCursor": {
            "type": "string"
          },
          "refCount": {
            "type": "integer"
          },
          "timingMs": {
            "type": "number"
          },
          "warnings": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "targetId": {
            "type": "string"
          }
        },
        "required": [
          "snapshotId",
          "url",
          "title",
          "content",
          "truncated",
          "refCount",
          "timingMs",
          "warnings",
          "targetId"
        ],
        "additionalProperties": false
      },
      "errors": [
        "invalid_request/unknown_snapshot"
      ]
    },
    {
      "name": "review",
      "title": "Review",
      "access": "read",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "readShare": false,
      "permission": "tab_read:dom",
      "timeoutMs": 30000,
      "command": "nav.review",
      "cli": "review",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "Actionable elements and page status in one answer.",
      "input": {
        "type": "object",
        "properties": {
          "maxChars": {
            "type": "integer",
            "minimum": 500,
            "maximum": 200000,
            "default": 16000
          },
          "cursor": {
            "type": "string"
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string"
          },
          "mode": {
            "type": "string"
          },
          "snapshotId": {
            "type": "string"
          },
          "url": {
            "type": "string"
          },
          "title": {
            "type": "string"
          },
          "content": {
            "type": "string"
          },
          "truncated": {
            "type": "boolean"
          },
          "nextCursor": {
            "type": "string"
          },
          "refCount": {
            "type": "integer"
          },
          "timingMs": {
            "type": "number"
          },
          "warnings": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "targetId": {
            "type": "string"
          },
          "status": {
            "type": "object"
          },
          "dialog": {
            "type": "object",
            "properties": {
              "open": {
                "type": "boolean"
              },
              "targetId": {
                "type": "string"
              },
              "type": {
                "type": "string",
                "enum": [
                  "alert",
                  "confirm",
                  "prompt",
                  "beforeunload"
                ]
              },
              "message": {
                "type": "string"
              },
              "defaultPrompt": {
                "type": "string"
              },
              "url": {
                "type": "string"
              },
              "openedAt": {
                "type": "number"
              }
            },
            "required": [
              "open"
            ],
            "additionalProperties": false
          }
        },
        "required": [
          "sessionId",
          "mode",
          "snapshotId",
          "url",
          "title",
          "content",
          "truncated",
          "refCount",
          "timingMs",
          "warnings",
          "targetId",
          "status",
          "dialog"
        ],
        "additionalProperties": false
      },
      "errors": [
        "invalid_request/unknown_snapshot"
      ]
    }
  ]
};

// Written by scripts/protocol.mjs from script.json.
export default {
  "group": "script",
  "title": "Scripts of steps",
  "tools": [
    {
      "name": "run",
      "title": "Run steps",
      "access": "write",
      "runsIn": "hub",
      "needsSession": true,
      "targeted": true,
      "idempotent": false,
      "destructive": true,
      "readShare": false,
      "diff": true,
      "permission": null,
      "permissionReason": "each step is checked under its own name when it is reached",
      "timeoutMs": 120000,
      "command": null,
      "cli": "run",
      "profiles": [
        "core",
        "all"
      ],
      "description": "Run several tool calls in one go, e.g. [{\"action\":\"type\",\"args\":{\"ref\":\"r3\",\"text\":\"hi\"}}]; stops at the first failure.",
      "unlisted": [
        "maxSnapshotChars"
      ],
      "input": {
        "type": "object",
        "properties": {
          "steps": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "action": {
                  "type": "string",
                  "minLength": 1
                },
                "args": {
                  "type": "object"
                }
              },
              "required": [
                "action"
              ],
              "additionalProperties": false
            },
            "minItems": 1,
            "maxItems": 100
          },
          "stopOnError": {
            "type": "boolean",
            "default": true
          },
          "maxSnapshotChars": {
            "type": "integer",
            "minimum": 500,
            "maximum": 200000
          }
        },
        "required": [
          "steps"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "results": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "i": {
                  "type": "integer"
                },
                "ok": {
                  "type": "boolean"
                },
                "data": {
                  "type": "object"
                },
                "error": {
                  "type": "object",
                  "properties": {
                    "message": {
                      "type": "string"
                    },
                    "code": {
                      "type": "string"
                    },
                    "retryable": {
                      "type": "boolean"
                    },
                    "details": {
                      "type": "object"
                    },
                    "toolCode": {
                      "type": "string"
                    }
                  },
                  "required": [
                    "message"
                  ],
                  "additionalProperties": false
                }
              },
              "required": [
                "i",
                "ok"
              ],
              "additionalProperties": false
            }
          },
          "timingMs": {
            "type": "number"
          },
          "sessionId": {
            "type": "string"
          }
        },
        "required": [
          "results",
          "timingMs"
        ],
        "additionalProperties": false
      },
      "errors": [
        "invalid_request/unknown_action"
      ]
    }
  ]
};

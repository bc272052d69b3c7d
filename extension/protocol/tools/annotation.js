// Written by scripts/protocol.mjs from annotation.json.
export default {
  "group": "annotation",
  "title": "Annotation",
  "tools": [
    {
      "name": "annotate",
      "title": "Annotate",
      "access": "read",
      "runsIn": "hub",
      "needsSession": true,
      "targeted": true,
      "idempotent": false,
      "readShare": false,
      "permission": null,
      "permissionReason": "the user selects and submits",
      "timeoutMs": 120000,
      "command": null,
      "cli": "annotate",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "Ask the user to point at elements on the page and comment them.",
      "unlisted": [
        "transport",
        "debug",
        "tabId",
        "url"
      ],
      "input": {
        "type": "object",
        "properties": {
          "transport": {
            "type": "string",
            "enum": [
              "auto",
              "direct",
              "relay"
            ],
            "default": "auto"
          },
          "tabId": {
            "type": "integer"
          },
          "url": {
            "type": "string"
          },
          "screenshotMode": {
            "type": "string",
            "enum": [
              "visible",
              "full",
              "none"
            ],
            "default": "visible"
          },
          "debug": {
            "type": "boolean",
            "default": false
          },
          "context": {
            "type": "string",
            "description": "what you ask for"
          },
          "stored": {
            "type": "boolean",
            "default": false,
            "description": "fetch notes sent earlier"
          },
          "includeScreenshots": {
            "type": "boolean",
            "default": false
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "message": {
            "type": "string"
          },
          "details": {
            "type": "object"
          },
          "screenshots": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "id": {
                  "type": "string"
                },
                "path": {
                  "type": "string"
                }
              },
              "required": [
                "id",
                "path"
              ],
              "additionalProperties": false
            }
          },
          "cancelled": {
            "type": "boolean"
          }
        },
        "required": [
          "message"
        ],
        "additionalProperties": false
      },
      "errors": [
        "annotate_requires_extension",
        "annotate_failed",
        "restricted_url",
        "payload_too_large",
        "execution_failed/injection_failed"
      ]
    }
  ]
};

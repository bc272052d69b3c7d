// Written by scripts/protocol.mjs from capture.json.
export default {
  "group": "capture",
  "title": "Capture",
  "tools": [
    {
      "name": "screenshot",
      "title": "Screenshot",
      "access": "read",
      "runsIn": "hub",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "readShare": false,
      "permission": "tab_read:screenshot",
      "timeoutMs": 30000,
      "command": "page.screenshot",
      "cli": "screenshot",
      "profiles": [
        "core",
        "all",
        "read-only"
      ],
      "description": "Take a picture of the view, an element or the full page.",
      "unlisted": [
        "path",
        "format"
      ],
      "input": {
        "type": "object",
        "properties": {
          "path": {
            "type": "string",
            "description": "file name"
          },
          "ref": {
            "type": "string",
            "minLength": 1
          },
          "fullPage": {
            "type": "boolean",
            "default": false
          },
          "format": {
            "type": "string",
            "enum": [
              "png",
              "jpeg"
            ],
            "default": "png"
          },
          "labels": {
            "type": "boolean",
            "default": false,
            "description": "draw refs"
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "path": {
            "type": "string"
          },
          "artifact_path": {
            "type": "string"
          },
          "warning": {
            "type": "string",
            "enum": [
              "visible_only_fallback"
            ]
          },
          "warnings": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "width": {
            "type": "integer"
          },
          "height": {
            "type": "integer"
          }
        },
        "required": [
          "path",
          "width",
          "height"
        ],
        "additionalProperties": false
      },
      "wire": {
        "payload": {
          "type": "object",
          "properties": {
            "targetId": {
              "type": "string"
            },
            "ref": {
              "type": "string"
            },
            "fullPage": {
              "type": "boolean"
            },
            "format": {
              "type": "string",
              "enum": [
                "png",
                "jpeg"
              ]
            },
            "labels": {
              "type": "boolean"
            }
          },
          "additionalProperties": false
        },
        "answer": {
          "type": "object",
          "properties": {
            "base64": {
              "type": "string"
            },
            "mime": {
              "type": "string",
              "enum": [
                "image/png",
                "image/jpeg"
              ]
            },
            "width": {
              "type": "integer"
            },
            "height": {
              "type": "integer"
            },
            "warning": {
              "type": "string",
              "enum": [
                "visible_only_fallback"
              ]
            },
            "warnings": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "base64",
            "mime",
            "width",
            "height"
          ],
          "additionalProperties": false
        }
      },
      "errors": [
        "path_denied"
      ]
    }
  ]
};

// Written by scripts/protocol.mjs from dialog.json.
export default {
  "group": "dialog",
  "title": "Page dialogs",
  "tools": [
    {
      "name": "dialog",
      "title": "Dialog",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": false,
      "destructive": true,
      "readShare": false,
      "diff": true,
      "permission": "tab_action:dialog",
      "timeoutMs": 30000,
      "command": "page.dialog",
      "cli": "dialog",
      "profiles": [
        "all"
      ],
      "description": "See or answer an alert, confirm, prompt or leave-page dialog.",
      "input": {
        "type": "object",
        "properties": {
          "action": {
            "type": "string",
            "enum": [
              "status",
              "accept",
              "dismiss"
            ],
            "default": "status"
          },
          "promptText": {
            "type": "string"
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
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
          },
          "handled": {
            "type": "boolean"
          }
        },
        "required": [
          "dialog",
          "handled"
        ],
        "additionalProperties": false
      },
      "errors": [
        "invalid_request/no_dialog"
      ]
    }
  ]
};

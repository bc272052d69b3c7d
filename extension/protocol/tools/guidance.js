// Written by scripts/protocol.mjs from guidance.json.
export default {
  "group": "guidance",
  "title": "Guidance",
  "tools": [
    {
      "name": "prompting_guide",
      "title": "Prompting guide",
      "access": "read",
      "runsIn": "hub",
      "needsSession": false,
      "idempotent": true,
      "readShare": false,
      "permission": null,
      "permissionReason": "needs no browser; session ownership applies",
      "openWorld": false,
      "timeoutMs": 30000,
      "command": null,
      "cli": "prompting-guide",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "How to use these tools well.",
      "input": {
        "type": "object",
        "properties": {
          "topic": {
            "type": "string"
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "guide": {
            "type": "string"
          }
        },
        "required": [
          "guide"
        ],
        "additionalProperties": false
      },
      "errors": [
        "prompting_guide_failed"
      ]
    },
    {
      "name": "skill_list",
      "title": "List skills",
      "access": "read",
      "runsIn": "hub",
      "needsSession": false,
      "idempotent": true,
      "readShare": false,
      "permission": null,
      "permissionReason": "needs no browser; session ownership applies",
      "openWorld": false,
      "timeoutMs": 30000,
      "command": null,
      "cli": "skill-list",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "List the installed skill packs.",
      "input": {
        "type": "object",
        "properties": {},
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "skills": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "name": {
                  "type": "string"
                },
                "description": {
                  "type": "string"
                },
                "version": {
                  "type": "string"
                },
                "source": {
                  "type": "string"
                }
              },
              "required": [
                "name",
                "description"
              ],
              "additionalProperties": false
            }
          },
          "count": {
            "type": "integer"
          }
        },
        "required": [
          "skills",
          "count"
        ],
        "additionalProperties": false
      },
      "errors": []
    },
    {
      "name": "skill_load",
      "title": "Load skill",
      "access": "read",
      "runsIn": "hub",
      "needsSession": false,
      "idempotent": true,
      "readShare": false,
      "permission": null,
      "permissionReason": "needs no browser; session ownership applies",
      "openWorld": false,
      "timeoutMs": 30000,
      "command": null,
      "cli": "skill-load",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "Read one skill pack.",
      "input": {
        "type": "object",
        "properties": {
          "name": {
            "type": "string",
            "minLength": 1
          },
          "topic": {
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
          "skill": {
            "type": "string"
          },
          "source": {
            "type": "string"
          },
          "topic": {
            "type": [
              "string",
              "null"
            ]
          },
          "content": {
            "type": "string"
          }
        },
        "required": [
          "skill",
          "topic",
          "content"
        ],
        "additionalProperties": false
      },
      "errors": [
        "SKILL_NOT_FOUND"
      ]
    }
  ]
};

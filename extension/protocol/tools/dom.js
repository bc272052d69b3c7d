// Written by scripts/protocol.mjs from dom.json.
export default {
  "group": "dom",
  "title": "DOM queries",
  "tools": [
    {
      "name": "dom_get_html",
      "title": "Get HTML",
      "access": "read",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "readShare": true,
      "permission": "tab_read:dom",
      "timeoutMs": 30000,
      "command": "dom.getHtml",
      "cli": "dom-html",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "Outer HTML of an element.",
      "input": {
        "type": "object",
        "properties": {
          "ref": {
            "type": "string",
            "minLength": 1
          },
          "maxChars": {
            "type": "integer",
            "minimum": 1,
            "maximum": 4194304,
            "default": 8000
          }
        },
        "required": [
          "ref"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "ref": {
            "type": "string"
          },
          "outerHTML": {
            "type": "string"
          },
          "truncated": {
            "type": "boolean"
          }
        },
        "required": [
          "ref",
          "outerHTML",
          "truncated"
        ],
        "additionalProperties": false
      },
      "errors": [
        "not_supported/payload_too_large"
      ]
    },
    {
      "name": "dom_get_text",
      "title": "Get text",
      "access": "read",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "readShare": true,
      "permission": "tab_read:dom",
      "timeoutMs": 30000,
      "command": "dom.getText",
      "cli": "dom-text",
      "profiles": [
        "core",
        "all",
        "read-only"
      ],
      "description": "Text content of an element.",
      "input": {
        "type": "object",
        "properties": {
          "ref": {
            "type": "string",
            "minLength": 1
          },
          "maxChars": {
            "type": "integer",
            "minimum": 1,
            "maximum": 4194304,
            "default": 8000
          }
        },
        "required": [
          "ref"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "ref": {
            "type": "string"
          },
          "text": {
            "type": "string"
          },
          "truncated": {
            "type": "boolean"
          }
        },
        "required": [
          "ref",
          "text",
          "truncated"
        ],
        "additionalProperties": false
      },
      "errors": [
        "not_supported/payload_too_large"
      ]
    },
    {
      "name": "get_attr",
      "title": "Get attribute",
      "access": "read",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "readShare": true,
      "permission": "tab_read:dom",
      "timeoutMs": 30000,
      "command": "dom.getAttr",
      "cli": "dom-attr",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "Attribute of an element, or null.",
      "cliFlags": {
        "name": "attr"
      },
      "input": {
        "type": "object",
        "properties": {
          "ref": {
            "type": "string",
            "minLength": 1
          },
          "name": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "ref",
          "name"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "value": {
            "type": [
              "string",
              "null"
            ]
          }
        },
        "required": [
          "value"
        ],
        "additionalProperties": false
      },
      "errors": []
    },
    {
      "name": "get_value",
      "title": "Get value",
      "access": "read",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "readShare": true,
      "permission": "tab_read:dom",
      "timeoutMs": 30000,
      "command": "dom.getValue",
      "cli": "dom-value",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "Current value of a control.",
      "input": {
        "type": "object",
        "properties": {
          "ref": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "ref"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "value": {
            "type": [
              "string",
              "null"
            ]
          },
          "redacted": {
            "type": "boolean"
          }
        },
        "required": [
          "value"
        ],
        "additionalProperties": false
      },
      "errors": []
    },
    {
      "name": "is_visible",
      "title": "Is visible",
      "access": "read",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "readShare": true,
      "permission": "tab_read:dom",
      "timeoutMs": 30000,
      "command": "dom.isVisible",
      "cli": "dom-visible",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "Is it rendered, with area?",
      "input": {
        "type": "object",
        "properties": {
          "ref": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "ref"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "value": {
            "type": "boolean"
          }
        },
        "required": [
          "value"
        ],
        "additionalProperties": false
      },
      "errors": []
    },
    {
      "name": "is_enabled",
      "title": "Is enabled",
      "access": "read",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "readShare": true,
      "permission": "tab_read:dom",
      "timeoutMs": 30000,
      "command": "dom.isEnabled",
      "cli": "dom-enabled",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "Is it enabled?",
      "input": {
        "type": "object",
        "properties": {
          "ref": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "ref"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "value": {
            "type": "boolean"
          }
        },
        "required": [
          "value"
        ],
        "additionalProperties": false
      },
      "errors": []
    },
    {
      "name": "is_checked",
      "title": "Is checked",
      "access": "read",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "readShare": true,
      "permission": "tab_read:dom",
      "timeoutMs": 30000,
      "command": "dom.isChecked",
      "cli": "dom-checked",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "Is it checked?",
      "input": {
        "type": "object",
        "properties": {
          "ref": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "ref"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "value": {
            "type": "boolean"
          },
          "mixed": {
            "type": "boolean"
          }
        },
        "required": [
          "value"
        ],
        "additionalProperties": false
      },
      "errors": []
    }
  ]
};

// Written by scripts/protocol.mjs from export.json.
export default {
  "group": "export",
  "title": "Export",
  "tools": [
    {
      "name": "clone_page",
      "title": "Clone page",
      "access": "read",
      "runsIn": "hub",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "readShare": false,
      "permission": "tab_read:export",
      "timeoutMs": 30000,
      "command": "export.clonePage",
      "cli": "clone-page",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "Export the page as a React component and CSS.",
      "input": {
        "type": "object",
        "properties": {
          "maxNodes": {
            "type": "integer",
            "minimum": 1,
            "maximum": 20000,
            "default": 1000
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "component": {
            "type": "string"
          },
          "css": {
            "type": "string"
          },
          "warnings": {
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        },
        "required": [
          "component",
          "css"
        ],
        "additionalProperties": false
      },
      "wire": {
        "answer": {
          "type": "object",
          "properties": {
            "capture": {
              "type": "object",
              "properties": {
                "html": {
                  "type": "string"
                },
                "styles": {
                  "type": "string"
                },
                "warnings": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  }
                },
                "inlineStyles": {
                  "type": "boolean"
                }
              },
              "required": [
                "html",
                "styles",
                "warnings",
                "inlineStyles"
              ],
              "additionalProperties": false
            }
          },
          "required": [
            "capture"
          ],
          "additionalProperties": false
        }
      },
      "errors": [
        "not_supported/payload_too_large"
      ]
    },
    {
      "name": "clone_component",
      "title": "Clone component",
      "access": "read",
      "runsIn": "hub",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "readShare": false,
      "permission": "tab_read:export",
      "timeoutMs": 30000,
      "command": "export.cloneComponent",
      "cli": "clone-component",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "Export one element as a React component and CSS.",
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
          "component": {
            "type": "string"
          },
          "css": {
            "type": "string"
          },
          "warnings": {
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        },
        "required": [
          "component",
          "css"
        ],
        "additionalProperties": false
      },
      "wire": {
        "answer": {
          "type": "object",
          "properties": {
            "capture": {
              "type": "object",
              "properties": {
                "html": {
                  "type": "string"
                },
                "styles": {
                  "type": "string"
                },
                "warnings": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  }
                },
                "inlineStyles": {
                  "type": "boolean"
                }
              },
              "required": [
                "html",
                "styles",
                "warnings",
                "inlineStyles"
              ],
              "additionalProperties": false
            }
          },
          "required": [
            "capture"
          ],
          "additionalProperties": false
        }
      },
      "errors": [
        "not_supported/payload_too_large"
      ]
    }
  ]
};

// Written by scripts/protocol.mjs from pointer.json.
export default {
  "group": "pointer",
  "title": "Pointer",
  "tools": [
    {
      "name": "pointer_move",
      "title": "Move pointer",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "destructive": false,
      "readShare": false,
      "diff": true,
      "permission": "tab_action:hover",
      "timeoutMs": 30000,
      "command": "pointer.move",
      "cli": "pointer-move",
      "profiles": [
        "all"
      ],
      "description": "Move the mouse to viewport pixels x, y.",
      "missing": "Pointer move requires numeric x and y.",
      "input": {
        "type": "object",
        "properties": {
          "x": {
            "type": "number"
          },
          "y": {
            "type": "number"
          },
          "steps": {
            "type": "integer",
            "minimum": 1,
            "maximum": 100,
            "default": 1
          }
        },
        "required": [
          "x",
          "y"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "timingMs": {
            "type": "number"
          }
        },
        "required": [
          "timingMs"
        ],
        "additionalProperties": false
      },
      "errors": []
    },
    {
      "name": "pointer_down",
      "title": "Pointer down",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": false,
      "destructive": true,
      "readShare": false,
      "diff": true,
      "permission": "tab_action:click",
      "timeoutMs": 30000,
      "command": "pointer.down",
      "cli": "pointer-down",
      "profiles": [
        "all"
      ],
      "description": "Press a mouse button at x, y.",
      "input": {
        "type": "object",
        "properties": {
          "x": {
            "type": "number"
          },
          "y": {
            "type": "number"
          },
          "button": {
            "type": "string",
            "enum": [
              "left",
              "middle",
              "right"
            ],
            "default": "left"
          },
          "clickCount": {
            "type": "integer",
            "minimum": 1,
            "maximum": 3,
            "default": 1
          }
        },
        "required": [
          "x",
          "y"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "timingMs": {
            "type": "number"
          }
        },
        "required": [
          "timingMs"
        ],
        "additionalProperties": false
      },
      "errors": []
    },
    {
      "name": "pointer_up",
      "title": "Pointer up",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": false,
      "destructive": true,
      "readShare": false,
      "diff": true,
      "permission": "tab_action:click",
      "timeoutMs": 30000,
      "command": "pointer.up",
      "cli": "pointer-up",
      "profiles": [
        "all"
      ],
      "description": "Release a mouse button at x, y.",
      "input": {
        "type": "object",
        "properties": {
          "x": {
            "type": "number"
          },
          "y": {
            "type": "number"
          },
          "button": {
            "type": "string",
            "enum": [
              "left",
              "middle",
              "right"
            ],
            "default": "left"
          },
          "clickCount": {
            "type": "integer",
            "minimum": 1,
            "maximum": 3,
            "default": 1
          }
        },
        "required": [
          "x",
          "y"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "timingMs": {
            "type": "number"
          }
        },
        "required": [
          "timingMs"
        ],
        "additionalProperties": false
      },
      "errors": []
    },
    {
      "name": "pointer_drag",
      "title": "Drag",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": false,
      "destructive": true,
      "readShare": false,
      "diff": true,
      "permission": "tab_action:click",
      "timeoutMs": 30000,
      "command": "pointer.drag",
      "cli": "pointer-drag",
      "profiles": [
        "all"
      ],
      "description": "Drag with the mouse.",
      "argumentAliases": {
        "from.x": "fromX",
        "from.y": "fromY",
        "to.x": "toX",
        "to.y": "toY"
      },
      "input": {
        "type": "object",
        "properties": {
          "fromX": {
            "type": "number"
          },
          "fromY": {
            "type": "number"
          },
          "toX": {
            "type": "number"
          },
          "toY": {
            "type": "number"
          },
          "steps": {
            "type": "integer",
            "minimum": 1,
            "maximum": 100,
            "default": 1
          }
        },
        "required": [
          "fromX",
          "fromY",
          "toX",
          "toY"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "timingMs": {
            "type": "number"
          }
        },
        "required": [
          "timingMs"
        ],
        "additionalProperties": false
      },
      "errors": []
    }
  ]
};

// Written by scripts/protocol.mjs from interaction.json.
export default {
  "group": "interaction",
  "title": "Interaction",
  "tools": [
    {
      "name": "click",
      "title": "Click",
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
      "command": "interact.click",
      "cli": "click",
      "profiles": [
        "core",
        "all"
      ],
      "description": "Click an element with the real mouse.",
      "input": {
        "type": "object",
        "properties": {
          "ref": {
            "type": "string",
            "minLength": 1
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
          },
          "modifiers": {
            "type": "array",
            "items": {
              "type": "string",
              "enum": [
                "Alt",
                "Control",
                "Meta",
                "Shift"
              ]
            }
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
          "timingMs": {
            "type": "number"
          },
          "navigated": {
            "type": "boolean"
          },
          "url": {
            "type": "string"
          },
          "newTargets": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
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
                "targetId",
                "url"
              ],
              "additionalProperties": false
            }
          },
          "downloads": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "name": {
                  "type": "string"
                },
                "host": {
                  "type": "string"
                }
              },
              "required": [
                "name",
                "host"
              ],
              "additionalProperties": false
            }
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
          "timingMs",
          "navigated",
          "url"
        ],
        "additionalProperties": false
      },
      "errors": [
        "execution_failed/covered",
        "execution_failed/not_visible",
        "execution_failed/disabled"
      ]
    },
    {
      "name": "hover",
      "title": "Hover",
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
      "command": "interact.hover",
      "cli": "hover",
      "profiles": [
        "all"
      ],
      "description": "Move the mouse over an element.",
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
          "timingMs": {
            "type": "number"
          }
        },
        "required": [
          "timingMs"
        ],
        "additionalProperties": false
      },
      "errors": [
        "execution_failed/covered",
        "execution_failed/not_visible"
      ]
    },
    {
      "name": "press",
      "title": "Press key",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": false,
      "destructive": true,
      "readShare": false,
      "diff": true,
      "permission": "tab_action:input",
      "permissionSecret": "tab_action:secret",
      "timeoutMs": 30000,
      "command": "interact.press",
      "cli": "press",
      "profiles": [
        "core",
        "all"
      ],
      "description": "Press a key or chord: Enter, ArrowDown, Control+A.",
      "input": {
        "type": "object",
        "properties": {
          "key": {
            "type": "string",
            "minLength": 1
          },
          "ref": {
            "type": "string",
            "minLength": 1,
            "description": "focus it first"
          }
        },
        "required": [
          "key"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "timingMs": {
            "type": "number"
          },
          "downloads": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "name": {
                  "type": "string"
                },
                "host": {
                  "type": "string"
                }
              },
              "required": [
                "name",
                "host"
              ],
              "additionalProperties": false
            }
          }
        },
        "required": [
          "timingMs"
        ],
        "additionalProperties": false
      },
      "errors": [
        "invalid_request/unknown_key",
        "execution_failed/not_visible",
        "execution_failed/verify_failed"
      ]
    },
    {
      "name": "check",
      "title": "Check",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "destructive": false,
      "readShare": false,
      "diff": true,
      "permission": "tab_action:click",
      "timeoutMs": 30000,
      "command": "interact.check",
      "cli": "check",
      "profiles": [
        "all"
      ],
      "description": "Tick a checkbox or switch.",
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
          "timingMs": {
            "type": "number"
          },
          "changed": {
            "type": "boolean"
          }
        },
        "required": [
          "timingMs",
          "changed"
        ],
        "additionalProperties": false
      },
      "errors": [
        "execution_failed/verify_failed",
        "execution_failed/covered",
        "execution_failed/disabled"
      ]
    },
    {
      "name": "uncheck",
      "title": "Uncheck",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "destructive": false,
      "readShare": false,
      "diff": true,
      "permission": "tab_action:click",
      "timeoutMs": 30000,
      "command": "interact.uncheck",
      "cli": "uncheck",
      "profiles": [
        "all"
      ],
      "description": "Untick a checkbox or switch.",
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
          "timingMs": {
            "type": "number"
          },
          "changed": {
            "type": "boolean"
          }
        },
        "required": [
          "timingMs",
          "changed"
        ],
        "additionalProperties": false
      },
      "errors": [
        "execution_failed/verify_failed",
        "execution_failed/covered",
        "execution_failed/disabled"
      ]
    },
    {
      "name": "type",
      "title": "Type text",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": false,
      "destructive": true,
      "readShare": false,
      "diff": true,
      "permission": "tab_action:input",
      "permissionSecret": "tab_action:secret",
      "timeoutMs": 30000,
      "command": "interact.type",
      "cli": "type",
      "profiles": [
        "core",
        "all"
      ],
      "description": "Type text into a field; clear empties it first, submit presses Enter.",
      "missing": "Missing ref or text",
      "unlisted": [
        "keys"
      ],
      "input": {
        "type": "object",
        "properties": {
          "ref": {
            "type": "string",
            "minLength": 1
          },
          "text": {
            "type": "string"
          },
          "clear": {
            "type": "boolean",
            "default": false
          },
          "submit": {
            "type": "boolean",
            "default": false
          },
          "keys": {
            "type": "boolean",
            "default": false,
            "description": "key by key"
          }
        },
        "required": [
          "ref",
          "text"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "timingMs": {
            "type": "number"
          },
          "value": {
            "type": "string"
          },
          "redacted": {
            "type": "boolean"
          },
          "downloads": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "name": {
                  "type": "string"
                },
                "host": {
                  "type": "string"
                }
              },
              "required": [
                "name",
                "host"
              ],
              "additionalProperties": false
            }
          }
        },
        "required": [
          "timingMs",
          "value"
        ],
        "additionalProperties": false
      },
      "errors": [
        "execution_failed/not_editable",
        "execution_failed/verify_failed",
        "execution_failed/disabled"
      ]
    },
    {
      "name": "select",
      "title": "Select option",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "destructive": false,
      "readShare": false,
      "diff": true,
      "permission": "tab_action:input",
      "timeoutMs": 30000,
      "command": "interact.select",
      "cli": "select",
      "profiles": [
        "core",
        "all"
      ],
      "description": "Choose options of a select by value or label.",
      "cliCommas": [
        "values"
      ],
      "missing": "Missing ref or values",
      "input": {
        "type": "object",
        "properties": {
          "ref": {
            "type": "string",
            "minLength": 1
          },
          "values": {
            "type": "array",
            "items": {
              "type": "string"
            },
            "minItems": 1
          }
        },
        "required": [
          "ref",
          "values"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "selected": {
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        },
        "required": [
          "selected"
        ],
        "additionalProperties": false
      },
      "errors": [
        "invalid_request/unknown_option",
        "execution_failed/verify_failed",
        "execution_failed/disabled"
      ]
    },
    {
      "name": "scroll",
      "title": "Scroll",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": false,
      "destructive": false,
      "readShare": false,
      "diff": true,
      "permission": "tab_action:scroll",
      "timeoutMs": 30000,
      "command": "interact.scroll",
      "cli": "scroll",
      "profiles": [
        "core",
        "all"
      ],
      "description": "Scroll the page or a ref by dy pixels.",
      "input": {
        "type": "object",
        "properties": {
          "dy": {
            "type": "number"
          },
          "ref": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "dy"
        ],
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "scrollTop": {
            "type": "number"
          }
        },
        "required": [
          "scrollTop"
        ],
        "additionalProperties": false
      },
      "errors": []
    },
    {
      "name": "scroll_into_view",
      "title": "Scroll into view",
      "access": "write",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "destructive": false,
      "readShare": false,
      "diff": true,
      "permission": "tab_action:scroll",
      "timeoutMs": 30000,
      "command": "interact.scrollIntoView",
      "cli": "scroll-into-view",
      "profiles": [
        "all"
      ],
      "description": "Bring an element into view.",
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
      "name": "upload",
      "title": "Upload files",
      "access": "write",
      "runsIn": "hub",
      "needsSession": true,
      "targeted": true,
      "idempotent": false,
      "destructive": false,
      "readShare": false,
      "diff": true,
      "permission": "tab_action:upload",
      "sensitive": true,
      "timeoutMs": 30000,
      "command": "interact.upload",
      "cli": "upload",
      "profiles": [
        "all"
      ],
      "description": "Put files into a file input, or where a button asks for them.",
      "input": {
        "type": "object",
        "properties": {
          "ref": {
            "type": "string",
            "minLength": 1
          },
          "files": {
            "type": "array",
            "items": {
              "type": "string"
            },
            "minItems": 1,
            "description": "paths inside the session's folders"
          },
          "contents": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "name": {
                  "type": "string",
                  "minLength": 1
                },
                "base64": {
                  "type": "string"
                },
                "mime": {
                  "type": "string"
                }
              },
              "required": [
                "name",
                "base64"
              ],
              "additionalProperties": false
            }
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
          "targetId": {
            "type": "string"
          },
          "fileCount": {
            "type": "integer"
          },
          "mode": {
            "type": "string",
            "enum": [
              "direct_input",
              "file_chooser"
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
          "targetId",
          "fileCount",
          "mode"
        ],
        "additionalProperties": false
      },
      "wire": {
        "payload": {
          "type": "object",
          "properties": {
            "ref": {
              "type": "string",
              "minLength": 1
            },
            "targetId": {
              "type": "string"
            },
            "contents": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "name": {
                    "type": "string",
                    "minLength": 1
                  },
                  "base64": {
                    "type": "string"
                  },
                  "mime": {
                    "type": "string"
                  }
                },
                "required": [
                  "name",
                  "base64"
                ],
                "additionalProperties": false
              },
              "minItems": 1
            },
            "diff": {
              "type": "boolean"
            }
          },
          "required": [
            "ref",
            "contents"
          ],
          "additionalProperties": false
        }
      },
      "errors": [
        "path_denied",
        "execution_failed/not_editable",
        "execution_failed/disabled"
      ]
    }
  ]
};

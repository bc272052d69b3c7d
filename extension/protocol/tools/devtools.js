// Written by scripts/protocol.mjs from devtools.json.
export default {
  "group": "devtools",
  "title": "Developer tools",
  "tools": [
    {
      "name": "console_poll",
      "title": "Console",
      "access": "read",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "readShare": false,
      "permission": "tab_read:console",
      "timeoutMs": 30000,
      "command": "devtools.consolePoll",
      "cli": "console-poll",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "Console messages and exceptions after a sequence number.",
      "input": {
        "type": "object",
        "properties": {
          "sinceSeq": {
            "type": "integer",
            "minimum": 0,
            "default": 0
          },
          "max": {
            "type": "integer",
            "minimum": 1,
            "maximum": 1000,
            "default": 50
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "events": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "seq": {
                  "type": "integer"
                },
                "kind": {
                  "type": "string",
                  "enum": [
                    "console",
                    "exception",
                    "log"
                  ]
                },
                "level": {
                  "type": "string"
                },
                "category": {
                  "type": "string",
                  "enum": [
                    "log",
                    "warning",
                    "error",
                    "debug",
                    "trace",
                    "assert",
                    "other"
                  ]
                },
                "text": {
                  "type": "string"
                },
                "argsPreview": {
                  "type": "string"
                },
                "source": {
                  "type": "string"
                },
                "line": {
                  "type": "integer"
                },
                "column": {
                  "type": "integer"
                },
                "ts": {
                  "type": "number"
                },
                "targetId": {
                  "type": "string"
                },
                "stack": {
                  "type": "string"
                }
              },
              "required": [
                "seq",
                "kind",
                "level",
                "category",
                "text",
                "ts",
                "targetId"
              ],
              "additionalProperties": false
            }
          },
          "nextSeq": {
            "type": "integer"
          },
          "truncated": {
            "type": "boolean"
          },
          "dropped": {
            "type": "integer"
          },
          "gap": {
            "type": "object",
            "properties": {
              "from": {
                "type": "number"
              },
              "to": {
                "type": "number"
              }
            },
            "required": [
              "from",
              "to"
            ],
            "additionalProperties": false
          }
        },
        "required": [
          "events",
          "nextSeq",
          "dropped"
        ],
        "additionalProperties": false
      },
      "errors": []
    },
    {
      "name": "network_poll",
      "title": "Network",
      "access": "read",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "readShare": false,
      "permission": "tab_read:network",
      "timeoutMs": 30000,
      "command": "devtools.networkPoll",
      "cli": "network-poll",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "Finished and pending requests after a sequence number.",
      "input": {
        "type": "object",
        "properties": {
          "sinceSeq": {
            "type": "integer",
            "minimum": 0,
            "default": 0
          },
          "max": {
            "type": "integer",
            "minimum": 1,
            "maximum": 1000,
            "default": 50
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "events": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "seq": {
                  "type": "integer"
                },
                "requestId": {
                  "type": "string"
                },
                "targetId": {
                  "type": "string"
                },
                "method": {
                  "type": "string"
                },
                "url": {
                  "type": "string"
                },
                "status": {
                  "type": "integer"
                },
                "resourceType": {
                  "type": "string"
                },
                "ts": {
                  "type": "number"
                },
                "durationMs": {
                  "type": "number"
                },
                "timing": {
                  "type": "object"
                },
                "bytes": {
                  "type": "number"
                },
                "fromCache": {
                  "type": "boolean"
                },
                "mimeType": {
                  "type": "string"
                },
                "partial": {
                  "type": "boolean"
                },
                "error": {
                  "type": "object",
                  "properties": {
                    "netError": {
                      "type": "string"
                    },
                    "canceled": {
                      "type": "boolean"
                    }
                  },
                  "required": [
                    "netError"
                  ],
                  "additionalProperties": false
                }
              },
              "required": [
                "requestId",
                "targetId",
                "method",
                "url",
                "ts"
              ],
              "additionalProperties": false
            }
          },
          "nextSeq": {
            "type": "integer"
          },
          "truncated": {
            "type": "boolean"
          },
          "dropped": {
            "type": "integer"
          },
          "partial": {
            "type": "boolean"
          },
          "gap": {
            "type": "object",
            "properties": {
              "from": {
                "type": "number"
              },
              "to": {
                "type": "number"
              }
            },
            "required": [
              "from",
              "to"
            ],
            "additionalProperties": false
          },
          "pending": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "seq": {
                  "type": "integer"
                },
                "requestId": {
                  "type": "string"
                },
                "targetId": {
                  "type": "string"
                },
                "method": {
                  "type": "string"
                },
                "url": {
                  "type": "string"
                },
                "status": {
                  "type": "integer"
                },
                "resourceType": {
                  "type": "string"
                },
                "ts": {
                  "type": "number"
                },
                "durationMs": {
                  "type": "number"
                },
                "timing": {
                  "type": "object"
                },
                "bytes": {
                  "type": "number"
                },
                "fromCache": {
                  "type": "boolean"
                },
                "mimeType": {
                  "type": "string"
                },
                "partial": {
                  "type": "boolean"
                },
                "error": {
                  "type": "object",
                  "properties": {
                    "netError": {
                      "type": "string"
                    },
                    "canceled": {
                      "type": "boolean"
                    }
                  },
                  "required": [
                    "netError"
                  ],
                  "additionalProperties": false
                }
              },
              "required": [
                "requestId",
                "targetId",
                "method",
                "url",
                "ts"
              ],
              "additionalProperties": false
            }
          }
        },
        "required": [
          "events",
          "nextSeq",
          "dropped",
          "pending"
        ],
        "additionalProperties": false
      },
      "errors": []
    },
    {
      "name": "perf",
      "title": "Performance",
      "access": "read",
      "runsIn": "extension",
      "needsSession": true,
      "targeted": true,
      "idempotent": true,
      "readShare": false,
      "permission": "tab_read:perf",
      "timeoutMs": 30000,
      "command": "devtools.perf",
      "cli": "perf",
      "profiles": [
        "all",
        "read-only"
      ],
      "description": "Performance metrics and web vitals.",
      "input": {
        "type": "object",
        "properties": {},
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "metrics": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "name": {
                  "type": "string"
                },
                "value": {
                  "type": "number"
                }
              },
              "required": [
                "name",
                "value"
              ],
              "additionalProperties": false
            }
          },
          "vitals": {
            "type": "object",
            "properties": {
              "lcp": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "cls": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "inp": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "fcp": {
                "type": [
                  "number",
                  "null"
                ]
              },
              "ttfb": {
                "type": [
                  "number",
                  "null"
                ]
              }
            },
            "additionalProperties": false
          }
        },
        "required": [
          "metrics",
          "vitals"
        ],
        "additionalProperties": false
      },
      "errors": []
    }
  ]
};

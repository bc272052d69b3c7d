// Written by scripts/protocol.mjs from session.json.
export default {
  "group": "session",
  "title": "Sessions",
  "tools": [
    {
      "name": "launch",
      "title": "Launch session",
      "access": "write",
      "runsIn": "hub",
      "needsSession": false,
      "idempotent": false,
      "destructive": false,
      "readShare": false,
      "permission": "tab_nav:open",
      "permissionWhen": [
        {
          "argument": "startUrl",
          "permission": "tab_nav:goto"
        }
      ],
      "timeoutMs": 30000,
      "command": "session.launch",
      "cli": "launch",
      "profiles": [
        "all"
      ],
      "description": "Open a browser session in a new background tab. Optional: the first tool call opens one by itself.",
      "cliFlags": {
        "flags": "flag"
      },
      "userOnly": [
        "profile",
        "chromePath",
        "flags",
        "persistProfile"
      ],
      "unlisted": [
        "extensionOnly",
        "extensionLegacy",
        "waitForExtension",
        "waitTimeoutMs",
        "telemetry",
        "shareMode",
        "headless",
        "noExtension"
      ],
      "input": {
        "type": "object",
        "properties": {
          "startUrl": {
            "type": "string",
            "description": "first page"
          },
          "profile": {
            "type": "string",
            "description": "managed profile name"
          },
          "headless": {
            "type": "boolean",
            "default": false
          },
          "chromePath": {
            "type": "string"
          },
          "flags": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "persistProfile": {
            "type": "boolean"
          },
          "noExtension": {
            "type": "boolean",
            "default": false,
            "description": "managed browser instead of the user's"
          },
          "extensionOnly": {
            "type": "boolean",
            "default": false
          },
          "extensionLegacy": {
            "type": "boolean",
            "default": false
          },
          "waitForExtension": {
            "type": "boolean",
            "default": false
          },
          "waitTimeoutMs": {
            "type": "integer",
            "minimum": 3000,
            "maximum": 600000,
            "default": 30000
          },
          "tabId": {
            "type": "integer",
            "description": "take over this tab"
          },
          "useActiveTab": {
            "type": "boolean",
            "default": false,
            "description": "take over the user's active tab"
          },
          "shareMode": {
            "type": "string",
            "enum": [
              "none",
              "read"
            ],
            "default": "none"
          },
          "label": {
            "type": "string",
            "description": "name of the tab group"
          },
          "telemetry": {
            "type": "string",
            "enum": [
              "auto",
              "keep"
            ],
            "default": "auto"
          },
          "browser": {
            "type": "string",
            "description": "which connected browser"
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string"
          },
          "mode": {
            "type": "string",
            "enum": [
              "managed",
              "cdpConnect",
              "extension"
            ]
          },
          "activeTargetId": {
            "type": "string"
          },
          "browserWsEndpoint": {
            "type": "string"
          },
          "wsEndpoint": {
            "type": "string"
          },
          "leaseId": {
            "type": "string"
          },
          "warnings": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "diagnostics": {
            "type": "object"
          },
          "state": {
            "type": "string",
            "enum": [
              "initializing",
              "active",
              "closing",
              "closed"
            ]
          },
          "sessionMode": {
            "type": "string",
            "enum": [
              "managed",
              "cdpConnect",
              "extension_ops",
              "extension_legacy"
            ]
          },
          "browser": {
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
          "sessionId",
          "mode",
          "activeTargetId",
          "leaseId",
          "state",
          "sessionMode"
        ],
        "additionalProperties": false
      },
      "wire": {
        "payload": {
          "type": "object",
          "properties": {
            "sessionId": {
              "type": "string",
              "minLength": 1
            },
            "leaseId": {
              "type": "string",
              "minLength": 1
            },
            "startUrl": {
              "type": "string"
            },
            "tabId": {
              "type": "integer"
            },
            "useActiveTab": {
              "type": "boolean"
            },
            "active": {
              "type": "boolean"
            },
            "shareMode": {
              "type": "string",
              "enum": [
                "none",
                "read"
              ]
            },
            "label": {
              "type": "string"
            },
            "telemetry": {
              "type": "string",
              "enum": [
                "auto",
                "keep"
              ]
            },
            "parallelismPolicy": {
              "type": "object"
            }
          },
          "additionalProperties": false
        },
        "answer": {
          "type": "object",
          "properties": {
            "opsSessionId": {
              "type": "string"
            },
            "activeTargetId": {
              "type": "string"
            },
            "url": {
              "type": "string"
            },
            "title": {
              "type": "string"
            },
            "leaseId": {
              "type": "string"
            },
            "state": {
              "type": "string",
              "enum": [
                "initializing",
                "active",
                "closing",
                "closed"
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
            "opsSessionId",
            "activeTargetId",
            "url",
            "title",
            "leaseId",
            "state"
          ],
          "additionalProperties": false
        }
      },
      "errors": [
        "unsupported_mode",
        "extension_not_connected",
        "extension_connect_failed",
        "launch_failed",
        "invalid_request/bad_url",
        "not_owner/tab_locked"
      ]
    },
    {
      "name": "connect",
      "title": "Connect session",
      "access": "write",
      "runsIn": "hub",
      "needsSession": false,
      "idempotent": false,
      "destructive": false,
      "readShare": false,
      "permission": "tab_nav:open",
      "permissionWhen": [
        {
          "argument": "startUrl",
          "permission": "tab_nav:goto"
        }
      ],
      "timeoutMs": 30000,
      "command": "session.connect",
      "cli": "connect",
      "profiles": [
        "all"
      ],
      "description": "Re-attach to a session by its lease, or join one as a reader.",
      "cliFlags": {
        "port": "cdp-port"
      },
      "argumentAliases": {
        "sessionLeaseId": "leaseId"
      },
      "userOnly": [
        "wsEndpoint",
        "host",
        "port"
      ],
      "unlisted": [
        "extensionLegacy",
        "browser"
      ],
      "input": {
        "type": "object",
        "properties": {
          "wsEndpoint": {
            "type": "string"
          },
          "host": {
            "type": "string"
          },
          "port": {
            "type": "integer",
            "minimum": 1,
            "maximum": 65535
          },
          "startUrl": {
            "type": "string"
          },
          "extensionLegacy": {
            "type": "boolean",
            "default": false
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "leaseId": {
            "type": "string",
            "minLength": 1
          },
          "shareMode": {
            "type": "string",
            "enum": [
              "read"
            ]
          },
          "browser": {
            "type": "string"
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string"
          },
          "mode": {
            "type": "string",
            "enum": [
              "managed",
              "cdpConnect",
              "extension"
            ]
          },
          "activeTargetId": {
            "type": "string"
          },
          "browserWsEndpoint": {
            "type": "string"
          },
          "wsEndpoint": {
            "type": "string"
          },
          "leaseId": {
            "type": "string"
          },
          "warnings": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "diagnostics": {
            "type": "object"
          },
          "state": {
            "type": "string",
            "enum": [
              "initializing",
              "active",
              "closing",
              "closed"
            ]
          },
          "sessionMode": {
            "type": "string",
            "enum": [
              "managed",
              "cdpConnect",
              "extension_ops",
              "extension_legacy"
            ]
          },
          "browser": {
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
          "sessionId",
          "mode",
          "activeTargetId",
          "leaseId",
          "state",
          "sessionMode"
        ],
        "additionalProperties": false
      },
      "wire": {
        "payload": {
          "type": "object",
          "properties": {
            "sessionId": {
              "type": "string",
              "minLength": 1
            },
            "leaseId": {
              "type": "string",
              "minLength": 1
            },
            "startUrl": {
              "type": "string"
            },
            "tabId": {
              "type": "integer"
            },
            "useActiveTab": {
              "type": "boolean"
            },
            "active": {
              "type": "boolean"
            },
            "shareMode": {
              "type": "string",
              "enum": [
                "none",
                "read"
              ]
            },
            "label": {
              "type": "string"
            },
            "telemetry": {
              "type": "string",
              "enum": [
                "auto",
                "keep"
              ]
            },
            "parallelismPolicy": {
              "type": "object"
            }
          },
          "additionalProperties": false
        },
        "answer": {
          "type": "object",
          "properties": {
            "opsSessionId": {
              "type": "string"
            },
            "activeTargetId": {
              "type": "string"
            },
            "url": {
              "type": "string"
            },
            "title": {
              "type": "string"
            },
            "leaseId": {
              "type": "string"
            },
            "state": {
              "type": "string",
              "enum": [
                "initializing",
                "active",
                "closing",
                "closed"
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
            "opsSessionId",
            "activeTargetId",
            "url",
            "title",
            "leaseId",
            "state"
          ],
          "additionalProperties": false
        }
      },
      "errors": [
        "extension_legacy_required",
        "extension_not_connected",
        "unsupported_mode",
        "connect_failed",
        "invalid_session/unknown",
        "not_owner/wrong_lease"
      ]
    },
    {
      "name": "disconnect",
      "title": "Disconnect session",
      "access": "write",
      "runsIn": "hub",
      "needsSession": true,
      "targeted": false,
      "idempotent": true,
      "destructive": true,
      "readShare": false,
      "permission": null,
      "permissionReason": "session ownership applies",
      "timeoutMs": 20000,
      "command": "session.disconnect",
      "cli": "disconnect",
      "profiles": [
        "all"
      ],
      "description": "End the session; its tabs stay open unless closeTabs.",
      "input": {
        "type": "object",
        "properties": {
          "closeBrowser": {
            "type": "boolean",
            "default": false,
            "description": "also end a managed browser"
          },
          "closeTabs": {
            "type": "boolean",
            "default": false
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {},
        "additionalProperties": false
      },
      "errors": []
    },
    {
      "name": "status",
      "title": "Status",
      "access": "read",
      "runsIn": "hub",
      "needsSession": false,
      "idempotent": true,
      "readShare": true,
      "permission": null,
      "permissionReason": "session ownership applies",
      "timeoutMs": 30000,
      "command": "session.status",
      "cli": "status",
      "profiles": [
        "core",
        "all",
        "read-only"
      ],
      "description": "State of session, hub and extension: current URL, title, open dialog.",
      "unlisted": [
        "daemon"
      ],
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "daemon": {
            "type": "boolean",
            "default": false,
            "description": "hub only"
          }
        },
        "additionalProperties": false
      },
      "output": {
        "type": "object",
        "properties": {
          "mode": {
            "type": "string",
            "enum": [
              "managed",
              "cdpConnect",
              "extension"
            ]
          },
          "activeTargetId": {
            "type": [
              "string",
              "null"
            ]
          },
          "url": {
            "type": "string"
          },
          "title": {
            "type": "string"
          },
          "meta": {
            "type": "object",
            "properties": {
              "blockerState": {
                "type": "string",
                "enum": [
                  "clear",
                  "active",
                  "resolving"
                ]
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
              },
              "blocker": {
                "type": "object"
              }
            },
            "required": [
              "blockerState",
              "dialog"
            ],
            "additionalProperties": false
          },
          "daemon": {
            "type": "object"
          },
          "hubEnabled": {
            "type": "boolean"
          },
          "extensionPath": {
            "type": "string"
          },
          "version": {
            "type": "string"
          },
          "updateHint": {
            "type": "string"
          },
          "state": {
            "type": "string",
            "enum": [
              "initializing",
              "active",
              "closing",
              "closed"
            ]
          },
          "owner": {
            "type": "string"
          },
          "shareMode": {
            "type": "string",
            "enum": [
              "none",
              "read"
            ]
          },
          "health": {
            "type": "object"
          },
          "sessionId": {
            "type": "string"
          },
          "sessionMode": {
            "type": "string"
          },
          "browser": {
            "type": "string"
          },
          "sessions": {
            "type": "array",
            "items": {
              "type": "object"
            }
          },
          "browsers": {
            "type": "array",
            "items": {
              "type": "object"
            }
          },
          "clients": {
            "type": "array",
            "items": {
              "type": "object"
            }
          }
        },
        "required": [
          "version"
        ],
        "additionalProperties": false
      },
      "wire": {
        "answer": {
          "type": "object",
          "properties": {
            "mode": {
              "type": "string"
            },
            "activeTargetId": {
              "type": [
                "string",
                "null"
              ]
            },
            "url": {
              "type": "string"
            },
            "title": {
              "type": "string"
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
            },
            "meta": {
              "type": "object",
              "properties": {
                "blockerState": {
                  "type": "string",
                  "enum": [
                    "clear",
                    "active",
                    "resolving"
                  ]
                },
                "blocker": {
                  "type": "object"
                }
              },
              "required": [
                "blockerState"
              ],
              "additionalProperties": false
            },
            "leaseId": {
              "type": "string"
            },
            "state": {
              "type": "string",
              "enum": [
                "initializing",
                "active",
                "closing",
                "closed"
              ]
            },
            "shareMode": {
              "type": "string"
            },
            "label": {
              "type": "string"
            }
          },
          "required": [
            "mode",
            "activeTargetId",
            "url",
            "title",
            "dialog",
            "leaseId",
            "state"
          ],
          "additionalProperties": false
        }
      },
      "errors": [
        "status_failed"
      ]
    }
  ]
};

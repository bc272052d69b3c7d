// Written by scripts/protocol.mjs from link.json.
export default {
  "family": "link",
  "version": "1",
  "messages": {
    "handshake": {
      "from": [
        "extension"
      ],
      "about": "names the browser",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "handshake"
          },
          "payload": {
            "type": "object",
            "properties": {
              "extensionId": {
                "type": "string",
                "minLength": 1
              },
              "version": {
                "type": "string",
                "minLength": 1
              },
              "browserId": {
                "type": "string",
                "minLength": 1
              },
              "profileName": {
                "type": "string"
              },
              "browserVersion": {
                "type": "string"
              },
              "workerId": {
                "type": "string"
              },
              "capabilities": {
                "type": "array",
                "items": {
                  "type": "string"
                }
              },
              "tabId": {
                "type": "integer"
              },
              "url": {
                "type": "string"
              },
              "title": {
                "type": "string"
              },
              "groupId": {
                "type": "integer"
              }
            },
            "required": [
              "extensionId",
              "version",
              "browserId",
              "capabilities"
            ]
          }
        },
        "required": [
          "type",
          "payload"
        ]
      }
    },
    "handshakeAck": {
      "from": [
        "hub"
      ],
      "about": "names the hub",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "handshakeAck"
          },
          "payload": {
            "type": "object",
            "properties": {
              "instanceId": {
                "type": "string",
                "minLength": 1
              },
              "relayPort": {
                "type": "integer",
                "minimum": 1
              },
              "pairingRequired": {
                "type": "boolean"
              },
              "epoch": {
                "type": "integer",
                "minimum": 1
              },
              "browserName": {
                "type": "string"
              },
              "cdp": {
                "type": "boolean"
              }
            },
            "required": [
              "instanceId",
              "relayPort",
              "pairingRequired",
              "epoch"
            ]
          }
        },
        "required": [
          "type",
          "payload"
        ]
      }
    },
    "own_origins": {
      "from": [
        "hub"
      ],
      "about": "addresses of the hub's own that no tool may touch, when they change",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "own_origins"
          },
          "payload": {
            "type": "object",
            "properties": {
              "origins": {
                "type": "array",
                "items": {
                  "type": "string"
                }
              }
            },
            "required": [
              "origins"
            ]
          }
        },
        "required": [
          "type",
          "payload"
        ]
      }
    },
    "ping": {
      "from": [
        "extension",
        "hub"
      ],
      "about": "heartbeat, both ways",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "ping"
          },
          "id": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "id"
        ]
      }
    },
    "pong": {
      "from": [
        "extension",
        "hub"
      ],
      "about": "answers ping; from the hub with its health",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "pong"
          },
          "id": {
            "type": "string",
            "minLength": 1
          },
          "payload": {
            "type": "object"
          }
        },
        "required": [
          "type",
          "id"
        ]
      }
    },
    "tabState": {
      "from": [
        "extension"
      ],
      "about": "the web pages that are open, for programs in terminals",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "tabState"
          },
          "active": {
            "type": [
              "object",
              "null"
            ]
          },
          "tabs": {
            "type": "array",
            "items": {
              "type": "object"
            },
            "maxItems": 200
          },
          "reason": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "active",
          "tabs",
          "reason"
        ]
      }
    },
    "inspectorEdits": {
      "from": [
        "extension"
      ],
      "about": "all changes that the inspector has in this browser's pages, whenever they are others",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "inspectorEdits"
          },
          "modifications": {
            "type": "array",
            "items": {
              "type": "object"
            }
          }
        },
        "required": [
          "type",
          "modifications"
        ]
      }
    },
    "windowFocused": {
      "from": [
        "extension"
      ],
      "about": "the user turned to a window of this browser",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "windowFocused"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "healthCheck": {
      "from": [
        "extension"
      ],
      "about": "asks for the health of the link",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "healthCheck"
          },
          "id": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "id"
        ]
      }
    },
    "healthCheckResult": {
      "from": [
        "hub"
      ],
      "about": "answers healthCheck",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "healthCheckResult"
          },
          "id": {
            "type": "string",
            "minLength": 1
          },
          "payload": {
            "type": "object",
            "properties": {
              "ok": {
                "type": "boolean"
              },
              "reason": {
                "type": "string",
                "enum": [
                  "ok",
                  "relay_down",
                  "extension_disconnected",
                  "handshake_incomplete",
                  "pairing_required",
                  "pairing_invalid",
                  "discovery_unavailable",
                  "cdp_disconnected",
                  "annotation_disconnected",
                  "ops_disconnected",
                  "canvas_disconnected",
                  "relay_dirty"
                ]
              },
              "detail": {
                "type": "string"
              },
              "extensionConnected": {
                "type": "boolean"
              },
              "extensionHandshakeComplete": {
                "type": "boolean"
              },
              "cdpConnected": {
                "type": "boolean"
              },
              "annotationConnected": {
                "type": "boolean"
              },
              "opsConnected": {
                "type": "boolean"
              },
              "opsOwnedTargetCount": {
                "type": "integer",
                "minimum": 0
              },
              "canvasConnected": {
                "type": "boolean"
              },
              "pairingRequired": {
                "type": "boolean"
              },
              "lastHandshakeError": {
                "type": "object",
                "properties": {
                  "code": {
                    "type": "string"
                  },
                  "message": {
                    "type": "string"
                  },
                  "at": {
                    "type": "number"
                  }
                },
                "required": [
                  "code",
                  "message",
                  "at"
                ]
              }
            },
            "required": [
              "ok",
              "reason",
              "extensionConnected",
              "extensionHandshakeComplete",
              "cdpConnected",
              "annotationConnected",
              "opsConnected",
              "opsOwnedTargetCount",
              "canvasConnected",
              "pairingRequired"
            ]
          }
        },
        "required": [
          "type",
          "id",
          "payload"
        ]
      }
    }
  }
};

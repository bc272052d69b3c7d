// Written by scripts/protocol.mjs from ops.json.
export default {
  "family": "ops",
  "version": "1",
  "capabilities": [
    "share_read",
    "chunk_sha256",
    "cancel",
    "diff_snapshot",
    "frames",
    "later_tools",
    "resume"
  ],
  "events": [
    "ops_session_created",
    "ops_session_released",
    "ops_session_reclaimed",
    "ops_session_closed",
    "ops_session_expired",
    "ops_tab_opened",
    "ops_tab_closed",
    "ops_client_disconnected",
    "ops_extension_status",
    "permission_pending"
  ],
  "messages": {
    "ops_hello": {
      "from": [
        "client",
        "hub"
      ],
      "about": "opens the conversation",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "ops_hello"
          },
          "version": {
            "type": "string"
          },
          "capabilities": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "maxPayloadBytes": {
            "type": "integer",
            "minimum": 4096
          },
          "clientName": {
            "type": "string"
          },
          "clientId": {
            "type": "string",
            "minLength": 1
          },
          "clientKey": {
            "type": "string",
            "minLength": 1
          },
          "clientLabel": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "version"
        ]
      }
    },
    "ops_hello_ack": {
      "from": [
        "hub",
        "extension"
      ],
      "about": "answers ops_hello with what both sides know",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "ops_hello_ack"
          },
          "version": {
            "type": "string"
          },
          "clientId": {
            "type": "string",
            "minLength": 1
          },
          "capabilities": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "maxPayloadBytes": {
            "type": "integer",
            "minimum": 4096
          }
        },
        "required": [
          "type",
          "version",
          "clientId",
          "capabilities",
          "maxPayloadBytes"
        ]
      }
    },
    "ops_ping": {
      "from": [
        "client"
      ],
      "about": "heartbeat",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "ops_ping"
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
    "ops_pong": {
      "from": [
        "hub"
      ],
      "about": "answers ops_ping",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "ops_pong"
          },
          "id": {
            "type": "string",
            "minLength": 1
          },
          "clientId": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "id",
          "clientId"
        ]
      }
    },
    "ops_request": {
      "from": [
        "client",
        "hub"
      ],
      "about": "asks for one command",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "ops_request"
          },
          "requestId": {
            "type": "string",
            "minLength": 1
          },
          "opsSessionId": {
            "type": "string",
            "minLength": 1
          },
          "leaseId": {
            "type": "string"
          },
          "command": {
            "type": "string",
            "minLength": 1
          },
          "payload": {
            "type": "object"
          },
          "timeoutMs": {
            "type": "integer",
            "minimum": 1,
            "maximum": 600000
          },
          "clientId": {
            "type": "string",
            "minLength": 1
          },
          "clientKey": {
            "type": "string",
            "minLength": 1
          },
          "clientLabel": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "requestId",
          "command"
        ]
      }
    },
    "ops_response": {
      "from": [
        "extension",
        "hub"
      ],
      "about": "the one answer of a request, or the announcement of its chunks",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "ops_response"
          },
          "requestId": {
            "type": "string",
            "minLength": 1
          },
          "clientId": {
            "type": "string",
            "minLength": 1
          },
          "opsSessionId": {
            "type": "string",
            "minLength": 1
          },
          "payload": {
            "type": "object"
          },
          "chunked": {
            "const": true
          },
          "payloadId": {
            "type": "string",
            "minLength": 1
          },
          "totalChunks": {
            "type": "integer",
            "minimum": 1
          },
          "totalBytes": {
            "type": "integer",
            "minimum": 1
          },
          "sha256": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "requestId",
          "clientId"
        ]
      }
    },
    "ops_chunk": {
      "from": [
        "extension",
        "hub"
      ],
      "about": "a slice of the JSON text of a payload",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "ops_chunk"
          },
          "requestId": {
            "type": "string",
            "minLength": 1
          },
          "clientId": {
            "type": "string",
            "minLength": 1
          },
          "opsSessionId": {
            "type": "string",
            "minLength": 1
          },
          "payloadId": {
            "type": "string",
            "minLength": 1
          },
          "chunkIndex": {
            "type": "integer",
            "minimum": 0
          },
          "totalChunks": {
            "type": "integer",
            "minimum": 1
          },
          "data": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "requestId",
          "clientId",
          "payloadId",
          "chunkIndex",
          "totalChunks",
          "data"
        ]
      }
    },
    "ops_error": {
      "from": [
        "extension",
        "hub"
      ],
      "about": "the one failure of a request",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "ops_error"
          },
          "requestId": {
            "type": "string",
            "minLength": 1
          },
          "clientId": {
            "type": "string",
            "minLength": 1
          },
          "opsSessionId": {
            "type": "string",
            "minLength": 1
          },
          "error": {
            "type": "object",
            "properties": {
              "code": {
                "type": "string",
                "minLength": 1
              },
              "message": {
                "type": "string",
                "minLength": 1
              },
              "retryable": {
                "type": "boolean"
              },
              "details": {
                "type": "object"
              }
            },
            "required": [
              "code",
              "message",
              "retryable"
            ]
          }
        },
        "required": [
          "type",
          "requestId",
          "clientId",
          "error"
        ]
      }
    },
    "ops_event": {
      "from": [
        "extension",
        "hub"
      ],
      "about": "something happened to a session, a tab or the link",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "ops_event"
          },
          "clientId": {
            "type": "string",
            "minLength": 1
          },
          "opsSessionId": {
            "type": "string",
            "minLength": 1
          },
          "event": {
            "type": "string",
            "enum": [
              "ops_session_created",
              "ops_session_released",
              "ops_session_reclaimed",
              "ops_session_closed",
              "ops_session_expired",
              "ops_tab_opened",
              "ops_tab_closed",
              "ops_client_disconnected",
              "ops_extension_status",
              "permission_pending"
            ]
          },
          "payload": {
            "type": "object"
          }
        },
        "required": [
          "type",
          "clientId",
          "event"
        ]
      }
    },
    "ops_cancel": {
      "from": [
        "client",
        "hub"
      ],
      "about": "ends a running request",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "ops_cancel"
          },
          "requestId": {
            "type": "string",
            "minLength": 1
          },
          "clientId": {
            "type": "string",
            "minLength": 1
          },
          "clientKey": {
            "type": "string",
            "minLength": 1
          },
          "clientLabel": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "requestId"
        ]
      }
    }
  }
};

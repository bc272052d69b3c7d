// Written by scripts/protocol.mjs from annotation.json.
export default {
  "family": "annotation",
  "version": "1",
  "codes": [
    "invalid_request",
    "payload_too_large",
    "timeout",
    "direct_unavailable",
    "direct_failed",
    "relay_unavailable",
    "restricted_url",
    "injection_failed",
    "capture_failed",
    "payload_unavailable",
    "cancelled",
    "unknown"
  ],
  "messages": {
    "annotationCommand": {
      "from": [
        "client",
        "hub",
        "extension"
      ],
      "about": "starts, cancels or fetches; from the extension: what the person sends",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "annotationCommand"
          },
          "payload": {
            "type": "object",
            "properties": {
              "version": {
                "const": 1
              },
              "requestId": {
                "type": "string",
                "minLength": 1
              },
              "command": {
                "type": "string",
                "enum": [
                  "start",
                  "cancel",
                  "fetch_stored",
                  "store_agent_payload"
                ]
              },
              "url": {
                "type": "string"
              },
              "tabId": {
                "type": "integer"
              },
              "payload": {
                "type": "object"
              },
              "source": {
                "type": "string"
              },
              "label": {
                "type": "string"
              },
              "chat": {
                "type": "string"
              },
              "options": {
                "type": "object",
                "properties": {
                  "screenshotMode": {
                    "type": "string",
                    "enum": [
                      "visible",
                      "full",
                      "none"
                    ]
                  },
                  "debug": {
                    "type": "boolean"
                  },
                  "context": {
                    "type": "string"
                  },
                  "includeScreenshots": {
                    "type": "boolean"
                  }
                },
                "required": []
              }
            },
            "required": [
              "version",
              "requestId",
              "command"
            ]
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
          "payload"
        ]
      }
    },
    "annotationEvent": {
      "from": [
        "extension",
        "hub"
      ],
      "about": "how it goes",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "annotationEvent"
          },
          "payload": {
            "type": "object",
            "properties": {
              "version": {
                "const": 1
              },
              "requestId": {
                "type": "string",
                "minLength": 1
              },
              "event": {
                "type": "string",
                "enum": [
                  "progress",
                  "ready",
                  "warning"
                ]
              },
              "message": {
                "type": "string"
              }
            },
            "required": [
              "version",
              "requestId",
              "event"
            ]
          },
          "clientId": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "payload"
        ]
      }
    },
    "annotationResponse": {
      "from": [
        "extension",
        "hub"
      ],
      "about": "how it ended",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "annotationResponse"
          },
          "payload": {
            "type": "object",
            "properties": {
              "version": {
                "const": 1
              },
              "requestId": {
                "type": "string",
                "minLength": 1
              },
              "status": {
                "type": "string",
                "enum": [
                  "ok",
                  "cancelled",
                  "error"
                ]
              },
              "error": {
                "type": "object",
                "properties": {
                  "code": {
                    "type": "string",
                    "enum": [
                      "invalid_request",
                      "payload_too_large",
                      "timeout",
                      "direct_unavailable",
                      "direct_failed",
                      "relay_unavailable",
                      "restricted_url",
                      "injection_failed",
                      "capture_failed",
                      "payload_unavailable",
                      "cancelled",
                      "unknown"
                    ]
                  },
                  "message": {
                    "type": "string"
                  },
                  "byUser": {
                    "type": "boolean"
                  }
                },
                "required": [
                  "code",
                  "message"
                ]
              },
              "payload": {
                "type": "object"
              },
              "receipt": {
                "type": "object"
              }
            },
            "required": [
              "version",
              "requestId",
              "status"
            ]
          },
          "clientId": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "payload"
        ]
      }
    }
  }
};

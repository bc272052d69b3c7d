// Written by scripts/protocol.mjs from cdp.json.
export default {
  "family": "cdp",
  "version": "1",
  "messages": {
    "forwardCDPCommand": {
      "from": [
        "hub"
      ],
      "about": "a CDP command for the browser",
      "schema": {
        "type": "object",
        "properties": {
          "id": {
            "type": "integer"
          },
          "method": {
            "const": "forwardCDPCommand"
          },
          "params": {
            "type": "object",
            "properties": {
              "method": {
                "type": "string",
                "minLength": 1
              },
              "params": {
                "type": "object"
              },
              "sessionId": {
                "type": "string",
                "minLength": 1
              }
            },
            "required": [
              "method"
            ]
          }
        },
        "required": [
          "id",
          "method",
          "params"
        ]
      }
    },
    "forwardCDPEvent": {
      "from": [
        "extension"
      ],
      "about": "a CDP event of the browser",
      "schema": {
        "type": "object",
        "properties": {
          "method": {
            "const": "forwardCDPEvent"
          },
          "params": {
            "type": "object",
            "properties": {
              "method": {
                "type": "string",
                "minLength": 1
              },
              "params": {
                "type": "object"
              },
              "sessionId": {
                "type": "string",
                "minLength": 1
              }
            },
            "required": [
              "method"
            ]
          }
        },
        "required": [
          "method",
          "params"
        ]
      }
    },
    "cdp_response": {
      "from": [
        "extension"
      ],
      "about": "answers forwardCDPCommand; has neither type nor method",
      "schema": {
        "type": "object",
        "properties": {
          "id": {
            "type": "integer"
          },
          "result": {
            "type": "object"
          },
          "error": {
            "type": "object",
            "properties": {
              "message": {
                "type": "string"
              },
              "code": {
                "type": "string"
              },
              "retryable": {
                "type": "boolean"
              },
              "details": {
                "type": "object"
              }
            },
            "required": [
              "message"
            ]
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "id"
        ]
      }
    },
    "cdp_control": {
      "from": [
        "hub"
      ],
      "about": "the client of /cdp has left",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "cdp_control"
          },
          "action": {
            "type": "string",
            "enum": [
              "client_closed"
            ]
          }
        },
        "required": [
          "type",
          "action"
        ]
      }
    }
  }
};

// Written by scripts/protocol.mjs from relay.json.
export default {
  "family": "relay",
  "version": "1",
  "messages": {
    "connect": {
      "from": [
        "client"
      ],
      "about": "proves who it is and says what it can do",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "connect"
          },
          "token": {
            "type": "string"
          },
          "dialect": {
            "type": "string",
            "enum": [
              "tandem",
              "compat"
            ]
          },
          "clientType": {
            "type": "string"
          },
          "browserTools": {
            "type": "boolean"
          },
          "agentId": {
            "type": "string"
          },
          "attach": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "sessionId": {
                  "type": "string",
                  "minLength": 1
                },
                "afterSeq": {
                  "type": "integer"
                },
                "afterRing": {
                  "type": "integer"
                },
                "tail": {
                  "type": "integer"
                }
              },
              "required": [
                "sessionId"
              ]
            }
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "disconnect": {
      "from": [
        "client"
      ],
      "about": "stops watching everything",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "disconnect"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "new_session": {
      "from": [
        "client"
      ],
      "about": "makes a session and starts its agent",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "new_session"
          },
          "cwd": {
            "type": "string"
          },
          "agentId": {
            "type": "string"
          },
          "title": {
            "type": "string"
          },
          "additionalDirectories": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "projectId": {
            "type": "string"
          },
          "start": {
            "type": "boolean"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "attach": {
      "from": [
        "client"
      ],
      "about": "shows what was missed, then follows",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "attach"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "afterSeq": {
            "type": "integer"
          },
          "afterRing": {
            "type": "integer"
          },
          "tail": {
            "type": "integer"
          }
        },
        "required": [
          "type",
          "sessionId"
        ]
      }
    },
    "detach": {
      "from": [
        "client"
      ],
      "about": "stops following",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "detach"
          },
          "sessionId": {
            "type": "string"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "list_sessions": {
      "from": [
        "client"
      ],
      "about": "asks for the sessions; with agentId for those that this agent remembers, page by page",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "list_sessions"
          },
          "cwd": {
            "type": "string"
          },
          "cursor": {
            "type": "string"
          },
          "agentId": {
            "type": "string"
          },
          "search": {
            "type": "string"
          },
          "sessionIds": {
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "load_session": {
      "from": [
        "client"
      ],
      "about": "shows a session from its beginning and starts it; with agentId also one that only the agent remembers",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "load_session"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "agentId": {
            "type": "string"
          },
          "title": {
            "type": "string"
          },
          "projectId": {
            "type": "string"
          },
          "cwd": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "sessionId"
        ]
      }
    },
    "resume_session": {
      "from": [
        "client"
      ],
      "about": "starts a session that does not run",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "resume_session"
          },
          "sessionId": {
            "type": "string"
          },
          "cwd": {
            "type": "string"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "start_session": {
      "from": [
        "client"
      ],
      "about": "starts a session that does not run",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "start_session"
          },
          "sessionId": {
            "type": "string"
          },
          "cwd": {
            "type": "string"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "close_session": {
      "from": [
        "client"
      ],
      "about": "ends a session's process",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "close_session"
          },
          "sessionId": {
            "type": "string"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "stop_session": {
      "from": [
        "client"
      ],
      "about": "ends a session's process",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "stop_session"
          },
          "sessionId": {
            "type": "string"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "delete_session": {
      "from": [
        "client"
      ],
      "about": "removes a session and its log",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "delete_session"
          },
          "sessionId": {
            "type": "string"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "rename_session": {
      "from": [
        "client"
      ],
      "about": "gives a session another title",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "rename_session"
          },
          "sessionId": {
            "type": "string"
          },
          "title": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "title"
        ]
      }
    },
    "mark_read": {
      "from": [
        "client"
      ],
      "about": "says how far the user has read",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "mark_read"
          },
          "sessionId": {
            "type": "string"
          },
          "seq": {
            "type": "integer"
          }
        },
        "required": [
          "type",
          "seq"
        ]
      }
    },
    "set_permission_mode": {
      "from": [
        "client"
      ],
      "about": "says how much the agent may do unasked",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "set_permission_mode"
          },
          "sessionId": {
            "type": "string"
          },
          "mode": {
            "type": "string",
            "enum": [
              "read-only",
              "ask",
              "act"
            ]
          }
        },
        "required": [
          "type",
          "mode"
        ]
      }
    },
    "prompt": {
      "from": [
        "client"
      ],
      "about": "says something to the agent",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "prompt"
          },
          "sessionId": {
            "type": "string"
          },
          "content": {
            "type": "array",
            "minItems": 1,
            "items": {
              "type": "object"
            }
          },
          "clientMessageId": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "content"
        ]
      }
    },
    "cancel": {
      "from": [
        "client"
      ],
      "about": "ends the running turn",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "cancel"
          },
          "sessionId": {
            "type": "string"
          },
          "queued": {
            "type": "boolean"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "queue_edit": {
      "from": [
        "client"
      ],
      "about": "changes a message that waits",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "queue_edit"
          },
          "sessionId": {
            "type": "string"
          },
          "seq": {
            "type": "integer"
          },
          "text": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "seq",
          "text"
        ]
      }
    },
    "queue_withdraw": {
      "from": [
        "client"
      ],
      "about": "takes back a message that waits",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "queue_withdraw"
          },
          "sessionId": {
            "type": "string"
          },
          "seq": {
            "type": "integer"
          }
        },
        "required": [
          "type",
          "seq"
        ]
      }
    },
    "queue_continue": {
      "from": [
        "client"
      ],
      "about": "goes on with what waits after a cancel",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "queue_continue"
          },
          "sessionId": {
            "type": "string"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "set_session_model": {
      "from": [
        "client"
      ],
      "about": "switches the model",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "set_session_model"
          },
          "sessionId": {
            "type": "string"
          },
          "modelId": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "modelId"
        ]
      }
    },
    "set_mode": {
      "from": [
        "client"
      ],
      "about": "switches the agent's mode",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "set_mode"
          },
          "sessionId": {
            "type": "string"
          },
          "modeId": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "modeId"
        ]
      }
    },
    "set_config_option": {
      "from": [
        "client"
      ],
      "about": "sets an option of the agent",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "set_config_option"
          },
          "sessionId": {
            "type": "string"
          },
          "configId": {
            "type": "string",
            "minLength": 1
          },
          "value": {
            "type": [
              "string",
              "boolean"
            ]
          }
        },
        "required": [
          "type",
          "configId",
          "value"
        ]
      }
    },
    "permission_response": {
      "from": [
        "client"
      ],
      "about": "answers a permission request",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "permission_response"
          },
          "requestId": {
            "type": "string",
            "minLength": 1
          },
          "optionId": {
            "type": "string"
          },
          "outcome": {
            "type": "object"
          }
        },
        "required": [
          "type",
          "requestId"
        ]
      }
    },
    "elicitation_response": {
      "from": [
        "client"
      ],
      "about": "answers a form or link",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "elicitation_response"
          },
          "sessionId": {
            "type": "string"
          },
          "requestId": {
            "type": "string",
            "minLength": 1
          },
          "action": {
            "type": "string",
            "enum": [
              "accept",
              "decline",
              "cancel"
            ]
          },
          "content": {
            "type": "object"
          }
        },
        "required": [
          "type",
          "requestId",
          "action"
        ]
      }
    },
    "browser_tool_result": {
      "from": [
        "client"
      ],
      "about": "brings the result of a browser tool",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "browser_tool_result"
          },
          "callId": {
            "type": "string",
            "minLength": 1
          },
          "result": {
            "type": [
              "object",
              "array"
            ]
          }
        },
        "required": [
          "type",
          "callId"
        ]
      }
    },
    "list_dir": {
      "from": [
        "client"
      ],
      "about": "lists a folder",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "list_dir"
          },
          "sessionId": {
            "type": "string"
          },
          "path": {
            "type": "string"
          },
          "showHidden": {
            "type": "boolean"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "read_file": {
      "from": [
        "client"
      ],
      "about": "reads a file",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "read_file"
          },
          "sessionId": {
            "type": "string"
          },
          "path": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "path"
        ]
      }
    },
    "list_agents": {
      "from": [
        "client"
      ],
      "about": "asks which agents there are",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "list_agents"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "authenticate": {
      "from": [
        "client"
      ],
      "about": "signs in to an agent",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "authenticate"
          },
          "agentId": {
            "type": "string",
            "minLength": 1
          },
          "methodId": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "agentId",
          "methodId"
        ]
      }
    },
    "logout": {
      "from": [
        "client"
      ],
      "about": "signs out of an agent",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "logout"
          },
          "agentId": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "agentId"
        ]
      }
    },
    "restart_agent": {
      "from": [
        "client"
      ],
      "about": "ends an agent's processes and starts its sessions again",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "restart_agent"
          },
          "agentId": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "agentId"
        ]
      }
    },
    "ping": {
      "from": [
        "client"
      ],
      "about": "asks whether the hub is there",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "ping"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "history": {
      "from": [
        "client",
        "hub"
      ],
      "about": "asks for, and holds, entries of the log before a seq, newest last",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "history"
          },
          "sessionId": {
            "type": "string"
          },
          "beforeSeq": {
            "type": "integer"
          },
          "limit": {
            "type": "integer"
          },
          "firstSeq": {
            "type": "integer"
          },
          "more": {
            "type": "boolean"
          },
          "entries": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "seq": {
                  "type": "integer"
                },
                "id": {
                  "type": "string"
                },
                "kind": {
                  "type": "string"
                },
                "at": {
                  "type": "integer"
                },
                "body": {
                  "type": "object"
                }
              },
              "required": [
                "seq",
                "id",
                "kind",
                "at",
                "body"
              ]
            }
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "queue": {
      "from": [
        "client",
        "hub"
      ],
      "about": "asks for, and lists, messages that wait",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "queue"
          },
          "sessionId": {
            "type": "string"
          },
          "items": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "seq": {
                  "type": "integer"
                },
                "text": {
                  "type": "string"
                }
              },
              "required": [
                "seq",
                "text"
              ]
            }
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "connected": {
      "from": [
        "hub"
      ],
      "about": "the token was taken",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "connected"
          },
          "hubVersion": {
            "type": "string"
          },
          "protocol": {
            "type": "integer"
          },
          "dialect": {
            "type": "string"
          },
          "user": {
            "type": "string"
          },
          "agents": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "agentId": {
                  "type": "string",
                  "minLength": 1
                },
                "name": {
                  "type": "string"
                },
                "command": {
                  "type": "string"
                },
                "args": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  }
                },
                "available": {
                  "type": "boolean"
                },
                "builtIn": {
                  "type": "boolean"
                },
                "path": {
                  "type": "string"
                },
                "reason": {
                  "type": "string"
                },
                "login": {
                  "type": "string"
                },
                "authMethods": {
                  "type": "array"
                },
                "remembers": {
                  "type": "boolean"
                },
                "signsOut": {
                  "type": "boolean"
                },
                "state": {
                  "type": "string",
                  "enum": [
                    "starting",
                    "ready",
                    "auth_required",
                    "stopping",
                    "exited",
                    "failed"
                  ]
                }
              },
              "required": [
                "agentId",
                "name",
                "command",
                "args",
                "available",
                "builtIn",
                "state"
              ]
            }
          },
          "agentId": {
            "type": "string"
          },
          "limits": {
            "type": "object",
            "properties": {
              "maxMessageBytes": {
                "type": "integer"
              },
              "maxImageBytes": {
                "type": "integer"
              }
            },
            "required": [
              "maxMessageBytes",
              "maxImageBytes"
            ]
          },
          "browser": {
            "type": "object",
            "properties": {
              "connected": {
                "type": "boolean"
              },
              "count": {
                "type": "integer"
              }
            },
            "required": [
              "connected",
              "count"
            ]
          }
        },
        "required": [
          "type",
          "hubVersion",
          "protocol",
          "dialect",
          "agents",
          "limits",
          "browser"
        ]
      }
    },
    "status": {
      "from": [
        "hub"
      ],
      "about": "older form: whether the agent is there and what it can do",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "status"
          },
          "connected": {
            "type": "boolean"
          },
          "agentId": {
            "type": "string"
          },
          "agentInfo": {
            "type": "object"
          },
          "capabilities": {
            "type": "object"
          },
          "promptCapabilities": {
            "type": "object"
          },
          "authMethods": {
            "type": "array"
          }
        },
        "required": [
          "type",
          "connected"
        ]
      }
    },
    "agent_state": {
      "from": [
        "hub"
      ],
      "about": "how an agent is",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "agent_state"
          },
          "agentId": {
            "type": "string",
            "minLength": 1
          },
          "state": {
            "type": "string",
            "enum": [
              "starting",
              "ready",
              "auth_required",
              "stopping",
              "exited",
              "failed"
            ]
          },
          "agentInfo": {
            "type": "object"
          },
          "capabilities": {
            "type": "object"
          },
          "promptCapabilities": {
            "type": "object"
          },
          "authMethods": {
            "type": "array"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "exitCode": {
            "type": "integer"
          },
          "stderrTail": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "terminal": {
            "type": "object",
            "properties": {
              "command": {
                "type": "array",
                "items": {
                  "type": "string"
                }
              },
              "env": {
                "type": "object"
              }
            },
            "required": [
              "command",
              "env"
            ]
          }
        },
        "required": [
          "type",
          "agentId",
          "state"
        ]
      }
    },
    "error": {
      "from": [
        "hub"
      ],
      "about": "a request failed",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "error"
          },
          "code": {
            "type": "string",
            "minLength": 1
          },
          "message": {
            "type": "string"
          },
          "retryable": {
            "type": "boolean"
          },
          "sessionId": {
            "type": "string"
          },
          "details": {
            "type": "object"
          }
        },
        "required": [
          "type",
          "code",
          "message",
          "retryable"
        ]
      }
    },
    "session_created": {
      "from": [
        "hub"
      ],
      "about": "the session is ready",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "session_created"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "title": {
            "type": "string"
          },
          "projectId": {
            "type": "string"
          },
          "phase": {
            "type": "string"
          },
          "seq": {
            "type": "integer"
          },
          "mode": {
            "type": "string"
          },
          "agentId": {
            "type": "string"
          },
          "agentSessionId": {
            "type": "string"
          },
          "cwd": {
            "type": "string"
          },
          "promptCapabilities": {
            "type": "object"
          },
          "configOptions": {
            "type": "array"
          },
          "modes": {
            "type": "object"
          }
        },
        "required": [
          "type",
          "sessionId",
          "title"
        ]
      }
    },
    "session_loaded": {
      "from": [
        "hub"
      ],
      "about": "the session is ready",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "session_loaded"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "title": {
            "type": "string"
          },
          "projectId": {
            "type": "string"
          },
          "phase": {
            "type": "string"
          },
          "seq": {
            "type": "integer"
          },
          "mode": {
            "type": "string"
          },
          "agentId": {
            "type": "string"
          },
          "agentSessionId": {
            "type": "string"
          },
          "cwd": {
            "type": "string"
          },
          "promptCapabilities": {
            "type": "object"
          },
          "configOptions": {
            "type": "array"
          },
          "modes": {
            "type": "object"
          }
        },
        "required": [
          "type",
          "sessionId",
          "phase",
          "seq",
          "mode"
        ]
      }
    },
    "session_resumed": {
      "from": [
        "hub"
      ],
      "about": "the session is ready",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "session_resumed"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "title": {
            "type": "string"
          },
          "projectId": {
            "type": "string"
          },
          "phase": {
            "type": "string"
          },
          "seq": {
            "type": "integer"
          },
          "mode": {
            "type": "string"
          },
          "agentId": {
            "type": "string"
          },
          "agentSessionId": {
            "type": "string"
          },
          "cwd": {
            "type": "string"
          },
          "promptCapabilities": {
            "type": "object"
          },
          "configOptions": {
            "type": "array"
          },
          "modes": {
            "type": "object"
          }
        },
        "required": [
          "type",
          "sessionId",
          "phase",
          "seq",
          "mode"
        ]
      }
    },
    "attached": {
      "from": [
        "hub"
      ],
      "about": "what was missed has been shown",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "attached"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "seq": {
            "type": "integer"
          },
          "phase": {
            "type": "string"
          },
          "title": {
            "type": "string"
          },
          "mode": {
            "type": "string"
          },
          "ring": {
            "type": "integer"
          },
          "running": {
            "type": "boolean"
          },
          "pendingPermissions": {
            "type": "array",
            "items": {
              "type": "object"
            }
          },
          "pendingQuestions": {
            "type": "array",
            "items": {
              "type": "object"
            }
          },
          "agentId": {
            "type": "string"
          },
          "agentState": {
            "type": "object"
          },
          "promptCapabilities": {
            "type": "object"
          }
        },
        "required": [
          "type",
          "sessionId",
          "seq",
          "running",
          "pendingPermissions"
        ]
      }
    },
    "detached": {
      "from": [
        "hub"
      ],
      "about": "the session is not followed any more",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "detached"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "sessionId"
        ]
      }
    },
    "disconnected": {
      "from": [
        "hub"
      ],
      "about": "nothing is followed any more",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "disconnected"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "reset": {
      "from": [
        "hub"
      ],
      "about": "forget what was shown; the whole log follows",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "reset"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "sessionId"
        ]
      }
    },
    "session_closed": {
      "from": [
        "hub"
      ],
      "about": "a session's process ended",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "session_closed"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "phase": {
            "type": "string"
          },
          "reason": {
            "type": "string"
          },
          "message": {
            "type": "string"
          },
          "exit": {
            "type": "object",
            "properties": {
              "code": {
                "type": "integer"
              },
              "errorOutput": {
                "type": "string"
              }
            },
            "required": [
              "code"
            ]
          },
          "seq": {
            "type": "integer"
          },
          "at": {
            "type": "integer"
          }
        },
        "required": [
          "type",
          "sessionId",
          "phase"
        ]
      }
    },
    "session_deleted": {
      "from": [
        "hub"
      ],
      "about": "a session is gone",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "session_deleted"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "sessionId"
        ]
      }
    },
    "session_renamed": {
      "from": [
        "hub"
      ],
      "about": "a session has another title",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "session_renamed"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "title": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "sessionId",
          "title"
        ]
      }
    },
    "session_state": {
      "from": [
        "hub"
      ],
      "about": "something about a session in the list changed",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "session_state"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "change": {
            "type": "string",
            "enum": [
              "created",
              "updated",
              "deleted"
            ]
          },
          "title": {
            "type": "string"
          },
          "projectId": {
            "type": "string"
          },
          "phase": {
            "type": "string"
          },
          "lastSeq": {
            "type": "integer"
          },
          "readSeq": {
            "type": "integer"
          },
          "updatedAt": {
            "type": "integer"
          },
          "mode": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "sessionId",
          "change",
          "phase",
          "title"
        ]
      }
    },
    "permission_mode": {
      "from": [
        "hub"
      ],
      "about": "how much the agent may do unasked",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "permission_mode"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "mode": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "sessionId",
          "mode"
        ]
      }
    },
    "session_list": {
      "from": [
        "hub"
      ],
      "about": "the sessions",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "session_list"
          },
          "sessions": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "sessionId": {
                  "type": "string",
                  "minLength": 1
                },
                "title": {
                  "type": "string"
                },
                "projectId": {
                  "type": "string"
                },
                "phase": {
                  "type": "string"
                },
                "status": {
                  "type": "string"
                },
                "running": {
                  "type": "boolean"
                },
                "unread": {
                  "type": "integer"
                },
                "preview": {
                  "type": "string"
                },
                "queued": {
                  "type": "integer"
                },
                "lastSeq": {
                  "type": "integer"
                },
                "updatedAt": {
                  "type": "integer"
                },
                "mode": {
                  "type": "string"
                },
                "agentId": {
                  "type": "string"
                },
                "cwd": {
                  "type": "string"
                },
                "labels": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  }
                },
                "question": {
                  "type": "string"
                },
                "locked": {
                  "type": "boolean"
                },
                "model": {
                  "type": "string"
                },
                "agentSessionId": {
                  "type": "string"
                },
                "imported": {
                  "type": "boolean"
                },
                "registered": {
                  "type": "boolean"
                }
              },
              "required": [
                "sessionId"
              ]
            }
          },
          "nextCursor": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "sessions"
        ]
      }
    },
    "session_update": {
      "from": [
        "hub"
      ],
      "about": "what the agent said or did, unchanged; whole replaces the pieces of its messageId",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "session_update"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "update": {
            "type": "object"
          },
          "seq": {
            "type": "integer"
          },
          "ring": {
            "type": "integer"
          },
          "messageId": {
            "type": "string"
          },
          "whole": {
            "type": "boolean"
          },
          "partial": {
            "type": "boolean"
          },
          "at": {
            "type": "integer"
          },
          "clientMessageId": {
            "type": "string"
          },
          "blocks": {
            "type": "array",
            "items": {
              "type": "object"
            }
          },
          "result": {
            "type": [
              "object",
              "array",
              "string",
              "number",
              "boolean",
              "null"
            ]
          }
        },
        "required": [
          "type",
          "sessionId",
          "update"
        ]
      }
    },
    "run_started": {
      "from": [
        "hub"
      ],
      "about": "a turn begins",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "run_started"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "runId": {
            "type": "string"
          },
          "seq": {
            "type": "integer"
          },
          "at": {
            "type": "integer"
          },
          "promptSeq": {
            "type": "integer"
          }
        },
        "required": [
          "type",
          "sessionId",
          "runId",
          "seq"
        ]
      }
    },
    "prompt_queued": {
      "from": [
        "hub"
      ],
      "about": "the message waits for the running turn",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "prompt_queued"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "seq": {
            "type": "integer"
          },
          "position": {
            "type": "integer"
          }
        },
        "required": [
          "type",
          "sessionId",
          "seq",
          "position"
        ]
      }
    },
    "prompt_complete": {
      "from": [
        "hub"
      ],
      "about": "a turn ended",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "prompt_complete"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "stopReason": {
            "type": "string"
          },
          "seq": {
            "type": "integer"
          },
          "at": {
            "type": "integer"
          },
          "runId": {
            "type": "string"
          },
          "usage": {
            "type": "object"
          },
          "forced": {
            "type": "boolean"
          },
          "exit": {
            "type": "object",
            "properties": {
              "code": {
                "type": "integer"
              },
              "errorOutput": {
                "type": "string"
              }
            },
            "required": [
              "code"
            ]
          },
          "error": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "sessionId",
          "stopReason",
          "seq"
        ]
      }
    },
    "cancelled": {
      "from": [
        "hub"
      ],
      "about": "the turn was asked to end",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "cancelled"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "ran": {
            "type": "boolean"
          }
        },
        "required": [
          "type",
          "sessionId",
          "ran"
        ]
      }
    },
    "permission_request": {
      "from": [
        "hub"
      ],
      "about": "the agent needs a yes",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "permission_request"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "requestId": {
            "type": "string",
            "minLength": 1
          },
          "options": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "optionId": {
                  "type": "string"
                },
                "name": {
                  "type": "string"
                },
                "kind": {
                  "type": "string"
                },
                "id": {
                  "type": "string"
                },
                "label": {
                  "type": "string"
                }
              },
              "required": [
                "optionId",
                "name",
                "kind",
                "id",
                "label"
              ]
            }
          },
          "toolCall": {
            "type": "object"
          },
          "source": {
            "type": "string",
            "enum": [
              "agent",
              "browser",
              "access"
            ]
          },
          "element": {
            "type": "object",
            "properties": {
              "role": {
                "type": "string"
              },
              "name": {
                "type": "string"
              }
            },
            "required": [
              "role",
              "name"
            ]
          },
          "leadsTo": {
            "type": "string"
          },
          "origin": {
            "type": "string"
          },
          "preview": {
            "type": "string"
          },
          "seq": {
            "type": "integer"
          },
          "at": {
            "type": "integer"
          }
        },
        "required": [
          "type",
          "sessionId",
          "requestId",
          "options",
          "toolCall",
          "source"
        ]
      }
    },
    "permission_resolved": {
      "from": [
        "hub"
      ],
      "about": "a permission request was answered",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "permission_resolved"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "requestId": {
            "type": "string",
            "minLength": 1
          },
          "outcome": {
            "type": "string"
          },
          "by": {
            "type": "string",
            "enum": [
              "user",
              "rule",
              "cancel",
              "timeout"
            ]
          },
          "name": {
            "type": "string"
          },
          "optionId": {
            "type": "string"
          },
          "seq": {
            "type": "integer"
          },
          "at": {
            "type": "integer"
          }
        },
        "required": [
          "type",
          "sessionId",
          "requestId",
          "outcome",
          "by"
        ]
      }
    },
    "permission_accepted": {
      "from": [
        "hub"
      ],
      "about": "the answer was taken",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "permission_accepted"
          },
          "requestId": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "requestId"
        ]
      }
    },
    "elicitation_request": {
      "from": [
        "hub"
      ],
      "about": "the agent asks for input",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "elicitation_request"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "requestId": {
            "type": "string",
            "minLength": 1
          },
          "mode": {
            "type": "string"
          },
          "message": {
            "type": "string"
          },
          "requestedSchema": {
            "type": "object"
          },
          "url": {
            "type": "string"
          },
          "host": {
            "type": "string"
          },
          "seq": {
            "type": "integer"
          },
          "at": {
            "type": "integer"
          }
        },
        "required": [
          "type",
          "sessionId",
          "requestId"
        ]
      }
    },
    "elicitation_resolved": {
      "from": [
        "hub"
      ],
      "about": "the input was given or not",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "elicitation_resolved"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "requestId": {
            "type": "string",
            "minLength": 1
          },
          "action": {
            "type": "string"
          },
          "seq": {
            "type": "integer"
          },
          "at": {
            "type": "integer"
          }
        },
        "required": [
          "type",
          "sessionId",
          "requestId",
          "action"
        ]
      }
    },
    "elicitation_accepted": {
      "from": [
        "hub"
      ],
      "about": "the answer was taken",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "elicitation_accepted"
          },
          "requestId": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "type",
          "requestId"
        ]
      }
    },
    "model_state": {
      "from": [
        "hub"
      ],
      "about": "the models and the current one",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "model_state"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "availableModels": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "id": {
                  "type": "string"
                },
                "modelId": {
                  "type": "string"
                },
                "name": {
                  "type": "string"
                },
                "displayName": {
                  "type": "string"
                },
                "provider": {
                  "type": "string"
                },
                "description": {
                  "type": "string"
                }
              },
              "required": [
                "id",
                "modelId",
                "name",
                "displayName"
              ]
            }
          },
          "currentModelId": {
            "type": "string"
          },
          "source": {
            "type": "string",
            "enum": [
              "config_option",
              "models"
            ]
          },
          "configId": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "sessionId",
          "availableModels",
          "source"
        ]
      }
    },
    "model_changed": {
      "from": [
        "hub"
      ],
      "about": "older form: the current model",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "model_changed"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "modelId": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "sessionId",
          "modelId"
        ]
      }
    },
    "config_state": {
      "from": [
        "hub"
      ],
      "about": "the agent's options",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "config_state"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "configOptions": {
            "type": "array",
            "items": {
              "type": "object"
            }
          },
          "modes": {
            "type": "object"
          }
        },
        "required": [
          "type",
          "sessionId",
          "configOptions"
        ]
      }
    },
    "browser_tool_call": {
      "from": [
        "hub"
      ],
      "about": "asks this client to run a browser tool",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "browser_tool_call"
          },
          "callId": {
            "type": "string",
            "minLength": 1
          },
          "params": {
            "type": "object",
            "properties": {
              "action": {
                "type": "string",
                "enum": [
                  "tabs",
                  "read",
                  "execute"
                ]
              },
              "tabId": {
                "type": "number"
              },
              "script": {
                "type": "string"
              }
            },
            "required": [
              "action"
            ]
          }
        },
        "required": [
          "type",
          "callId",
          "params"
        ]
      }
    },
    "dir_listing": {
      "from": [
        "hub"
      ],
      "about": "a folder's entries",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "dir_listing"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "path": {
            "type": "string"
          },
          "truncated": {
            "type": "boolean"
          },
          "items": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "name": {
                  "type": "string"
                },
                "path": {
                  "type": "string"
                },
                "type": {
                  "type": "string",
                  "enum": [
                    "directory",
                    "file"
                  ]
                },
                "size": {
                  "type": "integer"
                },
                "mtime": {
                  "type": "integer"
                },
                "symlink": {
                  "type": "boolean"
                }
              },
              "required": [
                "name",
                "path",
                "type"
              ]
            }
          }
        },
        "required": [
          "type",
          "sessionId",
          "path",
          "items"
        ]
      }
    },
    "file_content": {
      "from": [
        "hub"
      ],
      "about": "a file's beginning",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "file_content"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "path": {
            "type": "string"
          },
          "content": {
            "type": "string"
          },
          "size": {
            "type": "integer"
          },
          "truncated": {
            "type": "boolean"
          },
          "binary": {
            "type": "boolean"
          },
          "mimeType": {
            "type": "string"
          }
        },
        "required": [
          "type",
          "sessionId",
          "path",
          "content",
          "size",
          "truncated",
          "binary",
          "mimeType"
        ]
      }
    },
    "file_changes": {
      "from": [
        "hub"
      ],
      "about": "a listed folder changed",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "file_changes"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "changes": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "event": {
                  "type": "string",
                  "enum": [
                    "create",
                    "update",
                    "delete",
                    "overflow"
                  ]
                },
                "path": {
                  "type": "string"
                }
              },
              "required": [
                "event",
                "path"
              ]
            }
          }
        },
        "required": [
          "type",
          "sessionId",
          "changes"
        ]
      }
    },
    "agents": {
      "from": [
        "hub"
      ],
      "about": "which agents there are",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "agents"
          },
          "agents": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "agentId": {
                  "type": "string",
                  "minLength": 1
                },
                "name": {
                  "type": "string"
                },
                "command": {
                  "type": "string"
                },
                "args": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  }
                },
                "available": {
                  "type": "boolean"
                },
                "builtIn": {
                  "type": "boolean"
                },
                "path": {
                  "type": "string"
                },
                "reason": {
                  "type": "string"
                },
                "login": {
                  "type": "string"
                },
                "authMethods": {
                  "type": "array"
                },
                "remembers": {
                  "type": "boolean"
                },
                "signsOut": {
                  "type": "boolean"
                },
                "state": {
                  "type": "string",
                  "enum": [
                    "starting",
                    "ready",
                    "auth_required",
                    "stopping",
                    "exited",
                    "failed"
                  ]
                }
              },
              "required": [
                "agentId",
                "name",
                "command",
                "args",
                "available",
                "builtIn",
                "state"
              ]
            }
          }
        },
        "required": [
          "type",
          "agents"
        ]
      }
    },
    "notice": {
      "from": [
        "hub"
      ],
      "about": "a word of the hub or the agent",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "notice"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "level": {
            "type": "string"
          },
          "text": {
            "type": "string"
          },
          "code": {
            "type": "string"
          },
          "event": {
            "type": "string"
          },
          "exit": {
            "type": "object",
            "properties": {
              "code": {
                "type": "integer"
              },
              "errorOutput": {
                "type": "string"
              }
            },
            "required": [
              "code"
            ]
          },
          "value": {
            "type": [
              "object",
              "array",
              "string",
              "number",
              "boolean",
              "null"
            ]
          },
          "seq": {
            "type": "integer"
          },
          "at": {
            "type": "integer"
          }
        },
        "required": [
          "type",
          "sessionId",
          "level",
          "text"
        ]
      }
    },
    "terminal_output": {
      "from": [
        "client",
        "hub"
      ],
      "about": "asks for, and holds, what a command in a tool card has printed",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "terminal_output"
          },
          "sessionId": {
            "type": "string"
          },
          "terminalId": {
            "type": "string"
          },
          "output": {
            "type": "string"
          },
          "truncated": {
            "type": "boolean"
          },
          "exitStatus": {
            "type": "object"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "pong": {
      "from": [
        "hub"
      ],
      "about": "the hub is there",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "pong"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "session_row": {
      "from": [
        "hub"
      ],
      "about": "a row of the list has changed; told to those who asked for the whole list, at most four times a second for a session",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "session_row"
          },
          "row": {
            "type": "object",
            "properties": {
              "sessionId": {
                "type": "string",
                "minLength": 1
              },
              "title": {
                "type": "string"
              },
              "projectId": {
                "type": "string"
              },
              "phase": {
                "type": "string"
              },
              "status": {
                "type": "string"
              },
              "running": {
                "type": "boolean"
              },
              "unread": {
                "type": "integer"
              },
              "preview": {
                "type": "string"
              },
              "queued": {
                "type": "integer"
              },
              "lastSeq": {
                "type": "integer"
              },
              "updatedAt": {
                "type": "integer"
              },
              "mode": {
                "type": "string"
              },
              "agentId": {
                "type": "string"
              },
              "cwd": {
                "type": "string"
              },
              "labels": {
                "type": "array",
                "items": {
                  "type": "string"
                }
              },
              "question": {
                "type": "string"
              },
              "locked": {
                "type": "boolean"
              },
              "model": {
                "type": "string"
              }
            },
            "required": [
              "sessionId",
              "title",
              "phase",
              "status",
              "running",
              "unread",
              "updatedAt"
            ]
          }
        },
        "required": [
          "type",
          "row"
        ]
      }
    },
    "session_attention": {
      "from": [
        "hub"
      ],
      "about": "a session began or ended to wait for the user",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "session_attention"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "needed": {
            "type": "boolean"
          }
        },
        "required": [
          "type",
          "sessionId",
          "needed"
        ]
      }
    },
    "clone_session": {
      "from": [
        "client"
      ],
      "about": "makes a session with the same settings",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "clone_session"
          },
          "sessionId": {
            "type": "string"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "label_session": {
      "from": [
        "client"
      ],
      "about": "sets a session's labels",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "label_session"
          },
          "sessionId": {
            "type": "string"
          },
          "labels": {
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        },
        "required": [
          "type",
          "labels"
        ]
      }
    },
    "session_labelled": {
      "from": [
        "hub"
      ],
      "about": "a session has these labels",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "session_labelled"
          },
          "sessionId": {
            "type": "string",
            "minLength": 1
          },
          "labels": {
            "type": "array",
            "items": {
              "type": "string"
            }
          }
        },
        "required": [
          "type",
          "sessionId",
          "labels"
        ]
      }
    },
    "list_projects": {
      "from": [
        "client"
      ],
      "about": "asks for the projects",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "list_projects"
          }
        },
        "required": [
          "type"
        ]
      }
    },
    "projects": {
      "from": [
        "hub"
      ],
      "about": "the projects and their folders",
      "schema": {
        "type": "object",
        "properties": {
          "type": {
            "const": "projects"
          },
          "projects": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "projectId": {
                  "type": "string",
                  "minLength": 1
                },
                "name": {
                  "type": "string"
                },
                "folders": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  }
                }
              },
              "required": [
                "projectId",
                "name",
                "folders"
              ]
            }
          }
        },
        "required": [
          "type",
          "projects"
        ]
      }
    }
  }
};

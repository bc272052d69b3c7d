// Written by scripts/protocol.mjs from errors.json.
export default {
  "about": "retryable: true, false, or \"idempotent\" = only for a call that may be sent twice or was not dispatched, and not for a lasting reason. wire = the closed list of /ops.",
  "lasting": [
    "permission_denied",
    "cancelled",
    "canceled_by_user",
    "not_editable"
  ],
  "codes": {
    "ops_unavailable": {
      "kind": "external",
      "retryable": true,
      "http": 503,
      "jsonrpc": -31001,
      "exit": 2,
      "message": "The browser cannot be reached.",
      "hint": "Open the browser with the Tandem extension and check its connection in the popup; `tandem doctor` finds the cause.",
      "wire": true,
      "reasons": {
        "extension_disconnected": "Open the browser with the Tandem extension (`tandem connect chrome` sets yours up), or start one: `tandem launch --no-extension`.",
        "handshake_incomplete": "Wait a moment and try again; if it stays, pair the extension again with `tandem pair`.",
        "ops_hello_timeout": "Reload the extension, then try again.",
        "rate_limited": "Wait for details.retryAfterMs milliseconds, then try again.",
        "hub_stopping": "Try again when the hub runs again (`tandem up`).",
        "no_active_tab": "Open a normal http or https tab, or launch without useActiveTab."
      }
    },
    "invalid_request": {
      "kind": "user",
      "retryable": false,
      "http": 400,
      "jsonrpc": -32602,
      "exit": 2,
      "message": "The request is not valid.",
      "hint": "Compare the arguments with the tool's definition.",
      "wire": true,
      "reasons": {
        "missing_field": "Add the missing argument.",
        "unknown_command": "Use a command of the catalogue.",
        "unknown_ref": "Take a new snapshot and use a ref from it.",
        "unknown_target": "List the tabs with targets_list.",
        "bad_url": "Give a full http or https URL.",
        "several_sessions": "Name one of them as sessionId.",
        "wrong_type": "Give a value of the kind that is asked for.",
        "unknown_argument": "Leave it out or use the suggested name.",
        "unknown_page": "List the named pages with `list`.",
        "unknown_key": "Use a key name like Enter, ArrowDown or a.",
        "unknown_option": "Use the value or label of one of its options.",
        "unknown_snapshot": "Take a full snapshot without since or cursor.",
        "unknown_action": "Use the name of a tool that works in a session.",
        "no_dialog": "No dialog is open; there is nothing to answer.",
        "unknown_tab": "Call browser_tabs for current ids.",
        "not_allowed_here": "Only the user's own shell may give this argument."
      }
    },
    "invalid_session": {
      "kind": "user",
      "retryable": false,
      "http": 404,
      "jsonrpc": -31002,
      "exit": 2,
      "message": "There is no such ops session.",
      "hint": "Launch a new session, or leave sessionId out.",
      "wire": true,
      "reasons": {
        "unknown": "Launch a new session, or leave sessionId out.",
        "closed": "Launch a new session.",
        "session_expired": "Launch a new session; this one was released after its owner left.",
        "tab_closed": "Launch a new session; its last tab was closed.",
        "worker_restarted": "Launch a new session; the extension restarted and the tab is gone."
      }
    },
    "not_owner": {
      "kind": "user",
      "retryable": false,
      "http": 403,
      "jsonrpc": -31003,
      "exit": 2,
      "message": "This session or tab belongs to another client.",
      "hint": "Use a session of your own, or ask its owner to share it for reading.",
      "wire": true,
      "reasons": {
        "other_client": "Launch a session of your own.",
        "wrong_lease": "Use the lease that launch returned.",
        "tab_locked": "Choose another tab, or wait until its owner lets go of it.",
        "read_only_share": "A shared session can only be read.",
        "browser_in_use": "Disconnect without closeBrowser."
      }
    },
    "restricted_url": {
      "kind": "user",
      "retryable": false,
      "http": 403,
      "jsonrpc": -31004,
      "exit": 2,
      "message": "The browser does not let extensions control this page.",
      "hint": "Go to a normal http or https page.",
      "wire": true,
      "reasons": {
        "scheme": "Go to an http or https page.",
        "web_store": "Web store pages cannot be controlled; open another page.",
        "policy": "The browser's policy, or Tandem's block list, forbids this page.",
        "file_access": "Name a file outside closed folders, from your own shell; programs and agents need the page served over http."
      }
    },
    "timeout": {
      "kind": "external",
      "retryable": "idempotent",
      "http": 504,
      "jsonrpc": -31005,
      "exit": 2,
      "message": "The deadline passed.",
      "hint": "Try again with a larger timeoutMs, or wait for something else.",
      "wire": true,
      "reasons": {
        "wait": "Check the condition with a snapshot, then wait longer.",
        "busy": "The page gave no answer in time: try again with a larger timeoutMs, or leave it with goto.",
        "navigation": "What has loaded can be used: take a snapshot. Else try again with waitUntil \"domcontentloaded\" or a larger timeoutMs.",
        "chunk_timeout": "Try again; the connection to the browser was interrupted.",
        "permission_timeout": "Nobody answered the permission card; ask the user, then call again.",
        "script": "Make the script end sooner."
      }
    },
    "not_supported": {
      "kind": "user",
      "retryable": false,
      "http": 422,
      "jsonrpc": -31006,
      "exit": 2,
      "message": "This is not supported.",
      "hint": "Use another option or a smaller scope.",
      "wire": true,
      "reasons": {
        "version": "Use a protocol version of details.supported.",
        "payload_too_large": "Ask for less: root, find, depth or maxChars.",
        "mode": "Use another mode.",
        "option": "Leave the option out.",
        "handler": "This build does not have the tool yet; update Tandem."
      }
    },
    "execution_failed": {
      "kind": "external",
      "retryable": "idempotent",
      "http": 422,
      "jsonrpc": -31007,
      "exit": 2,
      "message": "The action failed in the page.",
      "hint": "Take a snapshot to see what the page looks like now.",
      "wire": true,
      "reasons": {
        "stale_ref": "Take a new snapshot and use a ref from it.",
        "covered": "Close or scroll away what covers it (details.cover), then try again.",
        "not_visible": "Scroll to it or open what hides it, then try again.",
        "disabled": "The element is disabled; do first what enables it.",
        "not_editable": "Use a ref of a field that takes this: one for text, or a file input for files.",
        "verify_failed": "It did not come out as asked; take a snapshot to see what is there now.",
        "dialog_open": "Answer the dialog with the dialog tool first.",
        "picker_open": "Wait until the user is done marking, or cancel the annotation.",
        "net_error": "Check the address and the network.",
        "injection_failed": "Reload the page and try again.",
        "permission_denied": "The user said no; do not repeat the call, go on without it or ask in words.",
        "bad_answer": "The extension and the hub may be of different versions: reload the extension on chrome://extensions.",
        "cancelled": "The call was cancelled."
      }
    },
    "cdp_attach_failed": {
      "kind": "external",
      "retryable": "idempotent",
      "http": 409,
      "jsonrpc": -31008,
      "exit": 2,
      "message": "The debugger could not attach to this tab.",
      "hint": "Close DevTools or the other debugger on this tab, then try again.",
      "wire": true,
      "reasons": {
        "other_debugger": "Another debugger holds this tab; end it, then try again.",
        "devtools_open": "Close DevTools on this tab, then try again.",
        "not_allowed": "Chrome does not allow debugging this page; use another."
      }
    },
    "cdp_session_lost": {
      "kind": "external",
      "retryable": "idempotent",
      "http": 409,
      "jsonrpc": -31009,
      "exit": 2,
      "message": "The debugger was detached while the call ran.",
      "hint": "Take a snapshot to see what was done, then try again.",
      "wire": true,
      "reasons": {
        "canceled_by_user": "The user pressed Cancel on the debugging bar; ask before going on.",
        "target_closed": "Look at the tab again (targets_list); if it is gone, open another.",
        "replaced": "Another debugger took the tab."
      }
    },
    "cdp_attach_blocked": {
      "kind": "user",
      "retryable": false,
      "http": 409,
      "jsonrpc": -31010,
      "exit": 2,
      "message": "cdp_attach_blocked: target is owned by an ops session",
      "hint": "Choose a tab that no ops session owns, or end that session.",
      "wire": true,
      "reasons": {
        "ops_owned": "End the ops session that owns the tab, or choose another tab."
      }
    },
    "parallelism_backpressure": {
      "kind": "resources",
      "retryable": true,
      "http": 429,
      "jsonrpc": -31011,
      "exit": 2,
      "message": "Too many calls run at once on this session.",
      "hint": "Wait until one of them has ended, then try again.",
      "wire": true
    },
    "snapshot_too_large": {
      "kind": "user",
      "retryable": false,
      "http": 422,
      "jsonrpc": -31006,
      "exit": 2,
      "message": "The snapshot is too large.",
      "hint": "Ask for less: root, find, depth or maxChars.",
      "wire": true,
      "emitAs": "not_supported"
    },
    "unsupported_mode": {
      "kind": "user",
      "retryable": false,
      "http": 422,
      "jsonrpc": -31020,
      "exit": 2,
      "message": "This mode does not support that.",
      "hint": "Use --no-extension for a managed browser, or leave the option out."
    },
    "wait_invalid": {
      "kind": "user",
      "retryable": false,
      "http": 400,
      "jsonrpc": -32602,
      "exit": 2,
      "message": "Provide either ref or until",
      "hint": "Give exactly one of until, ref, text or url."
    },
    "extension_not_connected": {
      "kind": "external",
      "retryable": true,
      "http": 503,
      "jsonrpc": -31021,
      "exit": 2,
      "message": "Extension not connected.",
      "hint": "Open the browser with the Tandem extension, or launch with --no-extension. Programs that speak CDP need a hub started with --extension-legacy."
    },
    "extension_connect_failed": {
      "kind": "external",
      "retryable": true,
      "http": 503,
      "jsonrpc": -31022,
      "exit": 2,
      "message": "Extension relay connection failed.",
      "hint": "Reload the extension; if that does not help, pair again with `tandem pair`. Programs that speak CDP need a hub started with --extension-legacy."
    },
    "extension_legacy_required": {
      "kind": "user",
      "retryable": false,
      "http": 400,
      "jsonrpc": -31023,
      "exit": 2,
      "message": "Legacy extension relay (/cdp) requires extensionLegacy=true.",
      "hint": "Connect to /ops. Programs that speak CDP need a hub started with --extension-legacy."
    },
    "launch_failed": {
      "kind": "external",
      "retryable": true,
      "http": 502,
      "jsonrpc": -31024,
      "exit": 2,
      "message": "The browser could not be started.",
      "hint": "Run `tandem doctor`; it checks the browser and its profile."
    },
    "connect_failed": {
      "kind": "external",
      "retryable": true,
      "http": 502,
      "jsonrpc": -31025,
      "exit": 2,
      "message": "The endpoint could not be reached.",
      "hint": "Check the address and that the browser there runs."
    },
    "status_failed": {
      "kind": "external",
      "retryable": true,
      "http": 503,
      "jsonrpc": -31026,
      "exit": 10,
      "message": "The hub does not answer.",
      "hint": "Start it with `tandem up`."
    },
    "annotate_requires_extension": {
      "kind": "user",
      "retryable": false,
      "http": 422,
      "jsonrpc": -31027,
      "exit": 2,
      "message": "Annotating needs the extension.",
      "hint": "Open the browser with the Tandem extension."
    },
    "annotate_failed": {
      "kind": "external",
      "retryable": true,
      "http": 502,
      "jsonrpc": -31028,
      "exit": 2,
      "message": "The annotation failed.",
      "hint": "Reload the page and start the annotation again."
    },
    "prompting_guide_failed": {
      "kind": "internal",
      "retryable": true,
      "http": 500,
      "jsonrpc": -31029,
      "exit": 2,
      "message": "The guide could not be read.",
      "hint": "Check the installation with `tandem doctor`."
    },
    "SKILL_NOT_FOUND": {
      "kind": "user",
      "retryable": false,
      "http": 404,
      "jsonrpc": -31030,
      "exit": 2,
      "message": "There is no such skill pack.",
      "hint": "List the packs with skill_list."
    },
    "direct_unavailable": {
      "kind": "external",
      "retryable": false,
      "http": 503,
      "jsonrpc": -31031,
      "exit": 2,
      "message": "There is no direct annotation transport.",
      "hint": "Use transport \"relay\"."
    },
    "direct_failed": {
      "kind": "external",
      "retryable": true,
      "http": 502,
      "jsonrpc": -31032,
      "exit": 2,
      "message": "The direct annotation transport failed.",
      "hint": "Use transport \"relay\"."
    },
    "relay_unavailable": {
      "kind": "external",
      "retryable": true,
      "http": 503,
      "jsonrpc": -31033,
      "exit": 2,
      "message": "The extension is not connected for annotations.",
      "hint": "Open the browser with the Tandem extension."
    },
    "injection_failed": {
      "kind": "external",
      "retryable": true,
      "http": 502,
      "jsonrpc": -31034,
      "exit": 2,
      "message": "The annotation script could not start in the page.",
      "hint": "Reload the page and try again."
    },
    "capture_failed": {
      "kind": "external",
      "retryable": true,
      "http": 502,
      "jsonrpc": -31035,
      "exit": 2,
      "message": "The screenshot of the annotation failed.",
      "hint": "Try again with screenshotMode \"none\"."
    },
    "payload_unavailable": {
      "kind": "user",
      "retryable": false,
      "http": 404,
      "jsonrpc": -31036,
      "exit": 2,
      "message": "There is no stored annotation.",
      "hint": "Ask the user to annotate first."
    },
    "cancelled": {
      "kind": "user",
      "retryable": false,
      "http": 409,
      "jsonrpc": -31037,
      "exit": 2,
      "message": "It was cancelled.",
      "hint": "Start again if it is still wanted."
    },
    "unknown": {
      "kind": "internal",
      "retryable": false,
      "http": 500,
      "jsonrpc": -32603,
      "exit": 2,
      "message": "Something unexpected happened.",
      "hint": "Look into the hub's log; `tandem doctor` shows where it is."
    },
    "permission_denied": {
      "kind": "user",
      "retryable": false,
      "http": 403,
      "jsonrpc": -31040,
      "exit": 2,
      "message": "The user refused this.",
      "hint": "Do not repeat the call; go on without it or ask in words."
    },
    "permission_pending": {
      "kind": "user",
      "retryable": true,
      "http": 409,
      "jsonrpc": -31041,
      "exit": 2,
      "message": "The user has not answered the permission card yet.",
      "hint": "Repeat the identical call in a moment; the answer stays valid for five minutes."
    },
    "permission_timeout": {
      "kind": "user",
      "retryable": true,
      "http": 408,
      "jsonrpc": -31042,
      "exit": 2,
      "message": "Nobody answered the permission card.",
      "hint": "Ask the user to open the side panel or run `tandem permissions`, then call again."
    },
    "no_turn": {
      "kind": "user",
      "retryable": false,
      "http": 409,
      "jsonrpc": -31043,
      "exit": 2,
      "message": "This session has no running turn.",
      "hint": "Tools of a session work only while its agent answers a prompt."
    },
    "path_denied": {
      "kind": "user",
      "retryable": false,
      "http": 403,
      "jsonrpc": -31044,
      "exit": 2,
      "message": "This path is outside what the session may touch.",
      "hint": "Use a path inside the session's folders."
    },
    "killed": {
      "kind": "user",
      "retryable": false,
      "http": 403,
      "jsonrpc": -31045,
      "exit": 2,
      "message": "All agent access is stopped by the kill switch.",
      "hint": "The user can release it in the side panel."
    },
    "origin_changed": {
      "kind": "external",
      "retryable": false,
      "http": 409,
      "jsonrpc": -31046,
      "exit": 2,
      "message": "The page moved to another site before the step.",
      "hint": "Take a snapshot and decide again."
    },
    "unauthorized": {
      "kind": "user",
      "retryable": false,
      "http": 401,
      "jsonrpc": -31050,
      "exit": 2,
      "message": "The token is missing or not valid here.",
      "hint": "Send a valid token; `tandem token` prints the one for scripts.",
      "reasons": {
        "no_client": "Send the program's own token: `tandem token list` shows those that hold, `tandem token add NAME` makes another.",
        "no_browser": "Pair the browser again: run `tandem pair` and type the code in the extension's popup.",
        "no_session": "This address is for the session's own agent. Other programs use /mcp with a token of theirs: `tandem token add NAME`."
      }
    },
    "forbidden_origin": {
      "kind": "user",
      "retryable": false,
      "http": 403,
      "jsonrpc": -31051,
      "exit": 2,
      "message": "Requests from this origin are not allowed.",
      "hint": "Allow it with `tandem origin add <origin>`."
    },
    "forbidden_host": {
      "kind": "user",
      "retryable": false,
      "http": 403,
      "jsonrpc": -31052,
      "exit": 2,
      "message": "The Host header names another machine.",
      "hint": "Use 127.0.0.1 or localhost with the hub's port."
    },
    "forbidden": {
      "kind": "user",
      "retryable": false,
      "http": 403,
      "jsonrpc": -31053,
      "exit": 2,
      "message": "This token may not do that.",
      "hint": "Use a token whose profile and mode allow it.",
      "reasons": {
        "user_only": "Type it in a shell of your own, outside of agents and of Tandem's terminals."
      }
    },
    "not_found": {
      "kind": "user",
      "retryable": false,
      "http": 404,
      "jsonrpc": -32601,
      "exit": 2,
      "message": "There is nothing at this address.",
      "hint": "Check the path; docs/reference/routes.md lists them."
    },
    "method_not_allowed": {
      "kind": "user",
      "retryable": false,
      "http": 405,
      "jsonrpc": -32601,
      "exit": 2,
      "message": "This path does not take that method.",
      "hint": "Use one of the methods in the Allow header."
    },
    "payload_too_large": {
      "kind": "user",
      "retryable": false,
      "http": 413,
      "jsonrpc": -31054,
      "exit": 2,
      "message": "The message is too large.",
      "hint": "Send less, or in parts."
    },
    "bad_json": {
      "kind": "user",
      "retryable": false,
      "http": 400,
      "jsonrpc": -32700,
      "exit": 2,
      "message": "The body is not valid JSON.",
      "hint": "Send UTF-8 JSON."
    },
    "bad_request": {
      "kind": "user",
      "retryable": false,
      "http": 400,
      "jsonrpc": -32600,
      "exit": 2,
      "message": "The request is malformed.",
      "hint": "Compare it with the documentation of this path."
    },
    "rate_limited": {
      "kind": "resources",
      "retryable": true,
      "http": 429,
      "jsonrpc": -31055,
      "exit": 2,
      "message": "Too many failed attempts.",
      "hint": "Wait as long as the Retry-After header says."
    },
    "pairing_failed": {
      "kind": "user",
      "retryable": false,
      "http": 403,
      "jsonrpc": -31056,
      "exit": 2,
      "message": "The pairing code is wrong, used or too old.",
      "hint": "Get a new code with `tandem pair`."
    },
    "conflict": {
      "kind": "user",
      "retryable": false,
      "http": 409,
      "jsonrpc": -31057,
      "exit": 2,
      "message": "The state does not allow that now.",
      "hint": "Read the current state, then try again."
    },
    "usage": {
      "kind": "user",
      "retryable": false,
      "http": 400,
      "jsonrpc": -32602,
      "exit": 1,
      "message": "The command line is not valid.",
      "hint": "Run the command with --help."
    },
    "unknown_command": {
      "kind": "user",
      "retryable": false,
      "http": 404,
      "jsonrpc": -32601,
      "exit": 1,
      "message": "Unknown command.",
      "hint": "Run `tandem help` for the list."
    },
    "hub_unreachable": {
      "kind": "external",
      "retryable": true,
      "http": 503,
      "jsonrpc": -31060,
      "exit": 10,
      "message": "The hub is not running.",
      "hint": "Start it with `tandem up`."
    },
    "port_in_use": {
      "kind": "resources",
      "retryable": false,
      "http": 409,
      "jsonrpc": -31061,
      "exit": 2,
      "message": "Another program uses the port.",
      "hint": "Stop that program or choose another port with --port."
    },
    "already_running": {
      "kind": "user",
      "retryable": false,
      "http": 409,
      "jsonrpc": -31062,
      "exit": 2,
      "message": "A hub already runs on this state dir.",
      "hint": "Use it, stop it with `tandem stop`, or choose another --state-dir."
    },
    "state_unreadable": {
      "kind": "resources",
      "retryable": false,
      "http": 500,
      "jsonrpc": -31063,
      "exit": 2,
      "message": "The state could not be read and was moved aside.",
      "hint": "Nothing was deleted; look at the file that the message names."
    },
    "state_dir_refused": {
      "kind": "user",
      "retryable": false,
      "http": 500,
      "jsonrpc": -31064,
      "exit": 2,
      "message": "The state dir is not safe to use.",
      "hint": "It must be a real directory of yours with mode 0700; choose another with --state-dir."
    },
    "store_full": {
      "kind": "resources",
      "retryable": true,
      "http": 507,
      "jsonrpc": -31068,
      "exit": 2,
      "message": "The disk is full.",
      "hint": "Free some space on the disk of the state dir, then try again; nothing of this was stored."
    },
    "browser_missing": {
      "kind": "resources",
      "retryable": false,
      "http": 503,
      "jsonrpc": -31065,
      "exit": 2,
      "message": "No Chromium or Chrome was found.",
      "hint": "Install chromium, or name one with --chrome-path."
    },
    "java_missing": {
      "kind": "resources",
      "retryable": false,
      "http": 500,
      "jsonrpc": -31066,
      "exit": 2,
      "message": "No JDK 25 was found.",
      "hint": "Install a JDK 25 and set JAVA_HOME."
    },
    "stopping": {
      "kind": "resources",
      "retryable": true,
      "http": 503,
      "jsonrpc": -31067,
      "exit": 2,
      "message": "The hub is stopping.",
      "hint": "Try again when it runs again."
    },
    "agent_failed": {
      "kind": "external",
      "retryable": false,
      "http": 502,
      "jsonrpc": -31090,
      "exit": 2,
      "message": "The agent failed.",
      "hint": "Say it again, or see whether the agent works: `tandem agents NAME --test`."
    },
    "internal": {
      "kind": "internal",
      "retryable": false,
      "http": 500,
      "jsonrpc": -32603,
      "exit": 2,
      "message": "Something went wrong inside Tandem.",
      "hint": "Look into the hub's log; `tandem doctor` shows where it is."
    }
  }
};

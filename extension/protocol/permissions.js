// Written by scripts/protocol.mjs from permissions.json.
export default {
  "names": {
    "tab_read:info": {
      "risk": "read",
      "about": "see the address and title of the page"
    },
    "tab_read:dom": {
      "risk": "read",
      "about": "read the page"
    },
    "tab_read:elements": {
      "risk": "read",
      "about": "list the elements of the page"
    },
    "tab_read:screenshot": {
      "risk": "read",
      "about": "take pictures of the page"
    },
    "tab_read:export": {
      "risk": "read",
      "about": "export the page as a component"
    },
    "tab_read:console": {
      "risk": "read",
      "about": "read the console"
    },
    "tab_read:network": {
      "risk": "read",
      "about": "see the network requests"
    },
    "tab_read:perf": {
      "risk": "read",
      "about": "measure the page"
    },
    "tab_list:all": {
      "risk": "read",
      "about": "list all open tabs"
    },
    "tab_nav:goto": {
      "risk": "write",
      "about": "go to an address"
    },
    "tab_nav:open": {
      "risk": "write",
      "about": "open or take a tab"
    },
    "tab_nav:close": {
      "risk": "write",
      "about": "close a tab"
    },
    "tab_nav:focus": {
      "risk": "write",
      "about": "bring a tab to the front"
    },
    "tab_action:click": {
      "risk": "write",
      "about": "click"
    },
    "tab_action:input": {
      "risk": "write",
      "about": "type and choose"
    },
    "tab_action:hover": {
      "risk": "write",
      "about": "move the mouse"
    },
    "tab_action:scroll": {
      "risk": "write",
      "about": "scroll"
    },
    "tab_action:wait": {
      "risk": "read",
      "about": "wait for the page"
    },
    "tab_action:dialog": {
      "risk": "write",
      "about": "answer a dialog of the page"
    },
    "tab_action:secret": {
      "risk": "sensitive",
      "about": "fill a password, one-time code or card field"
    },
    "tab_action:upload": {
      "risk": "sensitive",
      "about": "upload files"
    },
    "tab_action:download": {
      "risk": "sensitive",
      "about": "download files"
    },
    "tab_action:payment": {
      "risk": "sensitive",
      "about": "submit a payment"
    },
    "tab_data:cookies": {
      "risk": "sensitive",
      "about": "read or change cookies"
    },
    "tab_data:storage": {
      "risk": "sensitive",
      "about": "read or change site storage"
    },
    "tab_clipboard:read": {
      "risk": "sensitive",
      "about": "read the clipboard"
    },
    "tab_clipboard:write": {
      "risk": "sensitive",
      "about": "write to the clipboard"
    },
    "tab_script:run": {
      "risk": "sensitive",
      "about": "run a script in the page"
    },
    "tab_cdp:raw": {
      "risk": "sensitive",
      "about": "send raw debugger commands"
    }
  }
};

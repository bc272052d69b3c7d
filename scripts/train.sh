# shellcheck shell=bash
# Makes the start-up caches of hub and terminal agent: in a checkout with each build, in an unpacked
# archive before the first start, since a cache is good for one runtime in one place.

# An archive makes its caches where it stands, if it may; one start at a time tries.
first_caches() {
    [[ -f $dist/hub.aot || ! -w $dist ]] && return
    # what a start that was cut short left behind
    find "$dist" -maxdepth 1 -name '.train*' -mmin +10 -exec rm -rf {} + 2>/dev/null
    mkdir "$dist/.training" 2>/dev/null || return 0
    say "Preparing quick starts on this machine (once, a few seconds) …"
    train "$dist" || say "That did not work out; starts will be slower."
    rmdir "$dist/.training"
}

# Runs hub and terminal agent once and lets the JVM keep what they loaded and linked in folder $1,
# so that later starts and first calls are quick.
train() {
    local scratch status trainee='' agent=''
    scratch=$(mktemp -d "${1:?}/.train.XXXXXX") || return
    trap 'stop_training 129' HUP
    trap 'stop_training 130' INT
    trap 'stop_training 143' TERM
    # moved into place as the last step, so that nobody starts with half a cache
    train_hub "$scratch" && mv "$scratch/hub.aot" "$scratch/terminal.aot" "$1/"
    status=$?
    trap - HUP INT TERM
    rm -rf "$scratch"
    return "$status"
}

# Leaves with exit code $1, and nothing behind: the hub in training does not hear the keys of a terminal.
stop_training() {
    trap '' HUP INT TERM
    if [[ -n $trainee ]]; then
        kill -TERM "$trainee" 2>/dev/null
        wait "$trainee"
        [[ -z $agent ]] || await_end "$agent"
    fi
    rm -rf "$scratch"
    [[ ! -d $dist/.training ]] || rmdir "$dist/.training"
    exit "$1"
}

# Leaves both caches in folder $1.
train_hub() {
    local browser=(--browser none)
    # a first start should not take longer than it must
    packaged || ! have_chromium || browser=(--headless)
    java_arguments hub
    "$java" "-XX:AOTCacheOutput=$1/hub.aot" -Xlog:aot=off -Xlog:cds=off \
        "-Dtandem.terminal.train=$1/terminal.aot" "${java_args[@]}" \
        dev.tandem.hub.Main --home "$root" --state-dir "$1/state" --port 0 "${browser[@]}" --json \
        >"$1/out" 2>"$1/err" 9>&- &
    trainee=$!
    until [[ -s $1/out ]]; do
        kill -0 "$trainee" 2>/dev/null || { cat "$1/err" >&2 && return 1; }
        sleep 0.1
    done
    exercise "$1/state"
    [[ ${browser[0]} != --headless ]] || exercise_tools "$1/state"
    exercise_terminal "$1/state"
    kill -TERM "$trainee"
    wait "$trainee"
    [[ -n $agent ]] && await_end "$agent"
    [[ -s $1/hub.aot && -s $1/terminal.aot ]]
}

# Uses every door of the hub of a state dir once.
exercise() {
    local state=$1 port path _
    for path in /health /version /metrics /config; do
        find_hub || return
        printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$path" "$port" >&3
        while IFS= read -r -u 3 _; do :; done
    done
    for path in status help snapshot; do
        at_hub "$path" --json >/dev/null
    done
    exec 3>&-
}

# Has tools used on a page of our own making, by command line and over MCP.
exercise_tools() {
    local state=$1 tries=100 tab tab_is='tab-([0-9]+)' round
    until at_hub browsers --json | grep -q managed; do
        ((tries-- > 0)) || return
        sleep 0.1
    done
    [[ $(at_hub launch --json) =~ $tab_is ]] && tab=${BASH_REMATCH[1]} || return
    at_hub browser-execute "$tab" \
        'document.body.innerHTML = "<h1>Page</h1><button>Go</button><input aria-label=Name>"' >/dev/null
    for round in 1 2 3 4 5; do
        at_hub snapshot
        at_hub click r2
        at_hub type r3 words --clear
        at_hub browser-execute "$tab" 1+1
        over_mcp snapshot '{}'
        over_mcp click '{"ref":"r2"}'
        over_mcp type '{"ref":"r3","text":"words","clear":true}'
        over_mcp browser_execute "{\"tabId\":$tab,\"script\":\"1+1\"}"
    done >/dev/null
    at_hub screenshot >/dev/null
}

# A command for the hub of $state.
at_hub() { TANDEM_STATE_DIR=$state TANDEM_NO_START=1 "$root/tandem" "$@" 2>/dev/null; }

# A call of tool $1 with arguments $2 to the hub of $state.
over_mcp() {
    local port token _ body
    find_hub || return
    body="{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"$1\",\"arguments\":$2}}"
    printf 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\nConnection: close\r\nContent-Length: %s\r\n\r\n%s' \
        "$port" "$token" "${#body}" "$body" >&3
    while IFS= read -r -u 3 _; do :; done
    exec 3>&-
}

# Opens a terminal as the panel does, lets a shell say something and ends it; sets $agent.
exercise_terminal() {
    local state=$1 port token line _ id='"extensionId"[[:space:]]*:[[:space:]]*"([a-p]+)"'
    local pid_is='"pid":([0-9]+)' pty_is='"ptySessionToken":"([^"]+)"' at_is='"terminalPort":([0-9]+)'
    [[ $(<"$root/extension/protocol/identity.json") =~ $id ]] || return
    id=${BASH_REMATCH[1]}
    await_file "$state/terminal-port" || return
    [[ $(<"$state/terminal-agent-pid") =~ $pid_is ]] && agent=${BASH_REMATCH[1]}
    find_hub || return
    printf 'POST /pty-session HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nAuthorization: Bearer %s\r\nConnection: close\r\nContent-Length: 33\r\n\r\n{"profile":"shell","resume":true}' \
        "$port" "$token" >&3
    IFS= read -r -d '' -u 3 line
    exec 3>&-
    [[ $line =~ $pty_is ]] && token=${BASH_REMATCH[1]} || return
    [[ $line =~ $at_is ]] && port=${BASH_REMATCH[1]}
    exec 3<>"/dev/tcp/127.0.0.1/$port" || return
    printf 'GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nOrigin: chrome-extension://%s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: gstack-pty.%s\r\n\r\n' \
        "$port" "$id" "$token" >&3
    # Frames of the client carry a mask; one of zeros leaves the bytes as they are.
    printf '\x81\xa5\0\0\0\0{"type":"resize","cols":80,"rows":24}\x81\x9b\0\0\0\0{"type":"start","ack":true}' >&3
    printf '\x82\x89\0\0\0\0seq 9999\n\x81\x98\0\0\0\0{"type":"ack","seq":999}\x82\x85\0\0\0\0exit\n' >&3
    while IFS= read -r -t 20 -u 3 _; do :; done
    exec 3>&-
}

await_file() {
    local tries
    for ((tries = 0; tries < 300; tries++)); do
        [[ -s $1 ]] && return
        sleep 0.1
    done
    return 1
}

await_end() {
    local tries
    for ((tries = 0; tries < 300; tries++)); do
        kill -0 "${1:?}" 2>/dev/null || return 0
        sleep 0.1
    done
}

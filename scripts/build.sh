# shellcheck shell=bash
# Builds the product into target/dist/<time>. A running hub keeps its own jars: each build has a
# folder of its own, and target/dist/current names the newest one.

sources=(pom.xml protocol cli terminal agent hub extension/protocol package-lock.json)

# True when the newest build is newer than every source file.
fresh_build() {
    local current=$root/target/dist/current
    [[ -f $current && -d $root/target/dist/$(<"$current")/lib ]] || return 1
    [[ -z $(cd "$root" && find "${sources[@]}" -name target -prune -o -type f -newer "$current" -print -quit 2>/dev/null) ]]
}

build() {
    local began=$SECONDS
    [[ $# = 0 ]] || die 1 "Unknown option $1 of build. It takes none."
    find_jdk
    need mvn maven
    need npm npm
    build_lock
    step "Building Tandem"
    new_dist
    vendor_files
    step "  Java modules"
    package_jars || die 2 "The build failed. Its output is above."
    train
    publish_dist
    step "Built in $((SECONDS - began)) s"
}

step() { printf '%s\n' "$1" >&2; }

# One build at a time, where the system has flock.
build_lock() {
    mkdir -p "$root/target/dist"
    command -v flock >/dev/null || return 0
    exec 9>"$root/target/dist/.lock"
    flock -n 9 || { step "Waiting for another build …" && flock 9; }
}

new_dist() {
    dist=$root/target/dist/$(date +%Y%m%d-%H%M%S)
    rm -rf "$dist" && mkdir -p "$dist/lib"
    # so that a file saved during the build counts as newer
    : >"$dist/began"
}

# The third-party files of the extension, copied from npm packages when the lock file changed.
vendor_files() {
    [[ -f $root/package-lock.json ]] || return 0
    [[ -d $root/extension/vendor && -d $root/webapp/vendor && $root/node_modules/.package-lock.json -nt $root/package-lock.json ]] && return
    step "  Extension files"
    (cd "$root" && npm ci --no-audit --no-fund --loglevel=error >&2 && node scripts/vendor.mjs >&2) ||
        die 2 "The extension's files could not be fetched. Its output is above."
    touch "$root/node_modules/.package-lock.json"
}

# Maven itself runs on the JDK that was found, without its warnings about its own libraries.
maven() {
    MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS-}" \
        mvn -B -Dstyle.color=never "$@"
}

# Jars of the product and everything they need, in $dist/lib.
package_jars() {
    (cd "$root" && maven -q -Pproduct -pl hub,terminal,agent -am package \
        dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$dist/lib" >&2) &&
        copy_jars
}

copy_jars() {
    local module
    for module in protocol cli terminal agent hub; do
        cp "$root/$module/target/tandem-$module-"*.jar "$dist/lib/" || return 1
    done
}

# Runs hub and terminal agent once and lets the JVM keep what they loaded and linked, so that later
# starts and first calls are quick.
train() {
    local scratch
    step "  Start-up caches"
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/tandem-train.XXXXXX")
    train_hub "$scratch" || say "The start-up caches could not be made; starts will be slower."
    rm -rf "$scratch"
}

train_hub() {
    local pid agent browser=(--browser none)
    ! have_chromium || browser=(--headless)
    java_arguments hub
    "$java" "-XX:AOTCacheOutput=$dist/hub.aot" -Xlog:aot=off -Xlog:cds=off \
        "-Dtandem.terminal.train=$dist/terminal.aot" "${java_args[@]}" \
        dev.tandem.hub.Main --home "$root" --state-dir "$1/state" --port 0 "${browser[@]}" --json \
        >"$1/out" 2>"$1/err" 9>&- &
    pid=$!
    until [[ -s $1/out ]]; do
        kill -0 "$pid" 2>/dev/null || { cat "$1/err" >&2 && return 1; }
        sleep 0.1
    done
    exercise "$1/state"
    [[ ${browser[0]} != --headless ]] || exercise_tools "$1/state"
    exercise_terminal "$1/state"
    kill -TERM "$pid"
    wait "$pid"
    await_end "$agent"
    [[ -s $dist/hub.aot && -s $dist/terminal.aot ]]
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

# Makes this build the current one and forgets all but the two before it.
publish_dist() {
    local LC_ALL=C old
    printf '%s\n' "${dist##*/}" >"$dist/name"
    touch -r "$dist/began" "$dist/name"
    mv "$dist/name" "$root/target/dist/current"
    old=("$root"/target/dist/2*/)
    while ((${#old[@]} > 3)); do
        rm -rf "${old[0]}"
        old=("${old[@]:1}")
    done
}

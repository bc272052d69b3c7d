# shellcheck shell=bash
# Measures the product of this checkout against a floor, and against other tools, in the same run;
# or lets it run for long.

run_bench() {
    case ${1-} in
        hub) bench_hub ;;
        terminal | sessions) bench_hub "$1" ;;
        peers) bench_peers "${@:2}" ;;
        tasks) bench_tasks "${@:2}" ;;
        memory) bench_memory "${@:2}" ;;
        '' | --*) bench_hub && bench_peers "$@" ;;
        *) die 1 "Unknown part $1 of bench. One of hub, terminal, sessions, peers, tasks, memory; without one hub and peers." ;;
    esac
}

bench_hub() {
    need nodejs npm
    # a peer for terminals, where the system's packages have it
    command -v ttyd >/dev/null || ! has_candidate ttyd || install_package ttyd 2>/dev/null || true
    measure Main "$@"
}

# True when the system's package lists have a version of package $1 to install.
has_candidate() {
    local line
    command -v apt-cache >/dev/null || return 1
    while read -r line; do
        [[ $line = Candidate:* && $line != *'(none)' ]] && return
    done < <(LC_ALL=C apt-cache policy "$1" 2>/dev/null)
    return 1
}

run_soak() { measure Soak "$@"; }

# Runs class $1 of the bench on a build of this checkout.
measure() {
    find_jdk
    need maven
    ready_build
    # the client of the terminal bench is written for a package of the checkout
    vendor_files
    step "Building the bench"
    (cd "$root" && maven -q -Pproduct -pl bench -am package >&2) || die 2 "The bench did not build."
    TANDEM_HOME=$root "$java" --enable-native-access=ALL-UNNAMED \
        -cp "$root/bench/target/classes:$dist/lib/*" "dev.tandem.bench.$1" "${@:2}"
}

# 1 where a bar is not kept, 2 where a peer failed.
bench_peers() {
    local kept=0
    ready_peers
    node run.mjs --out "$results/peers.json" "$@" && node table.mjs "$results/peers.json" || return
    node bars.mjs "$results/peers.json" || kept=$?
    node failures.mjs "$results/peers.json" && return "$kept"
}

bench_tasks() {
    ready_peers
    node tasks.mjs "$@"
}

bench_memory() {
    ready_peers
    node memory.mjs "$@"
}

# The other tools by their published packages, and a build of ours; leaves in their folder.
ready_peers() {
    find_jdk
    need npm chromium
    ready_build
    export TANDEM_DIST=$dist
    results=$root/target/bench
    mkdir -p "$results"
    cd "$root/bench/peers" || exit 2
    if [[ ! node_modules/.package-lock.json -nt package-lock.json ]]; then
        step "Fetching the other tools"
        PUPPETEER_SKIP_DOWNLOAD=1 PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 \
            npm ci --no-audit --no-fund --loglevel=error >&2 || die 2 "The other tools could not be fetched."
        touch node_modules/.package-lock.json
    fi
    chmod +x node_modules/agent-browser/bin/agent-browser-linux-x64
}

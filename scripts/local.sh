# shellcheck shell=bash
# The commands that run outside a hub. Sourced by ./tandem, which sets $root and $state.

# shellcheck source=scripts/jdk.sh
source "$root/scripts/jdk.sh"
# shellcheck source=scripts/train.sh
source "$root/scripts/train.sh"

# An unpacked archive brings its runtime and its jars; a checkout builds them.
packaged() { [[ -d $root/runtime ]]; }

# The native launcher itself where there is one: no shell starts before it.
command_file() { [[ -x $root/target/tandem ]] && echo "$root/target/tandem" || echo "$root/tandem"; }

run_locally() {
    case ${2-} in
        --help | -h) usage "$1" && return ;;
    esac
    [[ -n ${HOME-} || $1 = version ]] ||
        die 2 "HOME is not set, so there is no place for Tandem's files. Set it to your home folder."
    case $1 in
        up) up "${@:2}" ;;
        stop | version) own_words "${@:2}" && "$1" "${rest[@]}" ;;
        link | unlink) own_words "${@:2}" && with_links && "$1" "${rest[@]}" ;;
        build | test | coverage | bench | soak | package) own_words "${@:2}" && with_sources "$1" && in_checkout "$1" ;;
        agent | mcp | doctor) "command_$1" "${@:2}" ;;
        *) without_hub "$@" ;;
    esac
}

# Leaves in $rest what is no flag for every command; the launcher has read those.
own_words() {
    rest=()
    while (($#)); do
        case $1 in
            --json | --quiet | --no-interactive | --no-prompt | --output-format=* | --transport=*) ;;
            --output-format | --transport) shift ;;
            *) rest+=("$1") ;;
        esac
        shift
    done
    return 0
}

# Answers in the form that was asked for: $1 to people, with $2 as its data to programs.
answer() {
    if [[ -n $quiet ]]; then
        return 0
    elif [[ -n $as_json ]]; then
        printf '{"success":true,"message":"%s","data":%s}\n' "$(in_json "$1")" "$2" >&"$answers"
    else
        printf '%s\n' "$1"
    fi
}

# The help of commands that would otherwise build first; the rest know their own.
usage() {
    case $1 in
        build) printf '%s\n' 'Usage: tandem build' '  build the product from this checkout' ;;
        test) printf '%s\n' 'Usage: tandem test' '  run every check and test' ;;
        package) printf '%s\n' 'Usage: tandem package' '  make the extension zip and a release' '  archive' ;;
        coverage) printf '%s\n' 'Usage: tandem coverage [--no-e2e]' '  count the lines that the tests reach;' '  --no-e2e without a browser' ;;
        bench) printf '%s\n' 'Usage: tandem bench [PART]' '  measure, and compare. PART is hub,' '  terminal, sessions, peers, tasks or' '  memory; without one hub and peers' ;;
        soak) printf '%s\n' 'Usage: tandem soak [PART]' '  run for long, and lose nothing;' '  without a part all of them' ;;
        link) printf '%s\n' 'Usage: tandem link [FOLDER]' '  put the command "tandem" on your PATH:' '  a link in ~/.local/bin, or in FOLDER' ;;
        unlink) printf '%s\n' 'Usage: tandem unlink [FOLDER]' '  take that link away' ;;
        stop) printf '%s\n' 'Usage: tandem stop [--state-dir DIR]' '  end the hub and what it started' ;;
        version) printf '%s\n' 'Usage: tandem version' '  print the version' ;;
        agent) printf '%s\n' 'Usage: tandem agent' '  the built-in agent: speaks ACP on' '  standard input and output' ;;
        *) return 1 ;;
    esac
}

# Runs a command of the checkout with the words in $rest. What it reports is for people: where programs
# ask it goes to standard error, and they get how it ended.
in_checkout() {
    local status
    [[ -z $quiet ]] || exec >/dev/null
    [[ -z $as_json ]] || { exec 4>&1 >&2 && answers=4; }
    "command_$1" "${rest[@]}"
    status=$?
    if [[ -z $as_json ]]; then
        return "$status"
    elif ((status == 0)); then
        answer "tandem $1 is done." '{}'
    else
        printf '{"success":false,"error":"tandem %s failed.","exitCode":%s}\n' "$1" "$status" >&"$answers"
        return "$status"
    fi
}

command_build() { build "$@"; }
command_test() { run_tests "$@"; }
command_coverage() { run_coverage "$@"; }
command_package() { make_packages "$@"; }
command_bench() { run_bench "$@"; }
command_soak() { run_soak "$@"; }
command_doctor() { run_java dev.tandem.cli.Main doctor "$@"; }
command_agent() { run_java dev.tandem.agent.Main "$@"; }
command_mcp() {
    case ${1-} in
        install | uninstall) without_hub mcp "$@" ;;
        *) run_java dev.tandem.cli.Main mcp "$@" ;;
    esac
}

# shellcheck source=scripts/link.sh
with_links() { source "$root/scripts/link.sh"; }

# Loads the scripts that only a checkout has.
with_sources() {
    packaged && die 1 "\"tandem $1\" needs the source checkout; this is a release archive."
    # shellcheck source=scripts/need.sh
    source "$root/scripts/need.sh"
    # shellcheck source=scripts/build.sh
    source "$root/scripts/build.sh"
    # shellcheck source=scripts/test.sh
    [[ $1 = test ]] && source "$root/scripts/test.sh"
    # shellcheck source=scripts/coverage.sh
    [[ $1 = coverage ]] && source "$root/scripts/coverage.sh"
    # shellcheck source=scripts/package.sh
    [[ $1 = package ]] && source "$root/scripts/package.sh"
    # shellcheck source=scripts/bench.sh
    [[ $1 = bench || $1 = soak ]] && source "$root/scripts/bench.sh"
    return 0
}

# Builds when there is no build or when sources are newer than it; sets $dist.
ready_build() {
    if packaged; then
        dist=$root
        return
    fi
    with_sources up
    if [[ -n ${TANDEM_DIST-} ]]; then
        dist=$TANDEM_DIST
        return
    fi
    fresh_build || build
    dist=$root/target/dist/$(<"$root/target/dist/current")
}

# Sets $java and the arguments that every start of the product shares; $1 names the start-up cache.
java_command() {
    export TANDEM_HOME=$root
    find_jdk
    ready_build
    name_files_in_utf8
    packaged && [[ $1 = hub ]] && first_caches
    # a shell learns how wide the terminal is when a child ends
    [[ $1 = cli && -t 1 && -z ${COLUMNS-} ]] && shopt -s checkwinsize && (:;:) && export COLUMNS
    java_arguments "$1"
}

# Java names files in the letters of the locale: in ASCII where there is none, as under cron or over ssh,
# or none that is installed. Its letters alone are set; language and order stay the user's.
name_files_in_utf8() {
    [[ $OSTYPE = darwin* || $(locale charmap 2>/dev/null) = UTF-8 ]] && return
    if [[ -n ${LC_ALL-} ]]; then export LC_ALL=C.UTF-8; else export LC_CTYPE=C.UTF-8; fi 2>/dev/null
}

java_arguments() {
    # the order of the jars is part of the cache, so it may not depend on the user's language
    local LC_ALL=C IFS=:
    local jars=("$dist"/lib/*.jar)
    # the quick compiler alone: calls are short and far between, so better code would come too late
    java_args=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xms32m -Xmx512m -Xss512k --enable-native-access=ALL-UNNAMED
        --sun-misc-unsafe-memory-access=allow "-Duser.home=$HOME" -cp "${jars[*]}")
    # a hub answers its first calls as quickly as later ones only if it compiles what they run at once;
    # what a large answer needs must fit the survivors, or its garbage grows in the old generation
    [[ $1 = hub ]] && java_args=(-XX:CompileThresholdScaling=0.02 -Xmn20m -XX:SurvivorRatio=4 "${java_args[@]}")
    [[ -f $dist/$1.aot ]] && java_args=("-XX:AOTCache=$dist/$1.aot" -Xlog:aot=off -Xlog:cds=off "${java_args[@]}")
    # counts the lines that are reached, in "tandem coverage"
    [[ -n ${TANDEM_JAVA_AGENT-} ]] && java_args=("-javaagent:$TANDEM_JAVA_AGENT" "${java_args[@]}")
    return 0
}

run_java() {
    java_command cli
    exec "$java" "${java_args[@]}" "$@"
}

up() {
    local word words=() programs=()
    for word; do
        case $word in
            --help | -h) run_java dev.tandem.cli.Main help up ;;
            --quiet) exec >/dev/null ;;
            --no-interactive | --no-prompt) ;;
            *) words+=("$word") ;;
        esac
    done
    set -- "${words[@]}"
    if ! packaged; then
        with_sources up
        # what is missing is said at once, and a browser is before the build, which makes caches with it
        find_jdk
        starts_browser "$@" && programs+=(chromium)
        [[ -n ${TANDEM_DIST-} ]] || fresh_build || programs+=(maven npm)
        need "${programs[@]}"
    fi
    java_command hub
    exec "$java" "${java_args[@]}" dev.tandem.hub.Main --home "$root" "$@"
}

# Whether a hub starts a browser by these options.
starts_browser() { [[ " $* " != *' --browser none '* && " $* " != *' --browser=none '* ]]; }

# Ends the hub of a state dir and answers when its process is gone.
stop() {
    local pid json='' pid_is='"pid"[[:space:]]*:[[:space:]]*([0-9]+)'
    case ${1-} in
        '') ;;
        --state-dir=*) state=${1#*=} ;;
        --state-dir) state=${2-} && [[ -n $state ]] || die 1 "Missing value for --state-dir" ;;
        *) die 1 "Unknown option $1 of stop. Known: --state-dir DIR" ;;
    esac
    [[ -r $state/browse.json ]] && IFS= read -r -d '' json <"$state/browse.json"
    [[ $json =~ $pid_is ]] && pid=${BASH_REMATCH[1]} || pid=
    if [[ -z $pid ]] || ! is_hub "$pid"; then
        answer "No hub runs on the state dir $state." '{"stopped":false}'
        return 0
    fi
    kill -TERM "$pid" || die 2 "The hub (process $pid) belongs to somebody else."
    local deadline=$((SECONDS + 10)) ended=
    while lives "$pid" && ((SECONDS < deadline + 5)); do
        if ((SECONDS >= deadline)) && [[ -z $ended ]]; then
            say "The hub is slow to stop; ending it."
            kill -KILL "$pid" && ended=1
        fi
        sleep 0.02
    done
    lives "$pid" && die 2 "The hub (process $pid) did not end."
    answer "The hub is stopped." '{"stopped":true}'
}

# True while that process runs; one that has ended but was not collected, as in a container without
# an init, has let go of everything. A small system has /proc and no ps; a Mac has it the other way round.
lives() {
    local stat
    kill -0 "$1" 2>/dev/null || return
    if [[ -r /proc/self/stat ]]; then
        { IFS= read -r stat <"/proc/$1/stat"; } 2>/dev/null && [[ ${stat##*') '} != Z* ]]
    else
        [[ $(ps -o stat= -p "$1") = [!Z]* ]]
    fi
}

# True when that process is a hub, not a stranger that got its number; -ww, or COLUMNS would cut the line.
is_hub() {
    local word
    kill -0 "$1" 2>/dev/null || return
    if [[ -r /proc/self/cmdline ]]; then
        while IFS= read -r -d '' word; do
            [[ $word = dev.tandem.hub.Main ]] && return
        done 2>/dev/null <"/proc/$1/cmdline"
        return 1
    fi
    command -v ps >/dev/null ||
        die 2 "Without /proc and without ps it cannot be told whether process $1 is the hub. If it is, end it: kill $1"
    [[ $(ps -ww -o command= -p "$1") = *dev.tandem.hub.Main* ]]
}

version() {
    local line
    [[ $# = 0 ]] || die 1 "Unknown option $1 of version. It takes --json and --quiet."
    if [[ -f $root/VERSION ]]; then
        line=$(<"$root/VERSION")
    else
        while read -r line; do
            [[ $line = '<version>'* ]] && break
        done <"$root/pom.xml"
        line=${line#'<version>'}
        line=${line%'</version>'}
    fi
    answer "tandem $line" "{\"version\":\"$line\"}"
}

# No hub runs. Usage errors and help are answered at once; a command that only looks fails with 10;
# any other starts a hub and goes on.
without_hub() {
    local status
    java_command cli
    # a build takes long enough for one to come
    find_hub && exec "$root/tandem" "$@"
    "$java" "${java_args[@]}" dev.tandem.cli.Main --without-hub "$@"
    status=$?
    ((status == 75)) || exit "$status"
    case $1 in
        # of what only a running hub has; sessions, projects and the audit are there without one
        status | token | browsers | permissions) no_hub ;;
    esac
    # what an agent starts ends with its session, and a hub must not
    [[ -n ${TANDEM_NO_START-}${TANDEM_TREE-} ]] && no_hub
    start_hub
    exec "$root/tandem" "$@"
}

no_hub() {
    local text="No hub runs on the state dir $state. Start one: tandem up"
    [[ -z ${TANDEM_TREE-} ]] || text="No hub runs on the state dir $state, and agents start none. If yours has another one, name that in TANDEM_STATE_DIR."
    die 10 "$text"
}

# Starts a hub that outlives this command and waits until it takes connections.
start_hub() {
    local log started deadline=$((SECONDS + 60))
    java_command hub
    log=$(mktemp "${TMPDIR:-/tmp}/tandem-start.XXXXXX")
    # the hub goes on; who comes next finds it
    trap 'rm -f "$log"; exit 130' INT
    say "No hub is running; starting one (end it with \"tandem stop\")."
    packaged || ! starts_browser "${TANDEM_UP_OPTIONS-}" || need chromium
    # shellcheck disable=SC2086 # TANDEM_UP_OPTIONS holds words
    TANDEM_STATE_DIR=$state nohup "$java" "${java_args[@]}" dev.tandem.hub.Main --home "$root" \
        ${TANDEM_UP_OPTIONS-} </dev/null >"$log" 2>&1 &
    # find_hub sets pid to that of the last hub, dead or not
    started=$!
    disown
    until find_hub; do
        # where another command was sooner, its hub will do
        if ! kill -0 "$started" 2>/dev/null && [[ $(<"$log") != *' already runs '* ]]; then
            cat "$log" >&2
            rm -f "$log"
            die 10 "The hub did not start."
        fi
        ((SECONDS < deadline)) || die 10 "The hub is not ready after 60 s. Its output: $log"
        sleep 0.05
    done
    rm -f "$log"
}

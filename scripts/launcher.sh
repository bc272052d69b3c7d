#!/bin/bash
# Tandem's launcher, where no native one was built, and for all that one leaves to it. Commands for the
# hub go straight to its /cli door over a socket, without a fork and without a JVM; everything else is in
# the other scripts. Works with bash 3.2 and later.
#
# A shell parses a script as it runs it, which takes longer than all else here: what every call
# needs stands first, and most calls end before the rest is looked at.

# Bytes are counted and compared, not characters.
language=${LC_ALL-}
LC_ALL=C
state=${TANDEM_STATE_DIR:-$HOME/.local/state/tandem}
status='' asks=''

# Reads where the hub listens and its token, and connects; fails when no hub has written them.
find_hub() {
    local json=''
    [[ -e $state/browse.json ]] || return
    [[ -r $state/browse.json ]] || { status=closed && return 1; }
    IFS= read -r -d '' json <"$state/browse.json"
    # cut out by hand: a regular expression would take long
    port=${json#*'"port"'*:}
    port=${port%%[,\}]*}
    port=${port//[[:space:]]/}
    token=${json#*'"token"'*:*\"}
    token=${token%%\"*}
    pid=${json#*'"pid"'*:}
    pid=${pid%%[,\}]*}
    pid=${pid//[[:space:]]/}
    [[ $port$pid = *[!0-9]* || -z $port || -z $pid || $token = *[!0-9A-Za-z_-]* || -z $token ]] && return 1
    # who has the port of a hub that is gone gets neither words nor keys, and shows nothing here
    kill -0 "$pid" 2>/dev/null || return 1
    { exec 3<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null
}

# Reads $1 bytes into $data, from the hub or from the descriptor $2; bash before 4 has no -N.
take() { IFS= read -r -N "$1" -u "${2-3}" data; }
((BASH_VERSINFO[0] < 4)) && take() { IFS= read -r -d '' -n "$1" -u "${2-3}" data; }

# Shows the hub's answer and leaves with its exit code; returns where the hub wants something. It comes
# in frames: a letter, eight digits, a line end, then as many bytes.
show() {
    while frame='' && take 10; do
        frame=$data
        size=$((10#${frame:1:8}))
        case $frame in
            o*) take "$size" && { printf '%s' "$data" || exit 2; } ;;
            e*) take "$size" && printf '%s' "$data" >&2 ;;
            x*) exit "$size" ;;
            *) return ;;
        esac
    done
}

# Waits for the first line of the answer. Some commands take long, so a hub that is silent is asked
# whether it lives; bash before 4 cannot tell why nothing came.
await_answer() {
    ((BASH_VERSINFO[0] < 4)) && { IFS= read -r -u 3 status || status=none; } && return
    until IFS= read -r -t 5 -u 3 status; do
        if (($? <= 128)); then
            status=none
        elif ! lives_on_port; then
            status=silent
        else
            continue
        fi
        return
    done
}

# Whether anybody answers a question that needs no work.
lives_on_port() {
    { exec 4<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null || return
    printf 'GET /health HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$port" >&4 2>/dev/null
    local line
    IFS= read -r -t 3 -u 4 line
    local found=$?
    exec 4>&-
    return "$found"
}

# Leaves with the command where the hub has taken it.
follow_answer() {
    local line
    await_answer
    [[ $status = 'HTTP/1.1 200'* ]] || return
    while IFS= read -r -u 3 line && [[ $line != $'\r' ]]; do :; done
    show
}

# The native launcher has asked already, and hands over the connection with what the hub said last.
handover=${TANDEM_HANDOVER-}
unset TANDEM_HANDOVER

# Flags for every command may stand before it; they are moved behind.
if [[ ${1-} = --* && -n ${2-} ]]; then
    flags=() words=()
    while [[ ${1-} = --* && $1 != --help && $1 != --version ]]; do
        flags+=("$1")
        case $1 in
            --output-format | --transport | --timeout-ms) flags+=("${@:2:1}") && shift ;;
        esac
        shift
    done
    while (($#)) && [[ $1 != -- ]]; do words+=("$1") && shift; done
    set -- "${words[@]}" "${flags[@]}" "$@"
fi
case ${1-} in
    '' | --help | -h) set -- help "${@:2}" ;;
    --version | -v) set -- version "${@:2}" ;;
esac
case $handover in
    '')
        case "$1 ${2-}" in
            'mcp install' | 'mcp uninstall') find_hub && asks=1 ;;
            'up '* | 'stop '* | 'build '* | 'test '* | 'coverage '* | 'bench '* | 'soak '* | 'package '* | \
                'doctor '* | 'agent '* | 'mcp '* | 'version '* | 'link '* | 'unlink '*) ;;
            *) find_hub && asks=1 ;;
        esac
        ;;
    a*) port=${handover:1} && follow_answer ;;
    *) status='HTTP/1.1 200' frame=$handover size=$((10#${handover:1})) ;;
esac

if [[ -n $asks ]]; then
    # One command inside the hub: a chunked body of NUL-ended fields, their count first. It stays open,
    # so that the hub sees when this process ends.
    tty=0 colour=0 form='' head=''
    [[ -t 1 ]] && tty=3
    # what is asked stands on standard error, so the answer itself may go into a pipe
    [[ -t 0 && -t 2 ]] && tty=$((tty == 3 ? 1 : 2))
    [[ -t 1 && -z ${NO_COLOR-} && ${TERM-dumb} != dumb ]] && colour=1
    # a shell learns how wide the terminal is when a child ends; for a pipe it does not matter
    [[ -t 1 && -z ${COLUMNS-} ]] && shopt -s checkwinsize && (:;:)
    fields=("$PWD" "$tty" "$colour" "${COLUMNS:-0}" "$@")
    size=${#fields[@]}
    size=$((${#size} + 1))
    for field in "${fields[@]}"; do
        size=$((size + ${#field} + 1))
        form+='%s\0'
    done
    printf -v head 'OST /cli HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nAuthorization: Bearer %s\r\nTandem-Pid: %s\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s' \
        "$port" "$token" "$$" "$size" "${#fields[@]}"
    # whoever answers there may hang up at once; the read below says so better than a signal
    trap '' PIPE
    # lines of an argument go out together once something precedes them; else each is sent on its own
    # shellcheck disable=SC2059
    printf "P%s\0$form\r\n" "$head" "${fields[@]}" >&3 2>/dev/null
    trap - PIPE

    follow_answer
fi

# The rest is for calls of another kind: what the hub asks back, what went wrong, what runs without it.

# programs are answered on the descriptor $answers
quiet='' as_json='' answers=1
[[ " $* " = *' --quiet '* ]] && quiet=1
# "up" says to programs where it listens, and to people what went wrong
[[ $1 != up && (" $* " = *' --json '* || " $* " =~ ' --output-format'[=\ ](stream-)?'json ') ]] && as_json=1

say() { printf 'tandem: %s\n' "$1" >&2; }
die() {
    local code=''
    case $1 in
        1) code=',"code":"usage"' ;;
        10) code=',"code":"hub_unreachable"' ;;
    esac
    if [[ -n $as_json ]]; then
        printf '{"success":false,"error":"%s","exitCode":%s%s}\n' "$(in_json "$2")" "$1" "$code" >&"$answers"
    else
        say "$2"
    fi
    exit "$1"
}

# Text as it stands between the quotes of JSON.
in_json() {
    local text=${1//\\/\\\\}
    text=${text//\"/\\\"}
    printf '%s' "${text//[[:cntrl:]]/ }"
}

forward_stdin() {
    local data head
    # a hub that has had enough hangs up; what it said is still to be read
    trap '' PIPE
    while take 32768 0 || [[ -n $data ]]; do
        head=${#data}
        printf '%x\r\n%s\0%s\r\n' $((${#head} + 1 + ${#data})) "$head" "$data" >&3 2>/dev/null || break
    done
    printf '2\r\n0\0\r\n' >&3 2>/dev/null
    trap - PIPE
}

# Sends the key that is struck within $1 seconds, if any; bash before 4 cannot tell why none came.
forward_key() {
    local key=eof
    if [[ -t 0 ]]; then
        if IFS= read -r -s -n 1 -t "$1" key; then
            [[ -n $key ]] || key=enter
        else
            ((BASH_VERSINFO[0] < 4 || $? > 128)) && key='' || key=eof
        fi
    fi
    printf '%x\r\n%s\0\r\n' $((${#key} + 1)) "$key" >&3
}

# Lets what is started from here on speak the user's language again.
own_language() {
    if [[ -n $language ]]; then LC_ALL=$language; else unset LC_ALL; fi 2>/dev/null
}

# Opens the page $1 in the user's browser and says whether it could. It is not to hang on this
# connection, nor end with this terminal.
open_page() {
    local program apart='' answer=none
    command -v setsid >/dev/null && apart=setsid
    if [[ $OSTYPE = darwin* || -n ${DISPLAY-}${WAYLAND_DISPLAY-} ]]; then
        for program in xdg-open open; do
            command -v "$program" >/dev/null || continue
            # shellcheck disable=SC2086
            (own_language && exec $apart "$program" "$1") </dev/null >/dev/null 2>&1 3>&- &
            answer=opened
            break
        done
    fi
    printf '%x\r\n%s\0\r\n' $((${#answer} + 1)) "$answer" >&3
}

# What becomes of a command that the hub did not end at once.
go_on() {
    case $status in
        closed) die 10 "$state/browse.json cannot be read. Check who owns it." ;;
        silent) die 10 "The hub on port $port has stopped answering; what was asked may or may not be done. Look: tandem doctor. End it: tandem stop" ;;
        none) die 10 "The hub on port $port does not answer. Try: tandem doctor" ;;
        'HTTP/1.1 200'*) ;;
        *) refused "$status" ;;
    esac
    while case $frame in
        i*) forward_stdin ;;
        k*) forward_key "$size" ;;
        u*) take "$size" && open_page "$data" ;;
        *) false ;;
    esac do show; done
    die 10 "The hub ended the connection before the command was done. Its log: $state/logs/hub.log"
}

# Says why the door stayed closed: $1 is the status line, the body has the hub's own sentence.
refused() {
    local body line text_is='"error"[[:space:]]*:[[:space:]]*"([^"]*)"'
    [[ $1 = HTTP/1.1* ]] || die 10 "Another program answers on port $port. Start the hub: tandem up"
    while IFS= read -r -u 3 line && [[ $line != $'\r' ]]; do :; done
    IFS= read -r -d '' -u 3 body
    [[ $body =~ $text_is ]] || die 10 "Another program answers on port $port. Start the hub: tandem up"
    [[ $1 != 'HTTP/1.1 401'* ]] || die 10 "The hub on port $port does not know the token in $state/browse.json. Let it write the file anew: tandem stop, then tandem up"
    # whoever wrote it, it does nothing to the terminal
    die 10 "${BASH_REMATCH[1]//[^[:print:]]/?}"
}

[[ -n $status ]] && go_on
own_language
# what is made from here on is the user's alone
umask 077
root=$(cd -P "$(dirname "$(dirname "${BASH_SOURCE[0]}")")" && pwd)
# shellcheck source=scripts/local.sh
source "$root/scripts/local.sh"
run_locally "$@"

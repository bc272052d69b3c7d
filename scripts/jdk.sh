# shellcheck shell=bash
# Finds a Java runtime of version 25 or later, without starting one.

# The major version of the runtime in folder $1, from its release file; fails without one.
java_major() {
    local line
    [[ -x $1/bin/java && -r $1/release ]] || return 1
    while IFS= read -r line; do
        if [[ $line = JAVA_VERSION=* ]]; then
            line=${line#JAVA_VERSION=\"}
            echo "${line%%[!0-9]*}"
            return
        fi
    done <"$1/release"
    return 1
}

# The folders where runtimes are usually put; TANDEM_JDK_PATH (a : list) replaces them.
java_homes() {
    local on_path
    if [[ -n ${TANDEM_JDK_PATH-} ]]; then
        tr : '\n' <<<"$TANDEM_JDK_PATH"
        return
    fi
    printf '%s\n' "$root/runtime" "${JAVA_HOME-}"
    on_path=$(command -v java) && on_path=$(readlink -f "$on_path" 2>/dev/null) &&
        printf '%s\n' "${on_path%/bin/java}"
    printf '%s\n' /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* /opt/java/* \
        /opt/*jdk* /Library/Java/JavaVirtualMachines/*/Contents/Home /opt/homebrew/opt/openjdk*
}

# Sets $java and exports JAVA_HOME; the first 25 wins, else the first later one.
find_jdk() {
    local home major later=''
    [[ -n ${java-} ]] && return
    while IFS= read -r home; do
        # a checkout is compiled, and a runtime alone cannot
        packaged || [[ -x $home/bin/javac ]] || continue
        major=$(java_major "$home") || continue
        if ((major == 25)); then
            use_jdk "$home"
            return
        fi
        ((major > 25)) && [[ -z $later ]] && later=$home
    done < <(java_homes 2>/dev/null)
    [[ -n $later ]] || die 2 "Tandem needs a JDK 25 and found none. Install one (for example Temurin 25 from adoptium.net, or \"sdk install java 25-tem\") and set JAVA_HOME to its folder."
    use_jdk "$later"
}

use_jdk() {
    export JAVA_HOME=$1
    java=$1/bin/java
}

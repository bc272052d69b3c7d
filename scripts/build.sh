# shellcheck shell=bash
# Builds the product into target/dist/<time>. A running hub keeps its own jars: each build has a
# folder of its own, and target/dist/current names the newest one.

sources=(pom.xml launcher protocol cli terminal agent hub extension/protocol package-lock.json)

# True when the newest build is newer than every source file.
fresh_build() {
    local current=$root/target/dist/current
    [[ -f $current && -d $root/target/dist/$(<"$current")/lib ]] || return 1
    [[ -z $(cd "$root" && find "${sources[@]}" -name target -prune -o -type f -newer "$current" -print -quit 2>/dev/null) ]]
}

build() {
    local began=$SECONDS waited=
    [[ $# = 0 ]] || die 1 "Unknown option $1 of build. It takes none."
    find_jdk
    need maven npm
    build_lock
    [[ -z $waited ]] || ! fresh_build || { build_unlock && return; }
    step "Building Tandem"
    new_dist
    vendor_files
    step "  Java modules"
    package_jars || die 2 "The build failed. Its output is above."
    native_launcher
    step "  Start-up caches"
    train "$dist" || say "The start-up caches could not be made; starts will be slower."
    publish_dist
    build_unlock
    step "Built in $((SECONDS - began)) s"
}

step() { [[ -n $quiet ]] || printf '%s\n' "$1" >&2; }

# Names the files of this checkout as they are now, committed or not.
tree_name() {
    local index
    index=$(mktemp "${TMPDIR:-/tmp}/tandem-index.XXXXXX") && rm -f "$index" || return 1
    (cd "$root" && export GIT_INDEX_FILE=$index && git add -A && git write-tree) 2>/dev/null
    local status=$?
    rm -f "$index"
    return "$status"
}

# One build at a time, where the system has flock. Sets $waited where there was another.
build_lock() {
    { mkdir -p "$root/target/dist" && : >>"$root/target/dist/.lock"; } 2>/dev/null ||
        die 2 "Nothing can be built here: $root/target/dist cannot be written."
    command -v flock >/dev/null || return 0
    exec 9>"$root/target/dist/.lock"
    flock -n 9 || { step "Waiting for another build …" && flock 9 && waited=1; }
}

# What this shell becomes, a hub say, is not to hold up the next build.
build_unlock() { exec 9>&-; }

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

# The launcher as a program of its own, where there is a C compiler; else the one in bash stays.
native_launcher() {
    local made=$root/target/tandem compiler=${CC:-cc} kind
    ! command -v "$compiler" >/dev/null || command -v musl-gcc >/dev/null || install_package musl-tools || :
    # it starts sooner without a dynamic loader, and sooner still with a library that asks the processor
    # nothing, which virtual machines answer slowly; not every system can link so
    for kind in "musl-gcc -static" "$compiler -static" "$compiler"; do
        # shellcheck disable=SC2086 # a compiler and its option
        $kind -std=c11 -D_GNU_SOURCE -O2 -o "$made.new" "$root"/launcher/*.c 2>/dev/null || continue
        mv "$made.new" "$made"
        return
    done
    rm -f "$made" "$made.new"
    ! command -v "$compiler" >/dev/null || say "The native launcher could not be compiled; commands take a few milliseconds more."
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
        cp "$root/$module/target/tandem-$module-"*[0-9].jar "$dist/lib/" || return 1
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

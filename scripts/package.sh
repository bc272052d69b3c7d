# shellcheck shell=bash
# Makes what people download: the extension as a zip, and an archive with a Java runtime of its own.

runtime_modules=java.base,java.instrument,java.logging,java.management,java.naming,java.net.http,java.security.jgss,java.sql,java.xml,jdk.crypto.ec,jdk.unsupported,jdk.zipfs

make_packages() {
    local out=$root/target/package name
    [[ $# = 0 ]] || die 1 "Unknown option $1 of package. It takes none."
    need git
    tested || die 2 "These files did not pass the tests as they are now. Run them first: tandem test"
    find_jdk
    ready_build
    vendor_files
    name=$(version)
    name=${name/ /-}
    rm -rf "$out" && mkdir -p "$out"
    step "Extension"
    # a fixed order and no extra fields, so that the same sources give the same zip
    (cd "$root/extension" && LC_ALL=C "$JAVA_HOME/bin/jar" --create --no-manifest \
        --date=2026-01-01T00:00:00Z --file "$out/$name-extension.zip" ./*) ||
        die 2 "The extension could not be packed."
    step "Runtime"
    archive_folder "$out/$name" || die 2 "The archive could not be made."
    step "Archive"
    need xz-utils
    tar -C "$out" -cf - "$name" |
        xz -T0 -8 >"$out/$name-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m).tar.xz" ||
        die 2 "The archive could not be made."
    rm -rf "${out:?}/$name"
    printf '%s\n' "$out"/*
}

# Whether the last run of all tests passed, with exactly these files.
tested() {
    local tree
    tree=$(tree_name) && [[ -n $tree && $(cat "$root/target/test/passed" 2>/dev/null) = "$tree" ]]
}

# The unpacked archive: launcher, jars, extension and a runtime with only what Tandem needs. Its classes
# are not compressed by themselves: the archive does it better, and starts are quicker.
archive_folder() {
    mkdir -p "$1/scripts"
    "$JAVA_HOME/bin/jlink" --add-modules "$runtime_modules" --strip-debug --no-header-files \
        --no-man-pages --compress zip-0 --output "$1/runtime" &&
        cp -R "$dist/lib" "$root/extension" "$root/webapp" "$1/" &&
        one_platform "$1/lib" &&
        cp "$root/LICENSE" "$root/README.md" "$root/SECURITY.md" "$1/" &&
        cp "$(command_file)" "$1/tandem" &&
        cp "$root"/scripts/{launcher,local,link,jdk,train}.sh "$1/scripts/" &&
        version | cut -d ' ' -f 2 >"$1/VERSION" &&
        chmod -R go=u,go-w "$1"
}

# The database brings its code for every system there is; an archive is for one.
one_platform() {
    local jar scratch keep
    jar=$(echo "$1"/sqlite-jdbc-*.jar)
    case $(uname -s) in
        Darwin) keep=Mac ;;
        *) keep=Linux ;;
    esac
    case $(uname -m) in
        arm64 | aarch64) keep=$keep/aarch64 ;;
        *) keep=$keep/x86_64 ;;
    esac
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/tandem-jar.XXXXXX")
    (cd "$scratch" && "$JAVA_HOME/bin/jar" --extract --file "$jar" && mkdir -p kept/"$keep" &&
        mv org/sqlite/native/"$keep"/* kept/"$keep" && rm -rf org/sqlite/native &&
        mv kept org/sqlite/native &&
        LC_ALL=C "$JAVA_HOME/bin/jar" --create --manifest META-INF/MANIFEST.MF \
            --date=2026-01-01T00:00:00Z --file "$jar" ./*)
    local status=$?
    rm -rf "$scratch"
    return "$status"
}

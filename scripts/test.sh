# shellcheck shell=bash
# The one command that answers "may I commit?". Stages write to target/test/<stage>.log and are
# shown only when they fail; the last line counts what passed and what failed. A test that fails is
# tried once more, alone; one that passes only then is named, so that it gets mended.

run_tests() {
    local passed=0 failed=0 extension_pid docked_pid tree
    [[ $# = 0 ]] || die 1 "Unknown option $1 of test. It takes none."
    cd "$root" || exit 2
    find_jdk
    need maven npm chromium
    logs=$root/target/test
    rm -rf "$logs" && mkdir -p "$logs"
    rm -rf ./*/target/surefire-reports
    # what is saved from now on was not tested
    tree=$(tree_name) || say "This is no git checkout, so \"tandem package\" will not know of these tests."
    build_lock
    new_dist
    native_launcher

    # the extension's checks share the machine with Maven's start and downloads
    extension_checks &
    extension_pid=$!
    stage java "Java modules: format, compile, test" \
        maven -T 2 -fae -pl '!e2e,!bench' -Dsurefire.rerunFailingTestsCount=1 verify \
        dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$dist/lib"
    wait "$extension_pid"
    count_file "$logs/extension.count"
    stage launcher "Launcher" check_launcher
    if ((failed == 0)); then
        copy_jars && train "$dist" && publish_dist
        # the launcher under test takes this build and never waits for another
        export TANDEM_DIST=$dist
        docked_checks &
        docked_pid=$!
        stage e2e "End to end: real hub, real Chromium" \
            maven -T 2 -pl e2e,bench -am -Dsurefire.rerunFailingTestsCount=1 verify -Dunit.skip=true
        wait "$docked_pid"
        count_file "$logs/docked.count"
    else
        say "The end-to-end tests were left out because of the failures above."
    fi
    count_java
    second_tries
    printf '\n%s passed, %s failed\n' "$passed" "$failed"
    ((failed == 0)) && printf '%s\n' "$tree" >"$logs/passed"
}

# Runs a stage, counts it as one check, and shows the end of its log when it failed.
stage() {
    local name=$1 title=$2 began=$SECONDS
    shift 2
    printf '▸ %s …\n' "$title"
    if "$@" >"$logs/$name.log" 2>&1 9>&-; then
        printf '  ok %s s\n' "$((SECONDS - began))"
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '  FAILED after %s s; the whole log is %s\n' "$((SECONDS - began))" "$logs/$name.log"
        grep -E '^\[ERROR\]|^not ok|✖|error' "$logs/$name.log" | head -40
        return 0
    fi
}

# Lint, types and unit tests of the extension, with a count of their own: runs beside Maven.
extension_checks() {
    local passed=0 failed=0
    if [[ -f package.json ]]; then
        stage vendor "Extension: packages" vendor_files
        stage lint "Extension: lint" npm run -s lint
        stage types "Extension: types" npm run -s types
        stage unit "Extension: unit tests" node_tests 2 test/extension ops/browser.test.js injected/injected.test.js
        count_node unit
    fi
    printf '%s %s\n' "$passed" "$failed" >"$logs/extension.count"
}

# The docked panel and the web app, with a count of their own: runs beside the end-to-end tests.
docked_checks() {
    local passed=0 failed=0
    stage docked "Docked panel and web app: real hub, real Chromium" node_tests 1 test/docked
    count_node docked
    printf '%s %s\n' "$passed" "$failed" >"$logs/docked.count"
}

# The test files of a folder, $1 at a time, those named first that take longest. A file that fails is
# run once more, alone, when all others are done. None goes on for ever: what a failed test left open
# does not keep its file alive, and a file has ten minutes.
node_tests() {
    local at_once=$1 folder=$2 file out running=0 bad=0 outs=$logs/${2##*/}.files
    local node_test=(node --test --test-reporter=tap --test-force-exit --test-timeout=600000)
    local files=("${@:3}")
    files=("${files[@]/#/$folder/}")
    while IFS= read -r file; do
        [[ " ${files[*]} " = *" $file "* ]] || files+=("$file")
    done < <(find "$folder" -name '*.test.js' | sort)
    mkdir -p "$outs"
    for file in "${files[@]}"; do
        ((running++ < at_once)) || wait -n
        out=$outs/${file//\//.}
        { "${node_test[@]}" "$file" >"$out" 2>&1 && : >"$out.passed"; } &
    done
    wait
    for file in "${files[@]}"; do
        out=$outs/${file//\//.}
        if [[ -f $out.passed ]]; then
            cat "$out"
        else
            sed 's/^/first try: /' "$out"
            "${node_test[@]}" "$file" && printf 'second try: %s\n' "$file" || bad=1
        fi
    done
    rm -rf "$outs"
    return "$bad"
}

# Names what passed only at the second try.
second_tries() {
    local names
    names=$(
        sed -n 's/^second try: //p' "$logs"/*.log 2>/dev/null
        grep -l '<flaky' ./*/target/surefire-reports/TEST-*.xml 2>/dev/null |
            sed 's|.*/TEST-||; s|\.xml$||'
    )
    [[ -z $names ]] || printf 'Passed only at the second try:\n%s\n' "$names"
}

# Adds the tests that Node counted; the stage itself is one more.
count_node() {
    local line
    while read -r line; do
        case $line in
            '# pass '*) passed=$((passed + ${line##* })) ;;
            '# fail '*) failed=$((failed + ${line##* })) ;;
        esac
    done <"$logs/$1.log"
}

count_file() {
    local more_passed more_failed
    read -r more_passed more_failed <"$1" || { more_passed=0 && more_failed=1; }
    passed=$((passed + more_passed))
    failed=$((failed + more_failed))
}

# Adds the test cases of all surefire reports.
count_java() {
    local report attributes tests bad skipped
    for report in ./*/target/surefire-reports/TEST-*.xml; do
        [[ -f $report ]] || continue
        attributes=$(grep -m 1 '<testsuite ' -A 1 "$report")
        tests=$(attribute tests) skipped=$(attribute skipped)
        bad=$(($(attribute failures) + $(attribute errors)))
        failed=$((failed + bad))
        passed=$((passed + tests - bad - skipped))
    done
}

attribute() {
    local is=" $1=\"([0-9]+)\""
    [[ $attributes =~ $is ]] && echo "${BASH_REMATCH[1]}" || echo 0
}

# Every script parses, and the native launcher compiles without a warning; with shellcheck on the
# machine, scripts are also clean. Its tests use whichever launcher this machine can have.
check_launcher() {
    local scripts=(tandem .ci/run scripts/*.sh)
    local script
    sh -n tandem || return 1
    for script in "${scripts[@]}"; do
        bash -n "$script" || return 1
    done
    ! command -v shellcheck >/dev/null || shellcheck -x tandem scripts/launcher.sh .ci/run || return 1
    ! command -v cc >/dev/null || cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only launcher/*.c
}

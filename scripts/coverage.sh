# shellcheck shell=bash
# Which lines the tests reach. Not part of "tandem test": the agent in every JVM slows it down.
# Counted are the lines of protocol, cli and the hub's doors to browsers, in the tests themselves and
# in every program they start, but for those that a test kills.

jacoco_version=0.8.15
coverage_aim=97
coverage_scope='dev\.tandem\.(protocol|cli|hub\.(ops|annotation|cdp|browser|permission))$'

run_coverage() {
    local with_browser=1 jacoco=$root/target/coverage agent arguments
    case ${1-} in
        '') ;;
        --no-e2e) with_browser=0 ;;
        *) die 1 "Unknown option $1 of coverage. Known: --no-e2e" ;;
    esac
    cd "$root" || exit 2
    find_jdk
    need maven
    rm -rf "$jacoco" && mkdir -p "$jacoco"
    jacoco_jar org.jacoco.agent runtime
    jacoco_jar org.jacoco.cli nodeps
    # the tests' own JVMs take it as an argument, those that the launcher starts from the environment
    agent=$jacoco/org.jacoco.agent-$jacoco_version-runtime.jar=destfile=$jacoco/tandem.exec,append=true,includes=dev.tandem.*
    arguments="-javaagent:$agent $(sed -n 's|.*<test.args>\(.*\)</test.args>.*|\1|p' pom.xml)"
    maven -q -fae -pl protocol,cli,hub -am test -Dtest.args="$arguments" -Dspotless.check.skip=true ||
        say "Some tests failed; the figures below count what ran."
    if [[ $with_browser = 1 ]]; then
        need chromium
        fresh_build || build
        export TANDEM_JAVA_AGENT=$agent
        maven -q -pl e2e -am verify -Dunit.skip=true -Dtest.args="$arguments" -Dspotless.check.skip=true ||
            say "Some end-to-end tests failed; the figures below count what ran."
        npm run -s docked >"$jacoco/docked.log" ||
            say "Some tests in the docked panel failed; the figures below count what ran."
        unset TANDEM_JAVA_AGENT
    fi
    coverage_report "$jacoco"
}

jacoco_jar() {
    maven -q org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy \
        -Dartifact="org.jacoco:$1:$jacoco_version:jar:$2" -DoutputDirectory="$jacoco" ||
        die 2 "JaCoCo $jacoco_version could not be fetched."
}

# Prints a line per package and the figure of the scope; fails below the aim.
coverage_report() {
    local csv=$1/tandem.csv
    "$java" -jar "$1/org.jacoco.cli-$jacoco_version-nodeps.jar" report "$1/tandem.exec" \
        --classfiles protocol/target/classes --classfiles cli/target/classes \
        --classfiles hub/target/classes --csv "$csv" --html "$1/html" >/dev/null || exit 2
    awk -F, -v scope="$coverage_scope" -v aim="$coverage_aim" '
        NR > 1 { missed[$2] += $8; covered[$2] += $9 }
        END {
            for (name in missed) {
                all = missed[name] + covered[name]
                if (all == 0) continue
                counts = name ~ scope
                if (counts) { m += missed[name]; c += covered[name] }
                printf "%s %6.2f %% of %5d lines  %s\n", counts ? "*" : " ", 100 * covered[name] / all, all, name | "sort -k7"
            }
            close("sort -k7")
            figure = 100 * c / (m + c)
            printf "\n* counted: %.2f %% of %d lines; the aim is %d %%\n", figure, m + c, aim
            exit figure < aim
        }' "$csv"
}

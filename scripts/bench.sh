# shellcheck shell=bash
# Measures the product of this checkout against a floor that is measured in the same run.

run_bench() {
    find_jdk
    need mvn maven
    ready_build
    step "Building the bench"
    (cd "$root" && maven -q -Pproduct -pl bench -am package >&2) || die 2 "The bench did not build."
    TANDEM_HOME=$root exec "$java" --enable-native-access=ALL-UNNAMED \
        -cp "$root/bench/target/classes:$dist/lib/*" dev.tandem.bench.Main "$@"
}

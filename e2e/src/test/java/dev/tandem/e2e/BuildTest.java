package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One build at a time, by the script that makes them; what they compile is left out here. */
class BuildTest {
    private static final String SCRIPT =
            """
            root=$PWD; . "$0"; sources=(source)
            say() { :; }; die() { exit "$1"; }; find_jdk() { :; }; need() { :; }; vendor_files() { :; }
            native_launcher() { :; }; train() { :; }
            package_jars() { echo compiled >>compiled; while [[ -e slow ]]; do read -rt 0.05 <>pause; :; done; }
            publish_dist() { echo "${dist##*/}" >target/dist/current; }
            """;

    @TempDir Path checkout;

    // a hub started by a command that had to build first lives for long
    @Test
    void whatABuildBecomesDoesNotHoldUpTheNext() throws Exception {
        Files.createFile(checkout.resolve("source"));
        Process hub = shell("build; touch built; exec sleep 60");
        try {
            Awaitility.await().until(() -> Files.exists(checkout.resolve("built")));
            assertThat(ends(shell("build"))).doesNotContain("Waiting");
        } finally {
            hub.destroy();
        }
        assertThat(Files.readString(checkout.resolve("compiled"))).hasLineCount(2);
    }

    // the command typed in another shell meanwhile takes what the first one made
    @Test
    void whoWaitedForAnotherBuildTakesItsResult() throws Exception {
        Files.createFile(checkout.resolve("source"));
        Path slow = Files.createFile(checkout.resolve("slow"));
        Process first = shell("mkfifo pause; build");
        Path compiled = checkout.resolve("compiled");
        Awaitility.await().until(() -> Files.exists(compiled));
        Process second = shell("step() { echo \"$1\" >&2; echo said >>waits; }; build");
        Awaitility.await().until(() -> Files.exists(checkout.resolve("waits")));
        Files.delete(slow);
        ends(first);
        assertThat(ends(second)).contains("Waiting for another build").doesNotContain("Built");
        assertThat(Files.readString(compiled)).hasLineCount(1);
    }

    // a checkout on a medium that cannot be written, say
    @Test
    void whereNothingCanBeWrittenItSaysSo() throws Exception {
        Files.createFile(checkout.resolve("target"));
        assertThat(ends(shell("die() { echo \"$2\"; exit 0; }; build")))
                .contains("cannot be written")
                .hasLineCount(1);
    }

    private Process shell(String line) throws IOException {
        Path script = Launcher.ROOT.resolve("scripts/build.sh");
        return new ProcessBuilder("bash", "-c", SCRIPT + line, script.toString())
                .directory(checkout.toFile())
                .redirectErrorStream(true)
                .start();
    }

    private static String ends(Process process) throws Exception {
        try {
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).as("it ends").isTrue();
            assertThat(process.exitValue()).isZero();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly();
        }
    }
}

package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The start-up caches, by the script that makes them; a program that only waits is the hub. */
class TrainTest {
    private static final String SCRIPT =
            """
            . "$0"; root=$PWD; dist=$PWD/dist
            say() { :; }; packaged() { :; }; java_arguments() { :; }
            java() { echo "$BASHPID" >hub; trap 'exit' TERM; while :; do read -rt 0.05 <>pause; :; done; }
            java=java; first_caches
            """;

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({"HUP, 129", "INT, 130", "TERM, 143"})
    void whoEndsItEarlyLeavesNoHubAndNoFolder(String signal, int exit) throws Exception {
        Path dist = Files.createDirectory(folder.resolve("dist"));
        Path said = folder.resolve("hub");
        // a test that itself runs in the background hands on that it hears no keys
        Process training =
                new ProcessBuilder(
                                "env",
                                "--default-signal=INT,HUP",
                                "bash",
                                "-c",
                                "mkfifo pause;" + SCRIPT,
                                Launcher.ROOT.resolve("scripts/train.sh").toString())
                        .directory(folder.toFile())
                        .inheritIO()
                        .start();
        try {
            Awaitility.await().until(() -> Files.exists(said) && Files.size(said) > 0);
            ProcessHandle hub =
                    ProcessHandle.of(Long.parseLong(Files.readString(said).strip())).orElseThrow();
            try {
                signal(signal, training.pid());
                assertThat(training.waitFor(20, TimeUnit.SECONDS)).as("it ends").isTrue();
                assertThat(training.exitValue()).isEqualTo(exit);
                assertThat(RunningHub.runs(hub)).as("the hub runs").isFalse();
            } finally {
                hub.destroyForcibly();
            }
            try (Stream<Path> left = Files.list(dist)) {
                assertThat(left).isEmpty();
            }
        } finally {
            training.destroyForcibly();
        }
    }

    private static void signal(String name, long pid) throws Exception {
        String[] kill = {"kill", "-" + name, Long.toString(pid)};
        assertThat(new ProcessBuilder(kill).start().waitFor()).isZero();
    }
}

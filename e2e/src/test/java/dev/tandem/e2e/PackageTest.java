package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A release is made of tested files only. */
class PackageTest {
    private static final String REFUSED = "did not pass the tests";

    @TempDir Path checkout;

    @BeforeEach
    void copyTheLauncher() throws Exception {
        Files.createDirectory(checkout.resolve("scripts"));
        for (String script :
                List.of("launcher", "local", "jdk", "train", "need", "build", "package")) {
            copy("scripts/" + script + ".sh");
        }
        for (String file : List.of("tandem", "pom.xml", ".gitignore")) {
            copy(file);
        }
        shell("git init -q");
    }

    // OPS-150
    @Test
    void whatWasNotTestedAsItIsIsNotPackaged() throws Exception {
        assertThat(make()).contains(REFUSED, "tandem test").hasLineCount(1);

        // as the last step of the tests does
        shell(
                "root=$PWD; . scripts/build.sh;"
                        + " mkdir -p target/test && tree_name >target/test/passed");
        assertThat(make()).as("nothing to pack here").contains("The extension could not be packed");

        Files.writeString(checkout.resolve("pom.xml"), "\n", StandardOpenOption.APPEND);
        assertThat(make()).contains(REFUSED);
        copy("pom.xml");
        assertThat(make()).doesNotContain(REFUSED);
        Files.writeString(checkout.resolve("new-file"), "new");
        assertThat(make()).contains(REFUSED);
    }

    private String make() {
        Launcher.Run run =
                new Launcher(Launcher.freshState(checkout.resolve("target")))
                        .as(checkout.resolve("tandem"))
                        .in(checkout)
                        .with("TANDEM_DIST", checkout.toString())
                        .run("package");
        assertThat(run.exit()).as(run.all()).isEqualTo(2);
        return run.err();
    }

    private void copy(String file) throws IOException {
        Files.copy(
                Launcher.ROOT.resolve(file),
                checkout.resolve(file),
                StandardCopyOption.COPY_ATTRIBUTES,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private void shell(String line) throws Exception {
        Process process =
                new ProcessBuilder("bash", "-c", line)
                        .directory(checkout.toFile())
                        .inheritIO()
                        .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }
}

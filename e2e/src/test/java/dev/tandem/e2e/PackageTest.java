package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A release is made of tested files only, and those are tested end to end. */
class PackageTest {
    private static final String REFUSED = "did not pass the tests";

    @TempDir Path checkout;

    @BeforeEach
    void copyTheLauncher() throws Exception {
        for (String folder : List.of("scripts", "launcher", ".ci")) {
            Files.createDirectory(checkout.resolve(folder));
            try (Stream<Path> files = Files.list(Launcher.ROOT.resolve(folder))) {
                for (Path file : files.toList()) {
                    copy(folder + "/" + file.getFileName());
                }
            }
        }
        for (String file : List.of("tandem", "pom.xml", ".gitignore")) {
            copy(file);
        }
        shell("git init -q");
    }

    // OPS-150: with programs that only say whether they passed
    @Test
    void onlyAPassEndToEndLetsAReleaseBeMade() throws Exception {
        program("npm", "exit 0");
        program("node", "exit 0");
        program("jdk/bin/java", "exit 1");
        program("jdk/bin/javac", "exit 0");
        Files.writeString(checkout.resolve("bin/jdk/release"), "JAVA_VERSION=\"25\"\n");
        program(
                "mvn",
                """
                for module in protocol cli terminal agent hub; do
                    mkdir -p $module/target && : >$module/target/tandem-$module-1.0.jar
                done
                [[ $* != *' e2e,bench '* || -e $0.passes ]]
                """);
        Path passed = checkout.resolve("target/test/passed");
        assertThat(test().exit()).isNotZero();
        assertThat(passed).doesNotExist();
        assertThat(make()).contains(REFUSED);

        Files.createFile(checkout.resolve("bin/mvn.passes"));
        assertThat(test()).satisfies(run -> assertThat(run.exit()).as(run.all()).isZero());
        assertThat(passed).isNotEmptyFile();
        assertThat(make()).doesNotContain(REFUSED);
    }

    private Launcher.Run test() {
        Path bin = checkout.resolve("bin");
        return tandem().with("PATH", bin + ":" + System.getenv("PATH"))
                .with("TANDEM_JDK_PATH", bin.resolve("jdk").toString())
                .with("TANDEM_CHROMIUM", "/bin/false")
                .run("test");
    }

    private void program(String name, String does) throws IOException {
        Path program = checkout.resolve("bin").resolve(name);
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/bash\n" + does + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
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
        Launcher.Run run = tandem().run("package");
        assertThat(run.exit()).as(run.all()).isEqualTo(2);
        return run.err();
    }

    private Launcher tandem() {
        return new Launcher(Launcher.freshState(checkout.resolve("target")))
                .as(checkout.resolve("tandem"))
                .in(checkout)
                .with("TANDEM_DIST", checkout.toString());
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

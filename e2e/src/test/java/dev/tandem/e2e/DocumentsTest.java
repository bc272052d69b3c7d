package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What documents promise to say, they say; checked where a fact can be. */
class DocumentsTest {
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");

    private static String text(String path) throws IOException {
        return Files.readString(Path.of(System.getProperty("tandem.root")).resolve(path));
    }

    @Test
    void theDefaultAndTheWayBackAreAnnounced() throws IOException {
        // OPS-151, OPS-176
        for (String document : List.of("CHANGELOG.md", "docs/CLI.md")) {
            assertThat(text(document))
                    .as(document)
                    .contains("Extension mode", "`/ops`", "--extension-legacy");
        }
        assertThat(text("docs/CLI.md"))
                .contains("## Coming from a tool that speaks CDP")
                .contains("To go back for one program is that flag");
    }

    @Test
    void removalOfTheLegacyPathHasACriterion() throws IOException {
        // OPS-152: one, in one place
        assertThat(text("docs/CLI.md"))
                .contains("## Coming from a tool that speaks CDP")
                .containsOnlyOnce("Its removal is considered when, for two releases in a row");
        assertThat(text("docs/CDP.md"))
                .contains("CLI.md#coming-from-a-tool-that-speaks-cdp")
                .doesNotContain("parity suite");
    }

    @Test
    void theTestPlanSaysWhatTheFigureCounts() throws IOException {
        // OPS-174
        assertThat(text("docs/TESTING.md"))
                .contains("## Coverage")
                .contains("`protocol`", "`cli`", "`ops`", "`annotation`", "`cdp`")
                .contains("`browser`", "`permission`", "outside the figure");
    }

    @Test
    void everyGuideDescribesOpsModeAndParity() throws IOException {
        // OPS-175: command line, architecture, extension with annotation, and who works on the code
        for (String document :
                List.of(
                        "docs/CLI.md",
                        "docs/ARCHITECTURE.md",
                        "docs/EXTENSION.md",
                        "CONTRIBUTING.md")) {
            assertThat(text(document)).as(document).containsIgnoringCase("ops");
        }
        assertThat(text("docs/EXTENSION.md")).contains("Annotation", "parity", "Ops mode");
        assertThat(text("CONTRIBUTING.md")).contains("ops mode", "parity", "ParityTest");
        assertThat(text("docs/ARCHITECTURE.md")).contains("One suite runs every tool in all three");
    }

    private static final int TERMINAL_ROWS = 97;
    private static final int TERMINAL_LESSONS = 33;
    private static final Pattern ROW = Pattern.compile("TRM-L?\\d+");

    @Test
    void everyRowOfTheTerminalsContractHasATestOrAReason() throws IOException {
        // TRM-L30
        TreeSet<String> open = new TreeSet<>();
        for (int i = 1; i <= TERMINAL_ROWS; i++) {
            open.add("TRM-%03d".formatted(i));
        }
        for (int i = 1; i <= TERMINAL_LESSONS; i++) {
            open.add("TRM-L%02d".formatted(i));
        }
        ROW.matcher(text("docs/TESTING.md")).results().forEach(row -> open.remove(row.group()));
        Path root = Path.of(System.getProperty("tandem.root"));
        for (String folder :
                List.of(
                        "terminal/src/test",
                        "hub/src/test",
                        "cli/src/test",
                        "e2e/src/test",
                        "test")) {
            try (Stream<Path> files = Files.walk(root.resolve(folder))) {
                for (Path file : files.filter(DocumentsTest::isTest).toList()) {
                    ROW.matcher(Files.readString(file))
                            .results()
                            .forEach(row -> open.remove(row.group()));
                }
            }
        }
        assertThat(open).isEmpty();
    }

    private static boolean isTest(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith("Test.java") || name.endsWith(".test.js");
    }

    @Test
    void drivingBrowsersTookNoDependencyOfItsOwn() throws IOException {
        // OPS-177: what ships with the hub is a server, a store and a log, and nothing that drives
        TreeSet<String> artifacts = new TreeSet<>();
        String pom = text("hub/pom.xml").replaceAll("(?s)<build>.*</build>", "");
        for (String dependency : pom.split("<dependency>")) {
            Matcher name = ARTIFACT.matcher(dependency);
            if (!dependency.contains("<scope>test</scope>")
                    && dependency.contains("</dependency>")
                    && name.find()) {
                artifacts.add(name.group(1));
            }
        }
        assertThat(artifacts)
                .containsExactlyInAnyOrder(
                        "tandem-protocol",
                        "tandem-cli",
                        "jetty-server",
                        "jetty-websocket-jetty-server",
                        "sqlite-jdbc",
                        "postgresql",
                        "HikariCP",
                        "slf4j-api",
                        "logback-classic");
    }
}

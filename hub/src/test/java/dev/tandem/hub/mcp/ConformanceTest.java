package dev.tandem.hub.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.browser.FakeExtension;
import dev.tandem.hub.browser.TestHub;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The official suite as judge. A scenario that fails, and one in the list of what is not offered
 * that passes, both fail the run.
 */
class ConformanceTest {
    private static final Path SUITE = Path.of("../test/conformance").toAbsolutePath().normalize();
    private static final Path NODE = SUITE.resolve("node_modules/node/bin/node");
    private static final Path PROGRAM =
            SUITE.resolve("node_modules/@modelcontextprotocol/conformance/dist/index.js");

    @TempDir Path folder;

    private record Run(int exit, String output) {}

    @BeforeAll
    static void install() throws Exception {
        Path done = SUITE.resolve("node_modules/.package-lock.json");
        Path lock = SUITE.resolve("package-lock.json");
        if (Files.isExecutable(NODE)
                && Files.exists(done)
                && Files.getLastModifiedTime(done).compareTo(Files.getLastModifiedTime(lock))
                        >= 0) {
            return;
        }
        Run npm = run(List.of("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"), 300);
        assertThat(npm.exit).as(npm.output).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2026-07-28"})
    @DisplayName(
            "ACP-146, ACP-72, ACP-125, ACP-129, ACP-135, ACP-138, ACP-141, ACP-L7 (fixture server)")
    void theSameClassesPassWithTheToolsOfTheSuite(String revision) throws Exception {
        try (FixtureServer server =
                        new FixtureServer(folder, new FixtureTools(), Clock.systemUTC());
                TokenForwarder forwarder = new TokenForwarder(server.port(), FixtureServer.USERS)) {
            judge(forwarder, revision, "fixture");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2026-07-28"})
    @DisplayName("ACP-146, ACP-72, ACP-121, ACP-125, ACP-141 (real hub)")
    void theRealEndpointPassesWhatItOffers(String revision) throws Exception {
        try (TestHub hub = new TestHub(folder);
                FakeExtension _ = hub.extension("browser-one", "One");
                TokenForwarder forwarder = new TokenForwarder(hub.port(), hub.hubToken())) {
            judge(forwarder, revision, "hub");
        }
    }

    /** What a revision does not score never fails its run, so these are run by name. */
    @ParameterizedTest
    @CsvSource({
        "ACP-126, server-session-lifecycle, 2025-11-25",
        "ACP-132, http-header-validation, 2026-07-28"
    })
    @DisplayName("ACP-146, ACP-126, ACP-132 (scenarios that are not scored)")
    void bothPassWhatIsNotScored(String row, String scenario, String revision) throws Exception {
        try (TestHub hub = new TestHub(folder);
                FakeExtension _ = hub.extension("browser-one", "One");
                TokenForwarder forwarder = new TokenForwarder(hub.port(), hub.hubToken())) {
            judgeAlone(forwarder, scenario, revision, row + " hub");
        }
        try (FixtureServer server =
                        new FixtureServer(folder, new FixtureTools(), Clock.systemUTC());
                TokenForwarder forwarder = new TokenForwarder(server.port(), FixtureServer.USERS)) {
            judgeAlone(forwarder, scenario, revision, row + " fixture");
        }
    }

    private static void judgeAlone(
            TokenForwarder forwarder, String scenario, String revision, String who)
            throws Exception {
        Run run = suite(forwarder, "--scenario", scenario, "--spec-version", revision);
        assertThat(run.exit).as("%s: %s", who, run.output).isZero();
        assertThat(run.output).as(who).contains("SUCCESS").doesNotContain("SKIPPED");
    }

    private static void judge(TokenForwarder forwarder, String revision, String kind)
            throws Exception {
        Run run =
                suite(
                        forwarder,
                        "--requirements",
                        revision,
                        "--expected-failures",
                        SUITE.resolve(kind + "-" + revision + ".yml").toString(),
                        "-o",
                        "target/" + kind + "-" + revision);
        assertThat(run.exit).as(run.output).isZero();
        assertThat(run.output).contains("tools-list");
    }

    private static Run suite(TokenForwarder forwarder, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(NODE.toString(), PROGRAM.toString()));
        command.addAll(List.of("server", "--url", forwarder.url()));
        command.addAll(List.of(more));
        return run(command, 240);
    }

    private static Run run(List<String> command, int seconds)
            throws IOException, InterruptedException {
        Path log = Files.createTempFile("tandem-conformance", ".log");
        try {
            Process process =
                    new ProcessBuilder(command)
                            .directory(SUITE.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            return new Run(process.exitValue(), Files.readString(log));
        } finally {
            Files.delete(log);
        }
    }
}

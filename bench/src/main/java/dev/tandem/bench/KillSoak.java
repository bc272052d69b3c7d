package dev.tandem.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A hub killed a hundred times in the middle of streaming turns: the test of ten rounds, for
 * longer.
 */
final class KillSoak {
    private static final int ROUNDS = 100;

    private KillSoak() {}

    static String run(Path home) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(
                        "mvn",
                        "-q",
                        "-B",
                        "-pl",
                        "hub",
                        "-am",
                        "test",
                        "-Dtest=HubKillTest",
                        "-Dsurefire.failIfNoSpecifiedTests=false",
                        "-Dtandem.killRounds=" + ROUNDS);
        builder.directory(home.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process test = builder.start();
        String said = new String(test.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (test.waitFor() != 0) {
            throw new IOException("a kill lost something:\n" + said);
        }
        return ROUNDS + " kills, no hole, nothing twice, nothing acknowledged was lost";
    }
}

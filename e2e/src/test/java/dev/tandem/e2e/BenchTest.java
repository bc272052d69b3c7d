package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** What the comparison with other tools says of a run; the run itself is left out here. */
class BenchTest {
    private static final String SCRIPT =
            """
            . "$0"; results=$PWD; peers=${0%/*}/../bench/peers
            ready_peers() { cd "$peers"; }
            node() { [[ $1 = run.mjs ]] || command node "$@"; }
            bench_peers
            """;

    @TempDir Path folder;
    private final ObjectNode results = Json.object();

    private ObjectNode peer(String name) {
        ObjectNode peer = results.withObject("peers").putObject(name);
        peer.putArray("cold");
        peer.putObject("pages");
        peer.putArray("errors");
        return peer;
    }

    /** The end of the command, and what it said, one below the other. */
    private String bench() throws Exception {
        results.putObject("pages");
        Files.writeString(folder.resolve("peers.json"), Json.write(results));
        Path script = Launcher.ROOT.resolve("scripts/bench.sh");
        Process bench =
                new ProcessBuilder("bash", "-c", SCRIPT, script.toString())
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        try {
            assertThat(bench.waitFor(20, TimeUnit.SECONDS)).as("it ends").isTrue();
            byte[] said = bench.getInputStream().readAllBytes();
            return "exit " + bench.exitValue() + "\n" + new String(said, StandardCharsets.UTF_8);
        } finally {
            bench.destroyForcibly();
        }
    }

    @Test
    void aPeerThatFailedIsNamedBelowTheTables() throws Exception {
        peer("quick");
        peer("broken").withArray("errors").add("cold: no such program").add("start: gone");
        peer("tandem (MCP)").withArray("cold").addObject().putObject("tools").put("bytes", 1e6);
        assertThat(bench())
                .startsWith("exit 2\n")
                .contains("### Start-up", "- broken: cold: no such program", "ABOVE")
                .containsPattern("Failed: broken \\(2 errors\\)\\.")
                .doesNotContain("quick (");
    }

    @Test
    void withoutOneTheBarsDecide() throws Exception {
        peer("quick");
        assertThat(bench()).startsWith("exit 0\n").doesNotContain("Failed");
        peer("tandem (MCP)").withArray("cold").addObject().putObject("tools").put("bytes", 1e6);
        assertThat(bench()).startsWith("exit 1\n").contains("ABOVE").doesNotContain("Failed");
    }
}

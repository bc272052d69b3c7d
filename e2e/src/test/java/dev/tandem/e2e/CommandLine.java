package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Tools as a person types them, on a hub in its own process; what comes back is read as JSON. */
final class CommandLine {
    private final Launcher launcher;

    CommandLine(RunningHub hub) {
        this.launcher = hub.launcher();
    }

    /** Runs a command that must succeed and answers its data. */
    JsonNode call(List<String> words) {
        Launcher.Run run = json(words);
        assertThat(run.exit()).as("%s%n%s%s", words, run.out(), run.err()).isZero();
        return Json.parse(run.out()).path("data");
    }

    JsonNode call(String... words) {
        return call(List.of(words));
    }

    /** Runs a command that must fail with this exit code and answers what it printed. */
    JsonNode failure(int exit, List<String> words) {
        Launcher.Run run = json(words);
        assertThat(run.exit()).as("%s%n%s%s", words, run.out(), run.err()).isEqualTo(exit);
        return Json.parse(run.out());
    }

    JsonNode failure(int exit, String... words) {
        return failure(exit, List.of(words));
    }

    Launcher launcher() {
        return launcher;
    }

    private Launcher.Run json(List<String> words) {
        List<String> all = new ArrayList<>(words);
        all.add("--json");
        return launcher.run(all.toArray(String[]::new));
    }
}

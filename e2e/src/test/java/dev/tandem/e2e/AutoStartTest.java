package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tool command without a hub: it starts one, works, and leaves it running. */
class AutoStartTest {
    @TempDir Path folder;

    @Test
    void aToolCommandStartsAHubAndTheNextOneUsesIt() {
        Launcher launcher =
                new Launcher(Launcher.freshState(folder))
                        .with("TANDEM_NO_START", "")
                        .with("TANDEM_UP_OPTIONS", "--browser none --port 0");
        try {
            Launcher.Run first = launcher.run("skill-list", "--json");
            assertThat(first.exit()).as(first.all()).isZero();
            assertThat(first.err()).contains("starting one", "tandem stop");
            assertThat(first.out()).contains("\"success\":true");
            Launcher.Run second = launcher.run("skill-list", "--json");
            assertThat(second.exit()).isZero();
            assertThat(second.err()).isEmpty();
        } finally {
            Launcher.Run stop = launcher.run("stop");
            assertThat(stop.exit()).as(stop.all()).isZero();
        }
        assertThat(launcher.state().resolve("browse.json")).doesNotExist();
    }
}

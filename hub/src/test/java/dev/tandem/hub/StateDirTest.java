package dev.tandem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateDirTest {
    // as with docker run --user 1000: a number that /etc/passwd does not have
    @Test
    void aUserWithoutANameHasAStateDirToo(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("state");
        String me = System.getProperty("user.name");
        System.setProperty("user.name", "?");
        try {
            assertThat(StateDir.open(path).path()).isEqualTo(path);
            assertThat(StateDir.open(path).path()).as("the next time").isEqualTo(path);
        } finally {
            System.setProperty("user.name", me);
        }
    }
}

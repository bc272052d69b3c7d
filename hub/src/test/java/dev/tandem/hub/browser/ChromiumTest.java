package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChromiumTest {
    @TempDir Path folder;

    private Path program(String name) throws IOException {
        return Files.createFile(
                folder.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    @Test
    void theNamedProgramComesFirstThenTheVariableThenThePath() throws IOException {
        Path named = program("mine");
        Path variable = program("theirs");
        Path found = program("google-chrome");
        Map<String, String> environment =
                Map.of("TANDEM_CHROMIUM", variable.toString(), "PATH", folder.toString());
        assertThat(Chromium.find(Optional.of(named.toString()), environment)).isEqualTo(named);
        assertThat(Chromium.find(Optional.empty(), environment)).isEqualTo(variable);
        assertThat(Chromium.find(Optional.empty(), Map.of("PATH", ":" + folder))).isEqualTo(found);
    }

    @Test
    void aProgramThatIsNotThereIsSaid() {
        String nowhere = folder.resolve("none").toString();
        assertThatThrownBy(() -> Chromium.find(Optional.of(nowhere), Map.of()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("There is no program at " + nowhere);
        assertThatThrownBy(() -> Chromium.find(Optional.empty(), Map.of("PATH", folder.toString())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No Chromium was found", "TANDEM_CHROMIUM");
    }

    @Test
    void aScreenIsXOrWayland() {
        assertThat(Chromium.hasDisplay(Map.of("DISPLAY", ":0"))).isTrue();
        assertThat(Chromium.hasDisplay(Map.of("WAYLAND_DISPLAY", "wayland-0"))).isTrue();
        boolean mac = System.getProperty("os.name").startsWith("Mac");
        assertThat(Chromium.hasDisplay(Map.of("DISPLAY", ""))).isEqualTo(mac);
    }
}

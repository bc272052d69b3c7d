package dev.tandem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class VersionTest {
    // by it the doctor tells a hub that is older than what is installed
    @Test
    void hubAndExtensionHaveOne() throws IOException {
        String manifest = Files.readString(Path.of("..", "extension", "manifest.json"));
        assertThat(Version.current()).isEqualTo(Json.parse(manifest).path("version").asString());
    }
}

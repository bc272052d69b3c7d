package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExtensionFolderTest {
    @TempDir Path folder;

    // SETTLED-9: the copy that browsers load follows each build, also where files went
    @Test
    void theCopyFollowsTheBuild() throws IOException {
        Path source = Files.createDirectory(folder.resolve("source"));
        Path copy = folder.resolve("copy");
        Files.writeString(source.resolve("manifest.json"), "{}");
        assertThatThrownBy(() -> ExtensionFolder.sync(source, copy))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not built. Run \"./tandem build\".");
        Files.createDirectories(source.resolve("vendor"));
        Files.createDirectories(source.resolve("old/deep"));
        Files.writeString(source.resolve("vendor/lib.js"), "1");
        Files.writeString(source.resolve("old/deep/gone.js"), "1");
        ExtensionFolder.sync(source, copy);
        assertThat(copy.resolve("old/deep/gone.js")).exists();
        Files.delete(source.resolve("old/deep/gone.js"));
        Files.writeString(source.resolve("vendor/lib.js"), "2");
        ExtensionFolder.sync(source, copy);
        assertThat(copy.resolve("old")).doesNotExist();
        assertThat(copy.resolve("vendor/lib.js")).hasContent("2");
        assertThat(copy.resolve("manifest.json")).exists();
    }
}

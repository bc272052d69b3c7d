package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManagedBrowserTest {
    // A browser that is gone is said to be gone, though a child of it still holds its pipe
    @Test
    void isGoneThoughAChildHoldsThePipe(@TempDir Path folder) throws Exception {
        Path program = folder.resolve("browser");
        Files.writeString(program, "#!/bin/bash\nsleep 120 &\necho $! > \"$0.left\"\nexit 3\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        ManagedBrowser browser =
                ManagedBrowser.start(
                        program, List.of(), "x", new BrowserLog(folder.resolve("browser.log")));
        try {
            browser.exited().get(30, TimeUnit.SECONDS);
            assertThat(browser.alive()).isFalse();
        } finally {
            String pid = Files.readString(folder.resolve("browser.left")).strip();
            ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}

package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Limits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrowserLogTest {
    @TempDir Path folder;

    private String last(String said) {
        BrowserLog log = new BrowserLog(folder.resolve("browser.log"));
        return log.follow(new ByteArrayInputStream(said.getBytes(StandardCharsets.UTF_8))).last();
    }

    @Test
    void onlySoMuchIsKept() throws IOException {
        int most = Limits.of("browserLogBytes");
        assertThat(last("line of a browser\n".repeat(3 * most / 18))).contains("line of a browser");
        assertThat(Files.size(folder.resolve("browser.log")))
                .isPositive()
                .isLessThanOrEqualTo(most);
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void theLastLinesAreToldWhereNoneIsFatal() {
        assertThat(last("one\n\ntwo\nthree\n[1:2:3/4.5:ERROR:a.cc(1)] four"))
                .isEqualTo("two / three / four");
        assertThat(last("")).isEmpty();
        assertThat(last("x".repeat(100_000))).hasSize(400);
    }
}

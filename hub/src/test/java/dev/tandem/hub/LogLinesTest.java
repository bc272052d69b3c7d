package dev.tandem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LogLinesTest {
    private static final String FOREIGN =
            "a\u001b[2J\u0007\u007f\u009b31m\u202eevil\u2066\u200b \"q\" \\ é\r\n{\"level\":\"forged\"}";

    @Test
    @DisplayName("SEC-22 foreign strings are seen in the log, and neither drive nor forge it")
    void foreignWordsStayInTheirLine() {
        LogLines encoder = new LogLines();
        LoggingEvent event =
                new LoggingEvent(
                        "x",
                        new LoggerContext().getLogger("dev.tandem.Some"),
                        Level.WARN,
                        "It said {}",
                        new IOException("why: " + FOREIGN),
                        new Object[] {FOREIGN});
        String written = new String(encoder.encode(event), StandardCharsets.UTF_8);
        assertThat(written.chars().filter(c -> c != '\n' && c != '\t'))
                .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == 16);
        assertThat(written).contains("\\u001b[2J", "\\u202e", "\\u009b");
        List<String> lines = written.lines().toList();
        var first = Json.parse(lines.getFirst());
        assertThat(first.path("text").asString()).isEqualTo("It said " + FOREIGN);
        assertThat(first.path("level").asString()).isEqualTo("WARN");
        assertThat(first.path("from").asString()).isEqualTo("Some");
        assertThat(lines.get(1)).startsWith("  java.io.IOException: why: a\\u001b");
        assertThat(lines).filteredOn(line -> line.startsWith("{")).hasSize(1);
    }
}

package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/WALKS.md names only what exists. */
class WalksTest {
    private static final Pattern STOP = Pattern.compile("`([\\w.-]+/[\\w./-]+)#(\\w+)`");

    @Test
    void everyStopOfTheWalksExists() throws IOException {
        Path root = Path.of(System.getProperty("tandem.root"));
        Matcher stops = STOP.matcher(Files.readString(root.resolve("docs/WALKS.md")));
        List<String> missing = new ArrayList<>();
        int count = 0;
        while (stops.find()) {
            count++;
            Path file = root.resolve(stops.group(1));
            if (!Files.isRegularFile(file)
                    || !Pattern.compile("\\b" + stops.group(2) + "\\b")
                            .matcher(Files.readString(file))
                            .find()) {
                missing.add(stops.group());
            }
        }
        assertThat(missing).isEmpty();
        assertThat(count).isGreaterThan(15);
    }
}

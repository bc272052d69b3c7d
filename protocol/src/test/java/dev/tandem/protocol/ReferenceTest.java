package dev.tandem.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReferenceTest {
    private static final Path FOLDER =
            Path.of(System.getProperty("tandem.root", "..")).resolve("docs/reference");

    @Test
    void docsReferenceSaysWhatTheDataSays() throws IOException {
        if (Boolean.getBoolean("tandem.reference.write")) {
            Reference.main(new String[] {FOLDER.toString()});
        }
        for (Map.Entry<String, String> page : Reference.pages().entrySet()) {
            assertThat(FOLDER.resolve(page.getKey()))
                    .as("docs/reference/%s is stale; run: %s", page.getKey(), Reference.COMMAND)
                    .hasContent(page.getValue());
        }
    }

    @Test
    void writesEveryPage(@TempDir Path folder) throws IOException {
        Reference.main(new String[] {folder.resolve("new").toString()});
        assertThat(folder.resolve("new")).isDirectoryContaining("glob:**/tools.md");
        assertThat(Files.readString(folder.resolve("new/tools.md")))
                .contains(
                        "### `click`",
                        "| `sessionId` | string |",
                        "| `targetId` (required) |",
                        "`tandem dom-html`",
                        "--cdp-port",
                        "only from the user's own shell");
        assertThat(Files.readString(folder.resolve("new/errors.md")))
                .contains("`stale_ref`", "if idempotent");
        assertThat(Files.readString(folder.resolve("new/routes.md"))).contains("`/health`");
        assertThat(Files.readString(folder.resolve("new/limits.md")))
                .contains("| `pingIntervalMs` | 20000 |");
    }

    @Test
    @DisplayName("OPS-133, OPS-145: a program can be written for /ops from its page alone")
    void thePageOfOpsHasEveryMessageEventAndEnd() {
        String page = new OpsReference().page();
        Messages.ops().types().forEach(type -> assertThat(page).contains("| `" + type + "` |"));
        Messages.ops().capabilities().forEach(name -> assertThat(page).contains("`" + name + "`"));
        assertThat(Messages.ops().events())
                .filteredOn(event -> !page.contains("| `" + event + "` |"))
                .as("events between hub and extension only")
                .containsExactlyInAnyOrder("ops_client_disconnected", "ops_tab_opened");
        assertThat(page)
                .contains("| `session.launch` |", "| 4001 |", "`rate_limited`", "`chunked`")
                .doesNotContain("clientKey", "null", "%");
    }
}

package dev.tandem.hub.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.auth.Secrets;
import dev.tandem.hub.store.Database;
import dev.tandem.hub.store.Databases;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class McpSessionsTest {
    @Test
    @DisplayName("ACP-126 (W17) an ended id stays ended in both kinds of store, others stay good")
    void endedIdsAreRemembered(@TempDir Path folder) {
        for (Named<Database> named : Databases.fresh(folder)) {
            try (Database database = named.getPayload()) {
                String key = Secrets.hex(32);
                McpSessions before = new McpSessions(key, database);
                String ended = before.begin("2025-11-25", 1);
                String kept = before.begin("2025-11-25", 1);
                assertThat(before.end(ended, 2)).isTrue();
                assertThat(before.end(ended, 3)).isFalse();
                McpSessions after = new McpSessions(key, database);
                assertThat(after.version(ended)).as(named.getName()).isEmpty();
                assertThat(after.end(ended, 4)).isFalse();
                assertThat(after.version(kept)).as(named.getName()).contains("2025-11-25");
            }
        }
    }
}

package dev.tandem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class AuditCommandTest {
    private final Console console = new Console();

    private void row(String client, String tool) {
        console.rows.add(
                Json.object()
                        .put("kind", "call")
                        .put("at", 1_700_000_000_000L)
                        .put("client", client)
                        .put("door", "mcp")
                        .put("tool", tool)
                        .put("origin", "https://a.test")
                        .put("outcome", "timeout")
                        .put("reason", "wait")
                        .put("durationMs", 12));
    }

    @Test
    void rowsAreATableForPeopleAndDataForPrograms() {
        row("Claude Code", "click");
        assertThat(console.run("audit")).isZero();
        assertThat(console.out)
                .contains("Claude Code", "mcp", "click", "timeout (wait)", "12 ms", "https://a");
        assertThat(console.run("audit", "--json")).isZero();
        assertThat(console.json().path("data").path(0).path("tool").asString()).isEqualTo("click");
        console.rows.clear();
        console.run("audit");
        assertThat(console.out.toString()).isEqualTo("Nothing was recorded.\n");
    }

    @Test
    void decisionsSayWhatWasAskedAndWhoDecided() {
        ObjectNode own = Json.object().put("kind", "decision").put("at", 1_700_000_000_000L);
        own.put("client", "A session with a long name").put("tool", "");
        own.put("permissions", "bash:git push").put("outcome", "cancelled").put("by", "cancelled");
        console.rows.add(own.put("durationMs", 61_000));
        console.rows.add(own.deepCopy().put("tool", "elicitation").put("permissions", "form"));
        console.rows.add(own.deepCopy().put("by", "timeout").put("permissions", "agent:edit"));
        row("A program", "click");
        console.rows.getLast().put("origin", "https://shop.test:8443");
        assertThat(console.run("audit")).isZero();
        assertThat(console.out.toString())
                .contains("bash:git push", "form", "agent:edit", "https://shop.test:8443")
                .contains("cancelled (by cancelled)", "cancelled (by timeout)")
                .containsPattern("2023-11-1\\d \\d\\d:\\d\\d:\\d\\d  ");
        assertThat(console.out.toString().lines()).allMatch(line -> line.length() <= 80);
        assertThat(console.run("audit", "--json")).isZero();
        assertThat(console.json().path("data").path(0).path("tool").asString("?")).isEmpty();
    }

    @Test
    void filtersReachTheHub() {
        assertThat(
                        console.run(
                                "audit",
                                "--client",
                                "x y",
                                "--tool=click",
                                "--door",
                                "ops",
                                "--origin",
                                "https://a.test",
                                "--outcome",
                                "failed",
                                "--kind",
                                "call",
                                "--since",
                                "2h",
                                "--limit",
                                "7"))
                .isZero();
        Port.AuditQuery query = console.asked.orElseThrow();
        assertThat(query.client()).isEqualTo("x y");
        assertThat(query.tool()).isEqualTo("click");
        assertThat(query.door()).isEqualTo("ops");
        assertThat(query.outcome()).isEqualTo("failed");
        assertThat(query.limit()).isEqualTo(7);
        assertThat(System.currentTimeMillis() - query.since()).isBetween(7_200_000L, 7_260_000L);
    }

    @ParameterizedTest
    @CsvSource({"--since,yesterday", "--limit,0", "--limit,x", "--kind,other"})
    void wrongValuesAreUsageErrors(String flag, String value) {
        assertThat(console.run("audit", flag, value)).isEqualTo(1);
        assertThat(console.err).contains("Invalid " + flag);
        assertThat(console.asked).isEmpty();
    }

    // SEC-22: names that others chose, in every list
    @Test
    void foreignNamesNeverDriveTheTerminal() {
        String hostile = "\u001b[2J\u009b31m\u202eevil\u200b\r\b";
        row(hostile, hostile);
        console.tokens.add(new Port.ClientToken(hostile, "all", hostile, 0));
        console.origins.add(hostile);
        for (String line :
                new String[] {
                    "audit", "token list", "origin list", "mcp install claude --dry-run"
                }) {
            console.home = java.nio.file.Path.of("/no\u001b[2Jhome");
            console.run(line.split(" "));
            assertThat((console.out.toString() + console.err).chars().boxed().toList())
                    .as(line)
                    .isNotEmpty()
                    .noneMatch(c ->
                            (c < 0x20 && c != '\n' && c != '\t')
                                    || (c >= 0x7f && c < 0xa0)
                                    || c == 0x202e
                                    || c == 0x200b);
        }
    }

    @ParameterizedTest
    @CsvSource({"90s,90", "15m,900", "2h,7200", "3d,259200"})
    void agesAreCountedBack(String since, long seconds) {
        long before = System.currentTimeMillis();
        assertThat(console.run("audit", "--since", since)).isZero();
        assertThat(console.asked.orElseThrow().since())
                .isBetween(before - seconds * 1000, System.currentTimeMillis() - seconds * 1000);
    }
}

package dev.tandem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script in a real bash. */
class CompletionTest {
    @TempDir Path folder;
    private final Console console = new Console();
    private Path script;

    @BeforeEach
    void write() throws IOException {
        console.run("completion", "bash");
        script = Files.writeString(folder.resolve("tandem.bash"), console.out);
    }

    /** What a press of Tab behind these words would offer. */
    private List<String> offered(String... words) throws IOException, InterruptedException {
        String line = String.join("' '", words);
        String program =
                "source '"
                        + script
                        + "'; COMP_WORDS=(tandem '"
                        + line
                        + "'); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tandem;"
                        + " printf '%s\\n' \"${COMPREPLY[@]}\"";
        Process bash =
                new ProcessBuilder("bash", "--norc", "-c", program)
                        .redirectErrorStream(true)
                        .start();
        String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(out).isZero();
        return out.lines().filter(one -> !one.isEmpty()).toList();
    }

    @Test
    void commandsFlagsAndTheirWordsAreOffered() throws Exception {
        assertThat(offered("snap")).containsExactly("snapshot");
        assertThat(offered("")).contains("up", "audit", "token", "mcp", "click", "doctor");
        assertThat(offered("snapshot", "--max")).contains("--max-chars");
        assertThat(offered("snapshot", "--j")).containsExactly("--json");
        assertThat(offered("token", "")).contains("add", "list", "revoke");
        assertThat(offered("token", "add", "x", "--mode", ""))
                .containsExactly("ask", "act", "read-only");
        assertThat(offered("mcp", "install", ""))
                .contains("claude", "codex", "cursor", "--dry-run");
        assertThat(offered("mcp", "in")).containsExactly("install");
        assertThat(offered("wait", "--until", "l")).contains("load");
        assertThat(offered("up", "--he")).contains("--headless", "--headed");
        assertThat(offered("completion", "")).contains("bash", "zsh", "fish");
        assertThat(offered("click", "--output-format", "")).contains("json", "text");
        assertThat(offered("up", "--browser", "")).containsExactly("managed", "none");
        assertThat(offered("doctor", "--q")).containsExactly("--quiet");
        assertThat(offered("stop", "-")).containsExactly("--state-dir");
        assertThat(offered("help", "snap")).containsExactly("snapshot");
    }

    // bash cuts a word at "=", other shells leave it whole
    @Test
    void valuesBehindAnEqualSignAreOffered() throws Exception {
        assertThat(offered("token", "add", "x", "--mode", "=")).contains("ask", "act");
        assertThat(offered("token", "add", "x", "--mode", "=", "ac")).containsExactly("act");
        assertThat(offered("wait", "--until", "=", "lo")).containsExactly("load");
        assertThat(offered("token", "add", "x", "--mode=ac")).containsExactly("--mode=act");
    }

    @Test
    void everyToolIsThereInEveryShell() {
        for (String shell : List.of("bash", "zsh", "fish")) {
            console.run("completion", shell);
            String text = console.out.toString();
            for (Tool tool : Catalogue.load().tools()) {
                assertThat(text).as(shell).contains(tool.cli());
                assertThat(text).as(shell).contains("headless", "state-dir");
                for (Flag flag : new ToolArguments(tool).flags()) {
                    assertThat(text).as(shell).contains(flag.name());
                }
            }
        }
    }

    // W16: fish says all that holds, so a word that was typed must not be offered again
    @Test
    void fishOffersOneWordOfEachKindAndNoFilesForWords() {
        console.run("completion", "fish");
        assertThat(console.out.toString().lines())
                .contains(
                        "complete -c tandem -n '__fish_seen_subcommand_from mcp;"
                                + " and not __fish_seen_subcommand_from install uninstall'"
                                + " -a install",
                        "complete -c tandem -n '__fish_seen_subcommand_from wait' -l until -x"
                                + " -a 'domcontentloaded load networkidle'");
    }
}

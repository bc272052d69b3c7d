package dev.tandem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class McpInstallTest {
    private static final String URL = "http://127.0.0.1:8787/mcp";

    @TempDir Path home;
    private final Console console = new Console();

    @BeforeEach
    void start() {
        console.home = home;
    }

    private Path file(McpProgram program) {
        return program.file(home, System.getProperty("os.name", "").startsWith("Mac"));
    }

    private Path given(McpProgram program, String text) throws IOException {
        Path file = file(program);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static JsonNode server(McpProgram program, String text) {
        JsonNode all = Json.parse(text);
        return all.path(program == McpProgram.VSCODE ? "servers" : "mcpServers").path("tandem");
    }

    @ParameterizedTest
    @EnumSource(McpProgram.class)
    void aFileThatIsNotThereIsMadeAndTakenAway(McpProgram program) throws IOException {
        assertThat(console.run("mcp", "install", program.word())).isZero();
        Path file = file(program);
        String text = Files.readString(file);
        assertThat(text).contains(URL, "Bearer tdc_1secret");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(console.out).contains(file.toString(), "+ ", URL, "tdc_…", "To undo:");
        assertThat(console.out).doesNotContain("secret");
        assertThat(console.tokens.getFirst().name()).isEqualTo(program.title());
        assertThat(console.tokens.getFirst().mode()).isEqualTo("ask");
        assertThat(console.run("mcp", "uninstall", program.word())).isZero();
        assertThat(file).doesNotExist();
        assertThat(console.tokens).isEmpty();
        assertThat(console.run("mcp", "uninstall", program.word())).isZero();
        assertThat(console.out).contains("does not have");
    }

    @Test
    void eachProgramGetsItsOwnForm() throws IOException {
        for (McpProgram program : McpProgram.values()) {
            console.run(
                    "mcp", "install", program.word(), "--profile", "all", "--mode", "read-only");
        }
        JsonNode claude = server(McpProgram.CLAUDE, Files.readString(home.resolve(".claude.json")));
        assertThat(claude.path("type").asString()).isEqualTo("http");
        assertThat(claude.path("url").asString()).isEqualTo(URL);
        assertThat(claude.path("headers").path("Authorization").asString())
                .startsWith("Bearer tdc_");
        JsonNode gemini =
                server(McpProgram.GEMINI, Files.readString(home.resolve(".gemini/settings.json")));
        assertThat(gemini.path("httpUrl").asString()).isEqualTo(URL);
        JsonNode cursor =
                server(McpProgram.CURSOR, Files.readString(home.resolve(".cursor/mcp.json")));
        assertThat(cursor.path("url").asString()).isEqualTo(URL);
        JsonNode code = server(McpProgram.VSCODE, Files.readString(file(McpProgram.VSCODE)));
        assertThat(code.path("type").asString()).isEqualTo("http");
        assertThat(Files.readString(home.resolve(".codex/config.toml")))
                .startsWith("[mcp_servers.tandem]\nurl = \"" + URL + "\"\n")
                .contains("http_headers = { \"Authorization\" = \"Bearer tdc_");
        assertThat(console.tokens)
                .hasSize(5)
                .allSatisfy(token -> {
                    assertThat(token.profile()).isEqualTo("all");
                    assertThat(token.mode()).isEqualTo("read-only");
                });
    }

    static Stream<Arguments> files() {
        return Stream.of(
                Arguments.of(
                        McpProgram.CLAUDE,
                        "{\n\t\"numStartups\": 7,\n\t\"mcpServers\": {\n\t\t\"other\":"
                                + " {\"command\": \"x\"}\n\t},\n\t\"last\": [1, {\"a\": \"}\"}]\n}"),
                Arguments.of(McpProgram.CLAUDE, "{\"a\":1}"),
                Arguments.of(McpProgram.CURSOR, "{\"mcpServers\": {}}"),
                Arguments.of(McpProgram.CURSOR, "{}"),
                Arguments.of(McpProgram.VSCODE, "{\"servers\": {\"a\": {}, // of a\n}}"),
                Arguments.of(
                        McpProgram.VSCODE,
                        "{\n  // mine, with a \" in it\n  \"servers\": {\n    \"db\": { \"url\":"
                                + " \"http://x//y\" }, /* keep */\n  },\n}\n"),
                Arguments.of(
                        McpProgram.CODEX,
                        "model = \"x\"\n\n[mcp_servers.docs]\ncommand = \"docs\"\n\n# about"
                                + " profiles\n[profiles.a]\nmodel = \"y\"\n"),
                Arguments.of(
                        McpProgram.GEMINI,
                        "{\"mcpServers\": {\"a\": {\"httpUrl\": \"u\"}}, \"theme\": \"Dark\"}"));
    }

    /** True when the second text is the first with something put in at one place. */
    private static boolean onlyInserted(String before, String after) {
        int head = 0;
        while (head < before.length() && before.charAt(head) == after.charAt(head)) {
            head++;
        }
        return after.endsWith(before.substring(head));
    }

    @ParameterizedTest
    @MethodSource("files")
    void everythingElseStaysByteForByte(McpProgram program, String before) throws IOException {
        Path file = given(program, before);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(console.run("mcp", "install", program.word()))
                .as(console.err.toString())
                .isZero();
        String after = Files.readString(file);
        assertThat(program.entry(after).orElseThrow()).contains(URL);
        assertThat(onlyInserted(before, after)).as(after).isTrue();
        if (program != McpProgram.CODEX && program != McpProgram.VSCODE) {
            JsonNode old = Json.parse(before);
            JsonNode fresh = Json.parse(after);
            assertThat(server(program, after).isObject()).isTrue();
            old.properties().stream()
                    .filter(e -> !e.getKey().equals("mcpServers"))
                    .forEach(e -> assertThat(fresh.get(e.getKey())).isEqualTo(e.getValue()));
            old.path("mcpServers")
                    .properties()
                    .forEach(e ->
                            assertThat(fresh.path("mcpServers").get(e.getKey()))
                                    .isEqualTo(e.getValue()));
        }
        assertThat(console.run("mcp", "install", program.word(), "--undo")).isZero();
        assertThat(Files.readString(file)).isEqualTo(before);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
    }

    // SEC-26: what holds a token is the user's alone, for as long as it does
    @ParameterizedTest
    @CsvSource({"rw-r--r--,rw-------", "rwxrwxr-x,rwx------", "rw-------,rw-------"})
    void noOtherUserReadsTheToken(String mode, String then) throws IOException {
        Path file = given(McpProgram.CURSOR, "{}");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        assertThat(console.run("mcp", "install", "cursor")).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo(then);
        String said = "Only you can read the file now, as it holds a token.";
        assertThat(console.out.toString().contains(said)).isEqualTo(!mode.equals(then));
        // by hand, or by the program itself
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(console.run("mcp", "install", "cursor")).isZero();
        assertThat(console.out).contains("already", said);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(console.run("mcp", "uninstall", "cursor")).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo(mode);
    }

    @ParameterizedTest
    @EnumSource(McpProgram.class)
    void installingAgainChangesNothing(McpProgram program) throws IOException {
        console.run("mcp", "install", program.word());
        String first = Files.readString(file(program));
        assertThat(console.run("mcp", "install", program.word(), "--json")).isZero();
        assertThat(console.json().path("data").path("changed").asBoolean()).isFalse();
        assertThat(Files.readString(file(program))).isEqualTo(first);
        assertThat(console.minted).isEqualTo(1);
        // a token that is dead is replaced, in place
        console.tokens.clear();
        console.secrets.clear();
        console.run("mcp", "install", program.word());
        assertThat(Files.readString(file(program)))
                .isEqualTo(first.replace("tdc_1secret", "tdc_2secret"));
    }

    @ParameterizedTest
    @EnumSource(McpProgram.class)
    void undoAfterOtherChangesTakesOutOnlyTheEntry(McpProgram program) throws IOException {
        boolean toml = program == McpProgram.CODEX;
        Path file = given(program, toml ? "a = 1\n" : "{\n  \"a\": 1\n}\n");
        console.run("mcp", "install", program.word());
        String changed =
                toml
                        ? Files.readString(file).replace("a = 1", "a = 2")
                        : Files.readString(file).replace("\"a\": 1", "\"a\": 2");
        Files.writeString(file, changed);
        assertThat(console.run("mcp", "uninstall", program.word())).isZero();
        String after = Files.readString(file);
        assertThat(after).doesNotContain("tandem", "tdc_").contains(toml ? "a = 2" : "\"a\": 2");
        assertThat(program.entry(after)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "CLAUDE,'{\"a\": '",
        "CLAUDE,'not json'",
        "CURSOR,'{\"mcpServers\": []}'",
        "CURSOR,'{\"a\": 1 \"b\": 2}'",
        "CURSOR,'{}{}'",
        "CURSOR,'{\"a\": , \"b\": 2}'",
        "CODEX,'mcp_servers = { a = {} }'"
    })
    void whatCannotBeChangedSafelyIsLeftAlone(McpProgram program, String text) throws IOException {
        Path file = given(program, text);
        assertThat(console.run("mcp", "install", program.word())).isEqualTo(2);
        assertThat(console.err).contains("nothing was", file.toString());
        assertThat(Files.readString(file)).isEqualTo(text);
        assertThat(console.tokens).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(McpProgram.class)
    void theEntryGoesFromBetweenItsNeighbours(McpProgram program) throws IOException {
        boolean toml = program == McpProgram.CODEX;
        String section = program == McpProgram.VSCODE ? "servers" : "mcpServers";
        Path file =
                given(
                        program,
                        toml
                                ? "[mcp_servers.docs]\ncommand = \"docs\"\n"
                                : "{\"" + section + "\": {\"docs\": {\"url\": \"u\"}}}\n");
        console.run("mcp", "install", program.word());
        // somebody adds a server behind ours
        String more =
                toml
                        ? Files.readString(file)
                                + "\n# notes\n[mcp_servers.more]\ncommand = \"m\"\n"
                        : JsonEdit.put(Files.readString(file), section, "more", "{\"url\": \"m\"}");
        Files.writeString(file, more);
        assertThat(console.run("mcp", "uninstall", program.word(), "--dry-run")).isZero();
        assertThat(console.out).contains("This would change", "- ").doesNotContain("secret");
        assertThat(Files.readString(file)).isEqualTo(more);
        assertThat(console.run("mcp", "uninstall", program.word())).isZero();
        assertThat(Files.readString(file))
                .doesNotContain("tandem", "tdc_")
                .contains(toml ? "# notes\n[mcp_servers.more]" : "\"more\": {\"url\": \"m\"}")
                .contains("docs");
        assertThat(console.run("mcp", "uninstall", program.word())).isZero();
        assertThat(console.out).contains("does not have Tandem's tools");
    }

    @Test
    void theLastOfSeveralGoesToo() {
        String text = "{\"mcpServers\": {\"a\": 1, \"tandem\": {\"x\": [1]}}}";
        assertThat(JsonEdit.remove(text, "mcpServers", "tandem"))
                .isEqualTo("{\"mcpServers\": {\"a\": 1}}");
        assertThat(JsonEdit.remove(text, "mcpServers", "ghost")).isEqualTo(text);
        assertThat(TomlEdit.remove("a = 1\n", "mcp_servers", "tandem")).isEqualTo("a = 1\n");
    }

    // the entry was taken out by hand: its token is still there and must not live on
    @Test
    void anOldTokenIsReplaced() throws IOException {
        console.run("mcp", "install", "claude");
        Files.writeString(file(McpProgram.CLAUDE), "{}\n");
        assertThat(console.run("mcp", "install", "claude")).isZero();
        assertThat(Files.readString(file(McpProgram.CLAUDE))).contains("tdc_2secret");
        assertThat(console.tokens).hasSize(1);
    }

    @Test
    void aDryRunShowsAndChangesNothing() {
        assertThat(console.run("mcp", "install", "claude", "--dry-run")).isZero();
        assertThat(console.out).contains("+   \"mcpServers\"", URL);
        assertThat(home.resolve(".claude.json")).doesNotExist();
        assertThat(console.tokens).isEmpty();
        assertThat(console.run("mcp", "install", "emacs")).isEqualTo(1);
        assertThat(console.err).contains("claude, codex, gemini, vscode, cursor");
    }

    @Test
    void aLinkedFileStaysALink() throws IOException {
        Path real = Files.writeString(home.resolve("dotfile.json"), "{}\n");
        Files.createSymbolicLink(home.resolve(".claude.json"), real);
        assertThat(console.run("mcp", "install", "claude")).isZero();
        assertThat(home.resolve(".claude.json")).isSymbolicLink();
        assertThat(Files.readString(real)).contains(URL);
    }

    @Test
    void aLinkThatLeadsNowhereYetStaysALink() throws IOException {
        Path real = home.resolve("dotfile.json");
        Files.createSymbolicLink(home.resolve(".claude.json"), Path.of("dotfile.json"));
        assertThat(console.run("mcp", "install", "claude")).isZero();
        assertThat(home.resolve(".claude.json")).isSymbolicLink();
        assertThat(Files.readString(real)).contains(URL);
        assertThat(console.run("mcp", "uninstall", "claude")).isZero();
        assertThat(home.resolve(".claude.json")).isSymbolicLink();
        assertThat(real).doesNotExist();
    }

    @Test
    void commentsBesideTheEntryStay() throws IOException {
        String before =
                """
                {
                    "mcpServers": {
                        // first
                        "a": { "command": "x" } // of a
                        /* of nobody */
                    }
                }
                """;
        Path file = given(McpProgram.CURSOR, before);
        console.run("mcp", "install", "cursor");
        String with = Files.readString(file);
        assertThat(with).contains("\"a\": { \"command\": \"x\" }, // of a\n        \"tandem\": {");
        String more =
                with.replace(
                        "        /* of nobody */\n",
                        "        , // of ours\n        // of b\n        \"b\": {}\n");
        Files.writeString(file, more);
        assertThat(console.run("mcp", "uninstall", "cursor")).isZero();
        assertThat(Files.readString(file))
                .isEqualTo(
                        """
                        {
                            "mcpServers": {
                                // first
                                "a": { "command": "x" }, // of a
                                // of ours
                                // of b
                                "b": {}
                            }
                        }
                        """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"s": {"t": 1, "b": 2}}|{"s": {"b": 2}}
                    {"s": {"a": 1, "t": 1}}|{"s": {"a": 1}}
                    {"s": {"a": 1, "t": 1,}}|{"s": {"a": 1,}}
                    {"s": {"a": 1, "t": 1, "b": 2}}|{"s": {"a": 1, "b": 2}}
                    {"s": { "t": 1 }}|{"s": {}}
                    {"s": { /* x */ "t": 1, }}|{"s": { /* x */ }}
                    {"s": {¶  "a": 1, // a¶  "t": 1¶}}|{"s": {¶  "a": 1 // a¶}}
                    {"s": {¶  // c¶  "t": 1¶}}|{"s": {¶  // c¶}}
                    {"s": {¶  "t": 1, // t¶  "b": 2¶}}|{"s": {¶  // t¶  "b": 2¶}}
                    """)
    void whatIsTakenOutLeavesTheRest(String text, String without) {
        assertThat(JsonEdit.remove(text.replace('¶', '\n'), "s", "t"))
                .isEqualTo(without.replace('¶', '\n'));
    }

    @ParameterizedTest
    @EnumSource(McpProgram.class)
    void linesEndAsTheFileHasThem(McpProgram program) throws IOException {
        String before =
                program == McpProgram.CODEX
                        ? "a = 1\r\n"
                        : "{\r\n  \"mcpServers\": {},\r\n  \"servers\": {}\r\n}\r\n";
        Path file = given(program, before);
        assertThat(console.run("mcp", "install", program.word())).isZero();
        assertThat(Files.readString(file).replace("\r\n", "")).doesNotContain("\n");
    }

    @Test
    void tablesWithBracketsInTheirNamesAreNotOurs() throws IOException {
        Path file = given(McpProgram.CODEX, "a = 1\n");
        console.run("mcp", "install", "codex");
        String theirs = "[projects.\"/home/me/app/[slug]\"]\ntrust_level = \"trusted\"\n";
        Files.writeString(file, Files.readString(file) + theirs);
        assertThat(console.run("mcp", "uninstall", "codex")).isZero();
        assertThat(Files.readString(file)).isEqualTo("a = 1\n" + theirs);
    }

    // programs write into their own settings all the time
    @ParameterizedTest
    @EnumSource(McpProgram.class)
    void undoTakesOutAnEntryThatWasRenewedInAChangedFile(McpProgram program) throws IOException {
        boolean toml = program == McpProgram.CODEX;
        Path file = given(program, toml ? "a = 1\n" : "{\n  \"a\": 1\n}\n");
        console.run("mcp", "install", program.word());
        Files.writeString(
                file, Files.readString(file).replace(toml ? "a = 1" : "\"a\": 1", "\"b\": 2"));
        console.run("mcp", "install", program.word(), "--profile", "all");
        assertThat(Files.readString(file)).contains("tdc_2secret");
        assertThat(console.run("mcp", "uninstall", program.word())).isZero();
        assertThat(Files.readString(file)).doesNotContain("tdc_").contains("\"b\": 2");
    }

    @Test
    void undoMakesNoFileAndLeavesNoFolder() {
        console.run("mcp", "install", "vscode");
        assertThat(console.run("mcp", "uninstall", "vscode")).isZero();
        assertThat(home.resolve(".config")).doesNotExist();
        console.run("mcp", "install", "claude");
        home.resolve(".claude.json").toFile().delete();
        assertThat(console.run("mcp", "uninstall", "claude")).isZero();
        assertThat(home.resolve(".claude.json")).doesNotExist();
        assertThat(console.tokens).isEmpty();
    }

    // nothing half applied: no token without its entry, and the old entry stays good
    @Test
    void whatCannotBeWrittenIsSaidAndMakesNoToken() throws IOException {
        Path place = Files.writeString(home.resolve(".cursor"), "");
        assertThat(console.run("mcp", "install", "cursor")).isEqualTo(2);
        assertThat(console.err).contains("nothing was", place.toString()).doesNotContain("log");
        assertThat(console.tokens).isEmpty();
        Files.delete(place);
        console.run("mcp", "install", "cursor");
        Path file = file(McpProgram.CURSOR);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        for (String word : new String[] {"install", "uninstall"}) {
            String[] words = {"mcp", word, "cursor", "--profile", "all"};
            assertThat(console.run(java.util.Arrays.copyOf(words, word.equals("install") ? 5 : 3)))
                    .isEqualTo(2);
            assertThat(console.err).contains("nothing was", "chmod u+w " + file);
            assertThat(Files.readString(file)).contains("tdc_1secret");
            assertThat(console.tokens).hasSize(1);
        }
    }

    @Test
    void settingsInAnotherCodeAreLeftAlone() throws IOException {
        Path file = file(McpProgram.CURSOR);
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[] {'{', '"', (byte) 0xe9, '"', ':', '1', '}'});
        assertThat(console.run("mcp", "install", "cursor")).isEqualTo(2);
        assertThat(console.err).contains("nothing was", file.toString(), "UTF-8");
    }
}

package dev.tandem.cli;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The programs that Tandem can register itself in, each with its own file and form. */
enum McpProgram {
    CLAUDE("claude", "Claude Code", ".claude.json", "mcpServers"),
    CODEX("codex", "Codex", ".codex/config.toml", "mcp_servers"),
    GEMINI("gemini", "Gemini CLI", ".gemini/settings.json", "mcpServers"),
    VSCODE("vscode", "VS Code", ".config/Code/User/mcp.json", "servers"),
    CURSOR("cursor", "Cursor", ".cursor/mcp.json", "mcpServers");

    /** What our entry is called in every file. */
    static final String ENTRY = "tandem";

    private final String word;
    private final String title;
    private final String path;
    private final String section;

    McpProgram(String word, String title, String path, String section) {
        this.word = word;
        this.title = title;
        this.path = path;
        this.section = section;
    }

    static List<String> words() {
        return Arrays.stream(values()).map(McpProgram::word).toList();
    }

    static McpProgram of(String word) {
        return Arrays.stream(values())
                .filter(program -> program.word.equals(word))
                .findFirst()
                .orElseThrow(() ->
                        new UsageException(
                                "Unknown program: "
                                        + word
                                        + ". One of "
                                        + String.join(", ", words())
                                        + "."));
    }

    String word() {
        return word;
    }

    /** What people call it; its token has this name too. */
    String title() {
        return title;
    }

    /** Its settings for this user. */
    Path file(Path home, boolean mac) {
        return home.resolve(
                this == VSCODE && mac ? "Library/Application Support/Code/User/mcp.json" : path);
    }

    Optional<String> entry(String text) {
        return this == CODEX
                ? TomlEdit.get(text, section, ENTRY)
                : JsonEdit.get(text, section, ENTRY);
    }

    String put(String text, String url, String token) {
        if (this == CODEX) {
            String body =
                    "url = \"%s\"\nhttp_headers = { \"Authorization\" = \"Bearer %s\" }\n"
                            .formatted(url, token);
            return TomlEdit.put(text, section, ENTRY, body);
        }
        String address =
                switch (this) {
                    case CLAUDE, VSCODE -> "  \"type\": \"http\",\n  \"url\": \"%s\"";
                    case GEMINI -> "  \"httpUrl\": \"%s\"";
                    case CURSOR, CODEX -> "  \"url\": \"%s\"";
                };
        String value =
                "{\n"
                        + address.formatted(url)
                        + ",\n  \"headers\": {\n    \"Authorization\": \"Bearer "
                        + token
                        + "\"\n  }\n}";
        return JsonEdit.put(text, section, ENTRY, value);
    }

    String remove(String text) {
        return this == CODEX
                ? TomlEdit.remove(text, section, ENTRY)
                : JsonEdit.remove(text, section, ENTRY);
    }
}

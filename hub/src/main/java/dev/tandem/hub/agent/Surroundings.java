package dev.tandem.hub.agent;

import java.util.List;
import java.util.Set;

/**
 * What other programs leave in the environment of everything they start. A hub that was started in
 * one of them has it, but what the hub starts does not run there: a claude that finds the mark of
 * another one refuses to start, and what finds a size there does not ask its own terminal.
 */
public final class Surroundings {
    private static final Set<String> MARKS =
            Set.of(
                    "CLAUDECODE",
                    "CLAUDE_CODE_ENTRYPOINT",
                    "CLAUDE_CODE_SSE_PORT",
                    "COLORFGBG",
                    "COLUMNS",
                    "LC_TERMINAL",
                    "LC_TERMINAL_VERSION",
                    "LINES",
                    "STY",
                    "TERM_PROGRAM",
                    "TERM_PROGRAM_VERSION",
                    "TERM_SESSION_ID",
                    "TMUX",
                    "TMUX_PANE",
                    "VTE_VERSION",
                    "WINDOWID",
                    "WT_SESSION");
    private static final List<String> FAMILIES =
            List.of("ITERM_", "KITTY_", "KONSOLE_", "VSCODE_", "WEZTERM_");

    private Surroundings() {}

    /** Whether a variable of this name says where the hub was started, and nothing else. */
    public static boolean left(String name) {
        return MARKS.contains(name) || FAMILIES.stream().anyMatch(name::startsWith);
    }
}

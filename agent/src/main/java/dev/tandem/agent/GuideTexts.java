package dev.tandem.agent;

import java.util.List;
import java.util.Locale;

/** The guide's fixed words. */
final class GuideTexts {
    static final String UNSURE =
            """
            I am the guide: I work without a model, so I only know a few things. Ask me to

            - **read** this page and outline it
            - **find** some words on it
            - **fill** a form: `fill name: Ada, email: ada@example.org`
            - **compare** two tabs
            - take a **screenshot**
            - list the open **tabs**
            - explain **Tandem**
            """;

    private static final String TANDEM =
            """
            Tandem puts your AI agents into this panel, and your browser, under your permission, \
            into their hands.

            - **Agents**: any program that speaks ACP, found on your PATH or added to your \
            settings. `tandem agents` lists them.
            - **Permission**: every step an agent takes in your browser meets one gate. In *ask* \
            mode it shows you a card first; *read-only* refuses to act; *act* goes on within the \
            sites you named.
            - **Stop**: the stop button ends the turn at once; the kill switch takes every agent's \
            hands off the browser.
            """;

    private static final String MODEL =
            """
            To make me a browsing agent give me a model before the hub starts:

            - `ANTHROPIC_API_KEY`, and `ANTHROPIC_MODEL` if you want another than the default; or
            - `OPENAI_BASE_URL` with `OPENAI_MODEL`, and `OPENAI_API_KEY` where it needs one. A \
            local Ollama is `http://127.0.0.1:11434/v1`.

            Or choose another agent that is installed: `tandem agents` shows them.
            """;

    private GuideTexts() {}

    static String about(String prompt) {
        String low = prompt.toLowerCase(Locale.ROOT);
        if (low.matches("(?s).*\\b(model|key|api)\\b.*")) {
            return MODEL;
        }
        return low.contains("tandem") || low.contains("permission") || low.contains("agent")
                ? TANDEM
                : "Hello. " + UNSURE;
    }

    static String failed(String what, String why) {
        return "I could not " + what + ".\n\n> " + why.strip().replace("\n", "\n> ") + "\n";
    }

    static String found(String wanted, int times, List<String> some, String page) {
        String words = "“" + wanted + "”";
        if (!some.isEmpty()) {
            return "No line of " + page + " holds all of " + words + ".\n";
        }
        String count = times == 0 ? "nowhere" : times == 1 ? "once" : times + " times";
        return words + " stands " + count + " on " + page + ".\n";
    }

    /** What is left of "find the opening hours on this page" when the order is taken away. */
    static String searchWords(String prompt) {
        String quoted = prompt.replaceFirst("(?s).*[\"“«]\\s*([^\"”»]+?)\\s*[\"”»].*", "$1");
        if (!quoted.equals(prompt)) {
            return quoted;
        }
        return prompt.replaceFirst(
                        "(?isu).*?\\b(find|search for|search|where is|where are|where|look for|locate"
                                + "|cherche|trouve|où est|où)\\b",
                        "")
                .replaceFirst("(?isu)\\b(on|in|sur|dans) (this|the|cette|la) page\\b.*", "")
                .replaceFirst("(?isu)^\\s*(the|a|an|le|la|les|un|une)\\s+", "")
                .replaceAll("[?.!]+\\s*$", "")
                .strip();
    }
}

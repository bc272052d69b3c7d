package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Scripts that let a shell complete commands and flags; made from the same data as the help. */
final class Completion {
    private static final Flag SHELL = Flag.value("shell", "bash | zsh | fish");

    private Completion() {}

    static Command command() {
        return new Command("completion", "print a completion script", SHELL, Completion::run);
    }

    private static int run(Command.Context context) {
        String shell = context.word("shell");
        String script =
                switch (shell) {
                    case "bash" -> bash();
                    case "zsh" -> "autoload -U +X bashcompinit && bashcompinit\n" + bash();
                    case "fish" -> fish();
                    default ->
                            throw new UsageException(
                                    "Invalid --shell: " + shell + ". One of bash, zsh, fish.");
                };
        return context.printer().answer(script, Json.object().put("script", script));
    }

    private static String bash() {
        StringBuilder cases = new StringBuilder();
        for (String name : Commands.names()) {
            String words = String.join(" ", wordsOf(name));
            if (!words.isEmpty()) {
                cases.append("        ").append(name).append(") words='").append(words);
                cases.append("' ;;\n");
            }
        }
        return """
        _tandem() {
            local words='%s'
            if ((COMP_CWORD > 1)); then
                words=
                case ${COMP_WORDS[1]} in
        %s        esac
            fi
            COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
        }
        complete -o default -F _tandem tandem ./tandem
        """
                .formatted(String.join(" ", Commands.names()), cases);
    }

    private static String fish() {
        StringBuilder out = new StringBuilder("complete -c tandem -f\n");
        for (String name : Commands.names()) {
            out.append("complete -c tandem -n __fish_use_subcommand -a ").append(name).append('\n');
            for (String word : wordsOf(name)) {
                out.append("complete -c tandem -n '__fish_seen_subcommand_from ")
                        .append(name)
                        .append(
                                word.startsWith("--")
                                        ? "' -l " + word.substring(2)
                                        : "' -a " + word)
                        .append('\n');
            }
        }
        return out.toString();
    }

    /** What may follow a first word: second words of commands, and flags. */
    private static Set<String> wordsOf(String name) {
        Set<String> words = new LinkedHashSet<>();
        for (String command : Commands.ofHubByName().keySet()) {
            if (command.startsWith(name + " ")) {
                words.add(command.substring(name.length() + 1));
            }
        }
        words.addAll(
                Commands.byName(name).map(Command::flags).orElse(List.of()).stream()
                        .map(Flag::dashed)
                        .collect(Collectors.toCollection(LinkedHashSet::new)));
        return words;
    }
}

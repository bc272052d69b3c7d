package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Scripts that let a shell complete commands, flags and their words; from the help's own data. */
final class Completion {
    private static final Flag SHELL =
            Flag.choice("shell", "bash | zsh | fish", "bash", "zsh", "fish");

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

    /** The words before the cursor choose: a value of the flag just typed, else what may follow. */
    private static String bash() {
        StringBuilder cases = new StringBuilder();
        StringBuilder values = new StringBuilder();
        for (Map.Entry<String, Command> entry : commands().entrySet()) {
            for (Flag flag : flags(entry.getValue())) {
                if (!flag.values().isEmpty()) {
                    branch(values, entry.getKey() + " " + flag.dashed(), flag.values());
                }
            }
        }
        branch(values, "up --browser", List.of("managed", "none"));
        for (Map.Entry<String, Set<String>> entry : followers().entrySet()) {
            branch(cases, entry.getKey(), entry.getValue());
        }
        return """
        _tandem() {
            local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=
            local first=${COMP_WORDS[1]} second=${COMP_WORDS[2]-} joined=
            if [[ $cur = --*=* ]]; then
                joined=${cur%%%%=*}= prev=${cur%%%%=*} cur=${cur#*=}
            elif [[ $prev = '=' ]]; then
                prev=${COMP_WORDS[COMP_CWORD-2]}
            elif [[ $cur = '=' ]]; then
                cur=
            fi
            case "$first $second $prev" in
        %s        *)
                    case "$first $prev" in
        %s            *)
                        if ((COMP_CWORD == 1)); then
                            words='%s'
                        else
                            ((COMP_CWORD > 2)) && case "$first $second" in
        %s                esac
                            [[ -n $words ]] || case "$first" in
        %s                esac
                        fi ;;
                    esac ;;
            esac
            COMPREPLY=($(compgen -P "$joined" -W "$words" -- "$cur"))
        }
        complete -o default -F _tandem tandem ./tandem
        """
                .formatted(
                        only(values, true),
                        only(values, false),
                        String.join(" ", Commands.names()),
                        onlyPairs(cases, true),
                        onlyPairs(cases, false));
    }

    private static void branch(StringBuilder out, String pattern, Iterable<String> words) {
        out.append('"').append(pattern).append("\") words='").append(String.join(" ", words));
        out.append("' ;;\n");
    }

    /** Value branches of commands with two words, or with one. */
    private static String only(StringBuilder branches, boolean two) {
        return lines(branches, two ? 3 : 2);
    }

    private static String onlyPairs(StringBuilder branches, boolean two) {
        return lines(branches, two ? 2 : 1);
    }

    private static String lines(StringBuilder branches, int words) {
        StringBuilder out = new StringBuilder();
        branches.toString()
                .lines()
                .filter(line -> line.substring(1, line.indexOf('"', 1)).split(" ").length == words)
                .forEach(line -> out.append("        ").append(line).append('\n'));
        return out.toString();
    }

    private static String fish() {
        StringBuilder out = new StringBuilder("complete -c tandem -f\n");
        for (String name : Commands.names()) {
            out.append("complete -c tandem -n __fish_use_subcommand -a ").append(name).append('\n');
        }
        for (Map.Entry<String, Set<String>> entry : followers().entrySet()) {
            String seen = seen(entry.getKey());
            List<String> words =
                    entry.getValue().stream().filter(word -> !word.startsWith("--")).toList();
            // one of them is enough
            String first = "; and not __fish_seen_subcommand_from " + String.join(" ", words);
            for (String word : entry.getValue()) {
                if (!word.startsWith("--")) {
                    out.append(seen).append(first).append("' -a ").append(word).append('\n');
                } else if (!commands().containsKey(entry.getKey())) {
                    out.append(seen).append("' -l ").append(word.substring(2)).append('\n');
                }
            }
        }
        for (Map.Entry<String, Command> entry : commands().entrySet()) {
            for (Flag flag : flags(entry.getValue())) {
                out.append(seen(entry.getKey())).append("' -l ").append(flag.name());
                if (flag.shape() != Flag.Shape.SWITCH) {
                    out.append(flag.values().isEmpty() ? " -r" : " -x");
                }
                if (!flag.values().isEmpty()) {
                    out.append(" -a '").append(String.join(" ", flag.values())).append('\'');
                }
                out.append('\n');
            }
        }
        return out.toString();
    }

    private static String seen(String command) {
        StringBuilder out = new StringBuilder("complete -c tandem -n '");
        String[] words = command.split(" ");
        for (int i = 0; i < words.length; i++) {
            out.append(i == 0 ? "" : "; and ")
                    .append("__fish_seen_subcommand_from ")
                    .append(words[i]);
        }
        return out.toString();
    }

    private static List<Flag> flags(Command command) {
        List<Flag> flags = new java.util.ArrayList<>(command.flags());
        flags.addAll(Flag.GLOBAL);
        return flags;
    }

    private static Map<String, Command> commands() {
        Map<String, Command> commands = new LinkedHashMap<>(Commands.ofHubByName());
        Commands.names()
                .forEach(name ->
                        Commands.byName(name)
                                .ifPresent(command -> commands.putIfAbsent(name, command)));
        return commands;
    }

    /** What may follow a command: its second words, the words of its first argument, its flags. */
    private static Map<String, Set<String>> followers() {
        Map<String, Set<String>> all = new LinkedHashMap<>();
        for (Map.Entry<String, Command> entry : commands().entrySet()) {
            String name = entry.getKey();
            Set<String> words = all.computeIfAbsent(name, key -> new LinkedHashSet<>());
            entry.getValue().positions().stream().limit(1).forEach(f -> words.addAll(f.values()));
            flags(entry.getValue()).forEach(flag -> words.add(flag.dashed()));
            int space = name.indexOf(' ');
            if (space > 0) {
                all.computeIfAbsent(name.substring(0, space), key -> new LinkedHashSet<>())
                        .add(name.substring(space + 1));
            }
        }
        all.put("up", new LinkedHashSet<>(Help.upFlags()));
        all.put("stop", Set.of("--state-dir"));
        all.put("doctor", new LinkedHashSet<>(List.of("--json", "--quiet", "--help")));
        all.computeIfAbsent("help", key -> new LinkedHashSet<>()).addAll(Commands.names());
        all.computeIfAbsent("mcp", key -> new LinkedHashSet<>()).add("--as-user");
        return all;
    }
}

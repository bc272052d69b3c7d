package dev.tandem.cli;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Tool;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The help texts: all commands, or one. */
final class Help {
    private static final String UP =
            """
            tandem up: start the hub and a browser

            Usage: tandem up [options]

            Options
              --port N             port on 127.0.0.1 (8787; 0 takes a free one)
              --state-dir DIR      where the hub keeps its state (TANDEM_STATE_DIR)
              --browser KIND       managed (default): start a Chromium; none: start none
              --headless           the managed browser without a window
              --headed             the managed browser with a window
              --store URL          postgresql://user:password@host:port/database
              --extension-legacy   open /cdp for Playwright and Puppeteer
              --agent AGENT        agent of sessions that name none: an id or a command line
              --json               print {"url","stateDir","pid"} when ready
            """;

    private static final String MCP =
            """
            tandem mcp: serve the tools to one MCP client on standard input and output

            Usage: tandem mcp [--as-user]
                   tandem mcp install PROGRAM
                   tandem mcp uninstall PROGRAM

            For clients that start a program instead of opening an address. The client's
            token stands in TANDEM_MCP_TOKEN (make one: tandem token add NAME); --as-user
            acts as you, without permission cards. TANDEM_MCP_URL names another hub than
            the running one, for a token of that hub.
            """;

    private static final String DOCTOR =
            """
            tandem doctor: find out what is wrong

            Usage: tandem doctor [--json] [--quiet]

            Looks at the JDK, Chromium, the state dir, the hub, its token and port, the
            browsers and their extension, and the process behind terminals, and says for
            each finding what to do. Ends with 2 when something is wrong; --quiet shows
            nothing else.
            """;

    private Help() {}

    static Command command() {
        return new Command(
                "help",
                "show this, or the help of a command",
                List.of(new Flag("command", "command", Flag.Shape.LIST, "a command")),
                List.of(new Flag("command", "command", Flag.Shape.LIST, "a command")),
                Help::run);
    }

    private static int run(Command.Context context) {
        List<String> words = context.words().all("command");
        String text;
        if (words.isEmpty()) {
            text = all(context.columns());
        } else if (words.getFirst().equals("up")) {
            text = fitted(UP, context.columns());
        } else if (words.equals(List.of("mcp"))) {
            text = fitted(MCP, context.columns());
        } else if (words.equals(List.of("doctor"))) {
            text = doctor(context.columns());
        } else if (words.size() == 1 && Commands.LAUNCHER.containsKey(words.getFirst())) {
            String name = words.getFirst();
            text = "tandem " + name + ": " + Commands.LAUNCHER.get(name);
            text = Table.whole(context.columns()).row(text).toString();
        } else {
            text =
                    Commands.find(words)
                            .map(found -> of(found.command(), context.columns()))
                            .or(() -> group(words.getFirst(), context.columns()))
                            .orElseThrow(() -> Cli.unknown(words));
        }
        return context.printer().answer(text, Json.object().put("help", text));
    }

    static String doctor(int columns) {
        return fitted(DOCTOR, columns);
    }

    /** A text of paragraphs, lists of options and usage lines, as wide as the terminal. */
    private static String fitted(String text, int columns) {
        StringBuilder out = new StringBuilder();
        for (String part : text.split("\n\n")) {
            Table table = Table.whole(columns);
            if (part.startsWith("Options\n")) {
                table.heading("Options");
                part.lines()
                        .skip(1)
                        .map(line -> line.split(" {2,}"))
                        .forEach(option -> table.row("  " + option[1], option[2]));
            } else {
                table.row(part.strip().replace('\n', ' '));
            }
            out.append(out.isEmpty() ? "" : "\n");
            out.append(part.startsWith("Usage:") ? part + "\n" : table);
        }
        return out.toString();
    }

    /** The flags of {@code up}, as its help names them. */
    static List<String> upFlags() {
        return java.util.regex.Pattern.compile("--[a-z-]+")
                .matcher(UP)
                .results()
                .map(java.util.regex.MatchResult::group)
                .distinct()
                .toList();
    }

    static String all(int columns) {
        StringBuilder out = new StringBuilder("Usage: tandem COMMAND [options]\n\nThe hub\n");
        Table launcher = Table.whole(columns);
        Commands.LAUNCHER.forEach((name, about) -> launcher.row("  " + name, about));
        out.append(launcher).append("\nSessions and agents\n");
        out.append(table(Commands.talking().values(), columns)).append("\nBrowsers and access\n");
        out.append(table(Commands.access().values(), columns));
        for (Catalogue.Group group : Catalogue.load().groups()) {
            out.append('\n').append(group.title()).append('\n');
            Table table = Table.whole(columns);
            for (Tool tool : group.tools()) {
                table.row("  " + tool.cli(), sentence(tool.description()));
            }
            out.append(table);
        }
        Table end =
                Table.whole(columns)
                        .row("\"tandem COMMAND --help\" explains one. All take --json and --quiet.")
                        .row("Exit codes: 0 done, 1 wrong usage, 2 failed, 10 no hub.");
        return out.append('\n').append(end).toString();
    }

    /** The first sentence, without an example that it leads up to. */
    private static String sentence(String text) {
        String first = text.split("(?<=[.?!]) ", 2)[0].replaceFirst(",? e\\.g\\.$", "");
        return first.matches(".*[.?!]") ? first : first + ".";
    }

    private static Table table(Collection<Command> commands, int columns) {
        Table table = Table.whole(columns);
        commands.forEach(one -> table.row("  " + one.name(), one.about()));
        return table;
    }

    static String of(Command command, int columns) {
        StringBuilder out = new StringBuilder();
        String title = "tandem " + command.name() + ": " + command.about();
        out.append(Table.whole(columns).row(title)).append('\n');
        out.append(Table.whole(columns).row(usage(command)));
        Table more = following(command.name(), columns);
        out.append(more.isEmpty() ? "" : "\nMore\n" + more);
        section(out, "Options", command.flags(), columns);
        section(out, "Everywhere", Flag.GLOBAL, columns);
        return out.toString();
    }

    /** The help of a first word that is no command itself. */
    static Optional<String> group(String word, int columns) {
        Table all = following(word, columns);
        return all.isEmpty()
                ? Optional.empty()
                : Optional.of("Usage: tandem " + word + " COMMAND [options]\n\n" + all);
    }

    private static Table following(String word, int columns) {
        Table table = Table.whole(columns);
        for (String second : Commands.secondWords(word)) {
            String name = word + " " + second;
            table.row("  " + name, Commands.about(name));
        }
        return table;
    }

    static String usage(Command command) {
        StringBuilder out = new StringBuilder("Usage: tandem ").append(command.name());
        for (Flag position : command.positions()) {
            String word = position.name().toUpperCase(java.util.Locale.ROOT);
            out.append(' ').append(position.shape().isMany() ? word + "…" : word);
        }
        return out.append(command.flags().isEmpty() ? "" : " [options]").toString();
    }

    private static void section(StringBuilder out, String title, List<Flag> flags, int columns) {
        if (flags.isEmpty()) {
            return;
        }
        Table table = Table.whole(columns);
        for (Flag flag : flags) {
            String value = flag.shape() == Flag.Shape.SWITCH ? "" : " …";
            table.row("  " + flag.dashed() + value, flag.about());
        }
        out.append('\n').append(title).append('\n').append(table);
    }
}

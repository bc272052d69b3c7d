package dev.tandem.cli;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Runs one command line and answers its exit code: 0 done, 1 usage, 2 failed, 10 no hub. */
public final class Cli {
    private Cli() {}

    public static int run(Invocation invocation, Port port) {
        List<String> words = commandFirst(invocation.arguments());
        Printer printer = new Printer(invocation.sink(), guess(words), false);
        String help = "Try: tandem help";
        try {
            Optional<String> group = group(words, invocation.terminal().columns());
            if (group.isPresent()) {
                invocation.sink().out(group.get());
                return 0;
            }
            Commands.Found found = Commands.find(words).orElseThrow(() -> unknown(words));
            Command command = found.command();
            checkSecond(found);
            help = Help.usage(command);
            List<Flag> flags = new ArrayList<>(command.flags());
            flags.addAll(Flag.GLOBAL);
            Words read = Words.read(found.rest(), flags, command.positions());
            printer = new Printer(invocation.sink(), Printer.formatOf(read), read.isOn("quiet"));
            checkTransport(read);
            if (read.isOn("help")) {
                invocation.sink().out(Help.of(command, invocation.terminal().columns()));
                return 0;
            }
            return command.action().run(new Command.Context(read, invocation, port, printer));
        } catch (UsageException e) {
            return printer.usage(e, help);
        } catch (TandemException e) {
            return printer.error(e, port);
        } catch (IOException e) {
            String said = String.valueOf(e.getMessage());
            return printer.error(new TandemException(ErrorCode.INTERNAL, said), port);
        }
    }

    /** The answer to a line of which only the first words are here. */
    public static int tooManyWords(Invocation invocation) {
        return new Printer(invocation.sink(), guess(invocation.arguments()), false)
                .usage(
                        new UsageException("Too many words for one command."),
                        "Send a long text by standard input: -");
    }

    static UsageException unknown(List<String> words) {
        if (words.isEmpty() || words.getFirst().startsWith("--")) {
            // it refuses those that it does not know
            Words.read(words, Flag.GLOBAL, List.of());
            return new UsageException("No command was given.");
        }
        String word = words.getFirst();
        List<String> second = Commands.secondWords(word);
        if (!second.isEmpty()) {
            String given = words.size() > 1 ? word + " " + words.get(1) : word;
            return new UsageException(
                    "Unknown command: "
                            + given
                            + ". After "
                            + word
                            + ": "
                            + String.join(", ", second)
                            + ".");
        }
        return new UsageException("Unknown command: " + word + meant(word));
    }

    private static String meant(String word) {
        return Catalogue.load()
                .byName(word)
                .map(tool -> ". The tool of that name is " + tool.cli() + " here.")
                .or(() -> Commands.nearest(word).map(near -> ". Did you mean " + near + "?"))
                .orElse("");
    }

    /** A first word alone with --help: what may follow it. */
    private static Optional<String> group(List<String> words, int columns) {
        boolean asked = words.size() == 2 && List.of("--help", "-h").contains(words.get(1));
        return asked && Commands.byName(words.getFirst()).isEmpty()
                ? Help.group(words.getFirst(), columns)
                : Optional.empty();
    }

    /** A command that takes no plain word was given one where others of its family have theirs. */
    private static void checkSecond(Commands.Found found) {
        Command command = found.command();
        boolean plain = !found.rest().isEmpty() && !found.rest().getFirst().startsWith("-");
        if (plain
                && command.positions().isEmpty()
                && !Commands.secondWords(command.name()).isEmpty()) {
            throw unknown(List.of(command.name(), found.rest().getFirst()));
        }
    }

    private static void checkTransport(Words words) {
        String transport = words.value("transport").orElse("relay");
        if (!transport.equals("relay")) {
            throw new UsageException("Invalid --transport: " + transport + ". It is relay.");
        }
    }

    /** Flags for every command may stand before it; they are moved behind. */
    private static List<String> commandFirst(List<String> given) {
        int start = 0;
        while (start < given.size() && given.get(start).startsWith("--")) {
            String word = given.get(start);
            boolean takesNext =
                    word.equals("--timeout-ms")
                            || Flag.GLOBAL.stream()
                                    .filter(flag -> flag.shape() == Flag.Shape.VALUE)
                                    .anyMatch(flag -> flag.dashed().equals(word));
            start += takesNext ? 2 : 1;
        }
        if (start == 0 || start >= given.size()) {
            return given;
        }
        List<String> words = new ArrayList<>(given.subList(start, given.size()));
        int plain = words.indexOf("--");
        words.addAll(plain < 0 ? words.size() : plain, given.subList(0, start));
        return words;
    }

    /** The form of errors about a line that cannot be read. */
    static Printer.Format guess(List<String> words) {
        boolean json =
                words.contains("--json")
                        || words.contains("--output-format=json")
                        || words.contains("--output-format=stream-json")
                        || followed(words, "json")
                        || followed(words, "stream-json");
        return json ? Printer.Format.JSON : Printer.Format.TEXT;
    }

    private static boolean followed(List<String> words, String format) {
        return Collections.indexOfSubList(words, List.of("--output-format", format)) >= 0;
    }
}

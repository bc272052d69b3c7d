package dev.tandem.cli;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs one command line and answers its exit code: 0 done, 1 usage, 2 failed, 10 no hub. */
public final class Cli {
    private Cli() {}

    public static int run(Invocation invocation, Port port) {
        List<String> words = commandFirst(invocation.arguments());
        Printer printer = new Printer(invocation.sink(), guess(words), false);
        String help = "Try: tandem help";
        try {
            Commands.Found found =
                    Commands.find(words)
                            .orElseThrow(() -> unknown(words.isEmpty() ? "" : words.getFirst()));
            Command command = found.command();
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

    static UsageException unknown(String word) {
        if (word.isEmpty()) {
            return new UsageException("No command was given.");
        }
        List<String> second = Commands.secondWords(word);
        if (!second.isEmpty()) {
            return new UsageException(
                    "What about \"" + word + "\"? One of " + String.join(", ", second) + ".");
        }
        String meant =
                Commands.nearest(word).map(near -> ". Did you mean " + near + "?").orElse("");
        return new UsageException("Unknown command: " + word + meant);
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
                    Flag.GLOBAL.stream()
                            .anyMatch(flag ->
                                    flag.shape() == Flag.Shape.VALUE && flag.dashed().equals(word));
            start += takesNext ? 2 : 1;
        }
        if (start == 0 || start >= given.size()) {
            return given;
        }
        List<String> words = new ArrayList<>(given.subList(start, given.size()));
        words.addAll(given.subList(0, start));
        return words;
    }

    /** The form of errors about a line that cannot be read. */
    private static Printer.Format guess(List<String> words) {
        boolean json =
                words.contains("--json")
                        || words.contains("--output-format=json")
                        || words.contains("--output-format=stream-json")
                        || java.util.Collections.indexOfSubList(
                                        words, List.of("--output-format", "json"))
                                >= 0;
        return json ? Printer.Format.JSON : Printer.Format.TEXT;
    }
}
